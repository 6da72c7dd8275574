/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chart_text.hpp - numbers, times and keys as the panel writes them
 *
 * All of it is the library's own text (label.h, unit.h), so that the panel and a
 * report name a bucket alike.  Control characters come escaped from there.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_CHART_TEXT_HPP
#define KERNELSHARK_PLUGIN_WORK_CHART_TEXT_HPP

#include <QString>

extern "C" {
#include "lib/base/strbuf.h"
#include "lib/label/unit.h"
}

/* A buffer that frees itself. */
class TextBuffer {
public:
	TextBuffer() = default;
	~TextBuffer() { hist_strbuf_free(&b_); }
	TextBuffer(const TextBuffer &) = delete;
	TextBuffer &operator=(const TextBuffer &) = delete;

	operator hist_strbuf *() { return &b_; }
	/* What is in it; without memory a part of it. */
	QString text() const { return QString::fromUtf8(b_.data, int(b_.len)); }

private:
	hist_strbuf b_ = {};
};

/* "12,345"; below zero where @is_signed */
QString countText(uint64_t count, bool is_signed = false);
/* "12.3k", for ticks and legends */
QString shortText(double number);
/* "12.34 %"; "" where @whole is 0 */
QString shareText(uint64_t part, uint64_t whole);
/* "12.000000" seconds, or the bare number of a clock that does not count ns */
QString timeText(uint64_t time, bool ns);
/* A duration in the unit that fits: "350 ms"; "350 ticks" of other clocks */
QString durationText(uint64_t time, bool ns);
/* "33-64 us" */
QString rangeText(uint64_t low, uint64_t high, bool is_signed, hist_unit unit);
/* A tick of an axis of numbers: "50 us", "1.02 ms" */
QString numberText(double number, bool is_signed, hist_unit unit);
/* "12,340/s", thousandths a second as hist_heatmap_rate() gives them */
QString rateText(uint64_t rate, bool ns);
/*
 * Every tool tip with words of a recording: Qt shows them as they are.  It would take what
 * looks like HTML for HTML, and load a picture that an <img> names.
 */
QString toolTipText(const QString &words);

#endif
