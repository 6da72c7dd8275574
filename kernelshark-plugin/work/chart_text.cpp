// SPDX-License-Identifier: GPL-2.0
/* chart_text.cpp - format numbers, times and keys for the panel */
#include <QObject>
#include <QTextDocument>

#include "kernelshark-plugin/work/chart_text.hpp"

QString countText(uint64_t count, bool is_signed)
{
	TextBuffer b;

	hist_number_put_grouped(b, count, is_signed);
	return b.text();
}

QString shortText(double number)
{
	TextBuffer b;

	hist_number_put_short(b, number);
	return b.text();
}

QString shareText(uint64_t part, uint64_t whole)
{
	TextBuffer b;

	if (whole)
		hist_number_put_share(b, part, whole);
	return b.text();
}

QString timeText(uint64_t time, bool ns)
{
	TextBuffer b;

	hist_label_put_time(b, time, ns);
	return b.text();
}

QString durationText(uint64_t time, bool ns)
{
	TextBuffer b;

	if (!ns)
		return countText(time) + QLatin1String(" ticks");
	hist_unit_put(b, time, false, HIST_UNIT_NS);
	return b.text();
}

QString valueTitleText(const hist_schema *schema, unsigned int value)
{
	TextBuffer b;

	panel_put_value_title(b, schema, value);
	return b.text();
}

QString numberText(double number, hist_unit unit)
{
	TextBuffer b;

	hist_number_put_tick(b, number, unit);
	return b.text();
}

QString rateText(uint64_t rate, bool ns)
{
	TextBuffer b;

	hist_number_put_rate(b, rate);
	return b.text() + QLatin1String(ns ? "/s" : " per interval");
}

QString nothingText(const panel_data *f, const char *what)
{
	if (f->query.search && f->whole_rows)
		return QObject::tr("No %1 contains the text \"%2\".")
			.arg(QLatin1String(what), QString::fromUtf8(f->query.search));
	return QObject::tr("Nothing was counted between these snapshots.");
}

QString toolTipText(const QString &words)
{
	if (!Qt::mightBeRichText(words))
		return words;
	return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(words.toHtmlEscaped());
}

QString reasonText(const hist_error &error)
{
	const QString reason = QString::fromUtf8(error.what);
	const QString hint = QString::fromUtf8(error.hint);

	return hint.isEmpty() ? reason
			      : reason + QLatin1String(". ") + hint.left(1).toUpper() + hint.mid(1);
}

QByteArray csvField(const QString &text)
{
	const QByteArray bytes = text.toUtf8();
	TextBuffer field;

	csv_put_field(field, bytes.constData(), size_t(bytes.size()));
	return field.text().toUtf8();
}
