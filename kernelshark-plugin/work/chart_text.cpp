// SPDX-License-Identifier: GPL-2.0
/* chart_text.cpp - format numbers, times and keys for the panel */
#include <cmath>

#include <QObject>
#include <QTextDocument>

#include "kernelshark-plugin/work/chart_text.hpp"

QString countText(uint64_t count, bool is_signed)
{
	bool below = is_signed && count >> 63;
	QString text = QString::number(qulonglong(below ? 0 - count : count));
	int at;

	for (at = text.size() - 3; at > 0; at -= 3)
		text.insert(at, QLatin1Char(','));
	return below ? QLatin1Char('-') + text : text;
}

QString shortText(double number)
{
	static const char letters[] = " kMGTPE";
	int letter = 0;
	QString text;

	while (number >= 999.5 && letter + 2 < int(sizeof(letters))) {
		number /= 1000;
		letter++;
	}
	text = QString::number(number, 'f', number >= 99.95 || number == 0 ? 0 :
					    number >= 9.995 ? 1 : 2);
	if (text.contains(QLatin1Char('.'))) {
		while (text.endsWith(QLatin1Char('0')))
			text.chop(1);
		if (text.endsWith(QLatin1Char('.')))
			text.chop(1);
	}
	return letter ? text + QLatin1Char(letters[letter]) : text;
}

QString shareText(uint64_t part, uint64_t whole)
{
	uint32_t share = hist_rows_share(part, whole);

	if (!whole)
		return QString();
	return QString::asprintf("%u.%02u %%", share / 100, share % 100);
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

QString bucketText(const hist_key_desc *key, uint64_t low, uint64_t high)
{
	const hist_bounds bounds = { key->is_signed, low, high };
	TextBuffer b;

	hist_label_put_bucket(b, key, &bounds, false);
	return b.text();
}

QString numberText(double number, bool is_signed, hist_unit unit)
{
	TextBuffer b;

	if (unit == HIST_UNIT_NONE && std::fabs(number) >= 10000)
		return (number < 0 ? QStringLiteral("-") : QString()) + shortText(std::fabs(number));
	hist_unit_put(b, is_signed ? uint64_t(int64_t(number)) : uint64_t(number), is_signed, unit);
	return b.text();
}

QString rateText(uint64_t rate, bool ns)
{
	QString text = rate >= 100000 ? countText((rate + 500) / 1000) : shortText(rate / 1000.0);

	return ns ? text + QLatin1String("/s") : text + QLatin1String(" per interval");
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

QString reasonText(const char *why)
{
	const char *words;
	const QString reason = QString::fromUtf8(why, reason_split_hint(why, &words));
	const QString hint = QString::fromUtf8(words);

	return hint.isEmpty() ? reason : reason + QLatin1String(". ") + hint.left(1).toUpper() + hint.mid(1);
}

QByteArray csvField(QString text)
{
	if (text.contains(QLatin1Char(',')) || text.contains(QLatin1Char('"')) ||
	    text.contains(QLatin1Char('\n')))
		text = QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) +
		       QLatin1Char('"');
	return text.toUtf8();
}
