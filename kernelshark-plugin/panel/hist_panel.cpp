// SPDX-License-Identifier: GPL-2.0
/* hist_panel.cpp - dock widget that shows histograms next to the graph: public interface */
#include <QComboBox>
#include <QSettings>
#include <QTabBar>

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/panel/panel_controller.hpp"

HistPanel::HistPanel(Shark *shark, QWidget *parent, QSettings *settings)
	: QDockWidget(tr("Histograms"), parent), d(new HistPanelParts(this, shark, settings))
{
	setObjectName(QStringLiteral("hist_panel"));
	if (settings)
		settings->setParent(this);
	d->build();
	d->recallLook();
	d->connectAll();
	d->connectMemory();
	d->fillChooser();
	d->refresh();
}

/* Destroy the parts, including the worker, before the views. */
HistPanel::~HistPanel()
{
	d->disconnect();
	d.reset();
}

Recordings *HistPanel::recordings() const
{
	return d->recordings;
}

bool HistPanel::choose(const QString &path, unsigned int hist)
{
	int i;

	for (i = 0; i < d->choose->count(); i++)
		if (d->choose->itemData(i).toString() == path && d->histAt(i) == hist &&
		    !d->choose->itemData(i, COUNTED_ROLE).toBool()) {
			d->choose->setCurrentIndex(i);
			d->chooseAt(i);
			d->keepChoice();
			return true;
		}
	return false;
}

bool HistPanel::chosen(QString *path, unsigned int *hist) const
{
	if (d->path.isEmpty() || d->counted)
		return false;
	*path = d->path;
	*hist = d->hist;
	return true;
}

bool HistPanel::showSnapshot(const QString &path, unsigned int hist, quint32 seq)
{
	const recorded_hist *h;

	if (!choose(path, hist) || !d->item() || !d->item()->recording)
		return false;
	h = &d->item()->recording->hists[hist];
	if (!h->n || h->snapshots[snapshotIndex(*h, seq)].seq != seq)
		return false;
	d->snapshot->setValue(int(seq));
	setSource(OneSnapshot);
	show();
	raise();
	d->refresh();
	return true;
}

void HistPanel::setView(View view)
{
	d->view->setCurrentIndex(view);
}

HistPanel::View HistPanel::view() const
{
	return View(d->view->currentIndex());
}

void HistPanel::setSource(Source source)
{
	d->source->setCurrentIndex(source);
}

HistPanel::Source HistPanel::source() const
{
	return Source(d->source->currentIndex());
}

bool HistPanel::exportTo(const QString &path, const QString &format, QString *why)
{
	return d->exportTo(path, format, why);
}

bool HistPanel::idle() const
{
	return !d->worker->busy() && !d->recordings->opening() && !d->expression->busy();
}

qulonglong HistPanel::computations() const
{
	return d->worker->begun();
}
