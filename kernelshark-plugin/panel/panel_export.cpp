// SPDX-License-Identifier: GPL-2.0
/*
 * panel_export.cpp - export the displayed data as a picture, a chart or numbers
 *
 * A picture contains the name of the histogram, the snapshots and the losses, so that
 * it is complete without context. The library writes charts and numbers from the same
 * snapshots, in the format of `trace-cmd hist report`.
 */
#include <QFileDialog>
#include <QFileInfo>
#include <QPainter>
#include <QSaveFile>

#include "kernelshark-plugin/panel/hist_panel.hpp"

/* "", or why not. */
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
