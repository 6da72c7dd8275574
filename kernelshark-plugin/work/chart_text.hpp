/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chart_text.hpp - format numbers, times and keys for the panel
 *
 * All text comes from the library (label.h, unit.h), so that the panel and reports name
 * a bucket identically. The library also escapes control characters.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_CHART_TEXT_HPP
#define KERNELSHARK_PLUGIN_WORK_CHART_TEXT_HPP

#include <QByteArray>
#include <QString>

#include "kernelshark-plugin/model/model.hpp"

/* A strbuf that frees itself. */
class TextBuffer {
public:
	TextBuffer() = default;
	~TextBuffer() { hist_strbuf_free(&b_); }
	TextBuffer(const TextBuffer &) = delete;
	TextBuffer &operator=(const TextBuffer &) = delete;

	operator hist_strbuf *() { return &b_; }
	/* The content; truncated if memory is short. */
	QString text() const { return QString::fromUtf8(b_.data, int(b_.len)); }

private:
	hist_strbuf b_ = {};
};

/* A cell of a table of the library. */
class TextCell {
public:
	TextCell() = default;
	~TextCell() { table_cell_free(&cell_); }
	TextCell(const TextCell &) = delete;
	TextCell &operator=(const TextCell &) = delete;

	operator table_cell *() { return &cell_; }
	/* The text, or with all digits and names; truncated if memory is short. */
	QString text(bool whole) const
	{
		const hist_strbuf &b = whole && cell_.whole.len ? cell_.whole : cell_.text;

		return QString::fromUtf8(b.data, int(b.len));
	}

private:
	table_cell cell_ = {};
};

/* "12,345"; may be negative if @is_signed */
QString countText(uint64_t count, bool is_signed = false);
/* "12.3k", for ticks and legends */
QString shortText(double number);
/* "12.34%"; "" if @whole is 0 */
QString shareText(uint64_t part, uint64_t whole);
/* "12.000000" (seconds), or the plain number if the clock does not count ns */
QString timeText(uint64_t time, bool ns);
/* A duration in a suitable unit: "350 ms"; "350 ticks" for other clocks */
QString durationText(uint64_t time, bool ns);
/* An error of the library with its hint, as two sentences: "REASON. Hint" */
QString reasonText(const hist_error &error);
/* csv_put_field() */
QByteArray csvField(const QString &text);
/* The title of a value: "hitcount", "sum of runtime (ns)" */
QString valueTitleText(const hist_schema *schema, unsigned int value);
/* A tick of a numeric axis: "50 us", "1.02 ms" */
QString numberText(double number, hist_unit unit);
/* "12,340/s"; @rate is in thousandths per second, as from hist_heatmap_rate() */
QString rateText(uint64_t rate, bool ns);
/*
 * Why the figures @f have no rows: "No key contains the text "xy"." (@what is "key") or
 * nothing was counted
 */
QString nothingText(const struct panel_data *f, const char *what);
/*
 * Escape a tool tip so that Qt shows the text literally. Required for all text of a
 * recording: Qt would interpret text that looks like HTML, and load the image of an
 * <img>.
 */
QString toolTipText(const QString &words);

#endif
