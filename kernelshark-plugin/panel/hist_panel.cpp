// SPDX-License-Identifier: GPL-2.0
/*
 * hist_panel.cpp - behaviour of the panel: what is shown, how high, and its export
 *
 * A picture contains the name of the histogram, the snapshots and the losses, so that
 * it is complete without context. The library writes charts and numbers from the same
 * snapshots, in the format of `trace-cmd hist report`.
 */
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLayout>
#include <QPainter>
#include <QSaveFile>
#include <QSettings>

#include "kernelshark-plugin/charts/bars_view.hpp"
#include "kernelshark-plugin/charts/call_tree_view.hpp"
#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/charts/compare_view.hpp"
#include "kernelshark-plugin/charts/scatter_view.hpp"
#include "kernelshark-plugin/panel/expression_row.hpp"
#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/panel/panel_episodes.hpp"
#include "kernelshark-plugin/panel/panel_figures.hpp"
#include "kernelshark-plugin/panel/panel_height.hpp"
#include "kernelshark-plugin/panel/panel_message.hpp"
#include "kernelshark-plugin/panel/panel_pairs.hpp"
#include "kernelshark-plugin/panel/panel_views.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define BARS_FEW 3

HistPanel::HistPanel(Shark *shark, Recordings *files, QWidget *parent, QSettings *settings)
	: QDockWidget(tr("Histograms"), parent), shark(shark), files(files), memory(settings)
{
	setObjectName(QStringLiteral("hist_panel"));
	if (settings)
		settings->setParent(this);
	build();
	connectAll();
	choices->fill();
	refresh();
}

/* No signal may arrive after the members are gone: destroy or disconnect all senders. */
HistPanel::~HistPanel()
{
	shark->disconnect(this);
	files->disconnect(this);
	delete pairs;
	delete figures;
	delete body;
}

void HistPanel::setView(View view)
{
	views->setView(view);
}

HistPanel::View HistPanel::view() const
{
	return View(views->view());
}

qulonglong HistPanel::computations() const
{
	return figures->begun();
}

void HistPanel::setAlone(bool is)
{
	heights->setAlone(is);
}

void HistPanel::refresh()
{
	if (closed || shark->busy())
		return;
	stale = !body->isVisible();
	episodes->show(choices->item());
	if (stale && choices->recording())
		return;
	choices->count();
	if (!choices->recording()) {
		figures->drop(choices->whyNone());
		return;
	}
	wanted = choices->query();
	showTime();
	figures->ask(wanted);
	watch();
}

void HistPanel::showFigures(const QString &why)
{
	if (figures->data()) {
		heatmap->setSnapshots(!figures->shown().counted);
		heatmap->setLatencies(pairs->isLatency());
		choices->fillGroups(*figures->data());
	} else {
		views->setNone(why);
	}
	showNotes();
	showView();
}

/* "", or what the user must know about the displayed figures. */
QString HistPanel::notesText() const
{
	const QStringList list = figures->notes();

	return list.isEmpty() ? QString() : tr("Note: %1").arg(list.join(QLatin1String("; ")));
}

/* The line is always there unless the panel is low, so that the views keep their size. */
void HistPanel::showNotes()
{
	QPalette colours = palette();

	colours.setColor(QPalette::WindowText, ChartStyle(bars).warn);
	notes->setPalette(colours);
	notes->setText(notesText());
	notes->setToolTip(toolTipText(figures->notes().join(QLatin1Char('\n'))));
	foldRows();
}

void HistPanel::showView()
{
	exporting->setEnabled(figures->data() != nullptr);
	comparing->setEnabled(figures->data() || comparing->isChecked());
	showFrom();
	if (!figures->data())
		return;
	offerViews();
	views->setFigures(figures->data());
	showTime();
	listLatencies();
}

void HistPanel::showFrom()
{
	const QString now = figures->shown().from;
	const bool both = view() == Compare && !before_from.isEmpty() && !now.isEmpty();

	from->setText(both ? tr("%1 (before: %2)").arg(now, before_from) : now);
}

void HistPanel::offerViews()
{
	const hist_schema *schema = choices->schema();

	views->offer(Calls, schema && CallTreeView::canShow(schema));
	views->offer(Scatter, pairs->isLatency());
}

/*
 * The numbers that are shown when the user presses "Compare" are those before. What the panel
 * shows later are those after, whatever selects them: the graph, the markers, another file.
 */
void HistPanel::setBefore(bool keep)
{
	const PanelDataPtr now = keep ? figures->data() : PanelDataPtr();
	const Recordings::Item *of = figures->item();
	const bool window = now && of && now->ns && now->query.what == PANEL_DATA_WINDOW;

	before_from = now ? figures->shown().from : QString();
	compare->setBefore(now);
	if (window && !closed)
		shark->setBand(true, qint64(now->view.from_time) + of->file.offset,
			       qint64(now->view.snap->time) + of->file.offset);
	else if (!closed)
		shark->setBand(false, 0, 0);
	if (now)
		setView(Compare);
	showView();
}

/* Follow the graph immediately, even before the figures of its window arrive. */
void HistPanel::showTime()
{
	const Recordings::Item *of = figures->item() ? figures->item() : choices->item();
	int left = 0, right = 0;

	if (closed || !of)
		return;
	if (!wanted.aligned || !shark->graphSpan(heatmap->viewport(), &left, &right))
		left = right = 0;
	heatmap->setTime(wanted.begin, wanted.end, of->file.offset, left, right);
	if (!wanted.aligned || !shark->graphSpan(scatter->viewport(), &left, &right))
		left = right = 0;
	scatter->setTime(wanted.begin, wanted.end, left, right);
}

