// SPDX-License-Identifier: GPL-2.0
/*
 * panel_export.cpp - export the displayed data as a picture, a chart or numbers
 *
 * A picture contains the name of the histogram, the snapshots and the losses, so that
 * it is complete without context. The library writes charts and numbers from the same
 * snapshots, in the format of `trace-cmd hist report`.
 */
#include <cstring>

#include <QFileDialog>
#include <QFileInfo>
#include <QPainter>
#include <QStackedWidget>

#include "kernelshark-plugin/panel/hist_panel.hpp"

bool HistPanel::exportQuery(const QString &format, PanelDataQuery *query, panel_data_format *as,
			    QString *why) const
{
	*query = shown.query;
	/* use the order of reports, unless the user chose another value */
	if (query->value == hist_row_find_main_value(figures->schema, nullptr))
		query->value = -1;
	if (format == QLatin1String("csv")) {
		*as = PANEL_DATA_CSV;
		return true;
	}
	*as = kinds[view()].svg;
	if (*as == PANEL_DATA_CSV)
		*why = tr("Cannot save a table as SVG: use PNG or CSV, or another view.");
	return *as != PANEL_DATA_CSV;
}

bool HistPanel::exportPicture(const QString &path, QString *why) const
{
	QWidget *seen = stack->currentWidget();
	const ChartStyle style(bars);
	const QFontMetrics metrics(style.font);
	const int line = metrics.height() + 4, lines = notes->text().isEmpty() ? 2 : 3;
	const int width = seen->width(), ratio = 2;
	QImage image(width * ratio, (seen->height() + lines * line + 10) * ratio, QImage::Format_RGB32);

	if (image.isNull()) {
		*why = tr("out of memory");
		return false;
	}
	image.setDevicePixelRatio(ratio);
	image.fill(style.ground);
	{
		QPainter painter(&image);

		painter.setFont(style.title);
		painter.setPen(style.text);
		drawElided(&painter, QRectF(8, 4, width - 16, line), Qt::AlignLeft | Qt::AlignVCenter,
			   histograms->currentText());
		painter.setFont(style.font);
		painter.setPen(style.muted);
		drawElided(&painter, QRectF(8, 4 + line, width - 16, line), Qt::AlignLeft | Qt::AlignVCenter,
			   from->text());
		if (lines > 2) {
			painter.setPen(style.warn);
			drawElided(&painter, QRectF(8, 4 + 2 * line, width - 16, line),
				   Qt::AlignLeft | Qt::AlignVCenter, notes->text());
		}
		painter.translate(0, lines * line + 8);
		if (chart())
			chart()->paintInto(&painter);
		else
			seen->render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
	}
	if (image.save(path, "PNG"))
		return true;
	*why = tr("cannot write %1").arg(path);
	return false;
}

bool HistPanel::exportTo(const QString &path, const QString &format, QString *why)
{
	panel_data_format as;
	PanelDataQuery query;

	if (!figures) {
		*why = tr("nothing to save");
		return false;
	}
	if (format == QLatin1String("png"))
		return exportPicture(path, why);
	if (format != QLatin1String("svg") && format != QLatin1String("csv")) {
		*why = tr("%1: unknown format").arg(format);
		return false;
	}
	return exportQuery(format, &query, &as, why) && writeFigures(query, path, as, why);
}

void HistPanel::exportByMenu(const QString &format)
{
	panel_data_format as = PANEL_DATA_CSV;
	PanelDataQuery query;
	QString file, why;

	if (!shownItem())
		return;
	if (format != QLatin1String("png") && !exportQuery(format, &query, &as, &why)) {
		sayFilter(why, false);
		return;
	}
	file = QFileInfo(shown.path).absolutePath() + QLatin1String("/histogram.") + format;
	file = QFileDialog::getSaveFileName(this, tr("Save this view"), file,
					    QStringLiteral("%1 (*.%2)").arg(format.toUpper(), format));
	if (file.isEmpty())
		return;
	if (format != QLatin1String("png"))
		worker->write(query, file, as);
	else if (exportPicture(file, &why))
		sayFilter(tr("Written: %1").arg(file), false);
	else
		sayFilter(tr("Not written: %1").arg(why), false);
}
