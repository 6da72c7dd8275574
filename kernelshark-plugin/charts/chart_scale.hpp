/* SPDX-License-Identifier: GPL-2.0 */
/* chart_scale.hpp - map numbers to pixels, and select the ticks of an axis */
#ifndef KERNELSHARK_PLUGIN_CHARTS_CHART_SCALE_HPP
#define KERNELSHARK_PLUGIN_CHARTS_CHART_SCALE_HPP

#include <QVector>

class ChartScale {
public:
	enum Kind {
		Linear,
		Log,	/* only for numbers above 0 */
		LogOne, /* log of 1 + number, which includes 0 */
	};

	ChartScale() = default;
	/* Map the numbers @low to @high to the pixels @from to @to, which may be descending. */
	ChartScale(Kind kind, double low, double high, double from, double to);

	double low() const { return low_; }
	double high() const { return high_; }
	Kind kind() const { return kind_; }
	/* The pixel of a number; numbers out of range are at the ends. */
	double at(double number) const;
	/* The number at a pixel. */
	double number(double pixel) const;
	/*
	 * At most @most ticks, ascending and at least @apart pixels from each other. A
	 * linear scale has 1, 2 or 5 times a power of ten. A log scale has powers of
	 * ten, all or every second and so on; if these are too few, also 2 and 5 times
	 * them. @whole: integers only.
	 */
	QVector<double> ticks(int most, double apart, bool whole) const;

private:
	double put(double number) const;
	QVector<double> linear(int most, bool whole) const;
	QVector<double> decades(int most) const;

	Kind kind_ = Linear;
	double low_ = 0, high_ = 1, from_ = 0, to_ = 1;
};

#endif