void HistPanel::forgetRow()
{
	message->setShown(false);
	pairs->forgetRow();
}

void HistPanel::listLatencies()
{
	if (!closed && (view() == Pairs || view() == Scatter))
		pairs->list();
}

void HistPanel::settle()
{
	watch();
	if (idle())
		emit settled();
}

void HistPanel::watch()
{
	progress->setRange(0, files->opening() ? 0 : 1000);
	progress->setValue(figures->done());
	progress->setBusy(!closed && (figures->busy() || files->opening()));
}

bool HistPanel::showSnapshot(const QString &path, unsigned int hist, quint32 seq)
{
	if (!choices->chooseSnapshot(path, hist, seq))
		return false;
	show();
	raise();
	refresh();
	return true;
}

bool HistPanel::idle() const
{
	return !figures->busy() && !files->opening() && !expression->busy() && !pairs->busy();
}

void HistPanel::setBeside(const HistPanel *other)
{
	setAttribute(Qt::WA_DeleteOnClose);
	heights->leave();
	choices->chooseAfter(*other->choices);
}

/* A panel that becomes narrow is not aligned with the graph any more. */
void HistPanel::resizeEvent(QResizeEvent *event)
{
	QDockWidget::resizeEvent(event);
	showTime();
}

int HistPanel::rowsHeight() const
{
	const int space = body->layout()->spacing();
	int height = body->sizeHint().height() - views->sizeHint().height();

	if (expression->isHidden() && expression->hasEvents())
		height += expression->sizeHint().height() + space;
	if (notes->isHidden() && message->isHidden())
		height += notes->sizeHint().height() + space;
	return height;
}

int HistPanel::heightOf(int n) const
{
	return rowsHeight() + bars->heightOf(n) + height() - area->height();
}

int HistPanel::usefulHeight() const
{
	return heightOf(BARS_FEW);
}

/*
 * What is hidden depends on the height of the panel, which does not depend on its rows
 * (RowsArea). Therefore hiding a row cannot cause the row to be shown again.
 */
void HistPanel::foldRows()
{
	const bool low = area->height() < rowsHeight() + bars->heightOf(BARS_FEW);

	/* do not take the field away from a user who types */
	if (low && counting->isHidden() && expression->isAncestorOf(QApplication::focusWidget()))
		counting->setChecked(true);
	counting->setVisible(low && expression->hasEvents());
	expression->setFolded(low && !counting->isChecked());
	/* the filter has the whole line if there is no note */
	notes->setVisible(!notes->text().isEmpty() || (!low && message->isHidden()));
}

QString HistPanel::exportPicture(const QString &path) const
{
	QWidget *seen = views->currentWidget();
	const ChartStyle style(bars);
	const QFontMetrics metrics(style.font);
	const QString about = notesText();
	const int line = metrics.height() + 4, lines = about.isEmpty() ? 2 : 3;
	const int width = seen->width(), ratio = 2;
	QImage image(width * ratio, (seen->height() + lines * line + 10) * ratio,
		     QImage::Format_RGB32);

	if (image.isNull())
		return tr("out of memory");
	image.setDevicePixelRatio(ratio);
	image.fill(style.ground);
	{
		QPainter painter(&image);

		painter.setFont(style.title);
		painter.setPen(style.text);
		drawElided(&painter, QRectF(8, 4, width - 16, line),
			   Qt::AlignLeft | Qt::AlignVCenter, choices->text());
		painter.setFont(style.font);
		painter.setPen(style.muted);
		drawElided(&painter, QRectF(8, 4 + line, width - 16, line),
			   Qt::AlignLeft | Qt::AlignVCenter, from->text());
		if (lines > 2) {
			painter.setPen(style.warn);
			drawElided(&painter, QRectF(8, 4 + 2 * line, width - 16, line),
				   Qt::AlignLeft | Qt::AlignVCenter, about);
		}
		painter.translate(0, lines * line + 8);
		views->paint(&painter);
	}
	return image.save(path, "PNG") ? QString() : tr("cannot write %1").arg(path);
}

/* "", or why not. */
static QString writeBytes(const QString &path, const QByteArray &bytes)
{
	QSaveFile file(path);

	if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
		return QString();
	return path + QLatin1String(": ") + file.errorString();
}

void HistPanel::sayWritten(const QString &path, const QString &why)
{
	message->say(why.isEmpty() ? tr("Written: %1").arg(path) : tr("Not written: %1").arg(why),
		     false);
}

void HistPanel::exportAs(const QString &format, QString path)
{
	const panel_data_format as = format == QLatin1String("csv") ? PANEL_DATA_CSV : views->svg();

	if (!figures->item())
		return;
	if (format == QLatin1String("svg") && as == PANEL_DATA_CSV) {
		message->say(tr("Cannot save this view as SVG. Use PNG or CSV, or another view."),
			     false);
		return;
	}
	if (path.isEmpty()) {
		path = QFileInfo(figures->shown().path).absolutePath() +
		       QLatin1String("/histogram.") + format;
		path = QFileDialog::getSaveFileName(
			this, tr("Save this view"), path,
			QStringLiteral("%1 (*.%2)").arg(format.toUpper(), format));
	}
	if (path.isEmpty())
		return;
	if (QFileInfo(path).suffix().compare(format, Qt::CaseInsensitive)) {
		sayWritten(path, tr("%1: the name of this file must end in .%2").arg(path, format));
		return;
	}
	if (format == QLatin1String("png"))
		sayWritten(path, exportPicture(path));
	else if (format == QLatin1String("csv") && !views->csv().isEmpty())
		sayWritten(path, writeBytes(path, views->csv()));
	else
		figures->write(path, as);
}
