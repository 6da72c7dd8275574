/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chart_scale.hpp - where numbers lie on a line of pixels, and which are named there
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_CHART_SCALE_HPP
#define KERNELSHARK_PLUGIN_CHARTS_CHART_SCALE_HPP

#include <QVector>

class ChartScale {
public:
	enum Kind {
		Linear,
		Log,	/* numbers above 0 */
		LogOne, /* log of 1 + number, so that 0 has a place */
	};

	ChartScale() = default;
	/* Numbers @low to @high on the pixels @from to @to, which may descend. */
	ChartScale(Kind kind, double low, double high, double from, double to);

	double low() const { return low_; }
	double high() const { return high_; }
	Kind kind() const { return kind_; }
	/* The pixel of a number; those beyond the ends are at the ends. */
	double at(double number) const;
	/* The number at a pixel. */
	double number(double pixel) const;
	/*
	 * At most @most numbers to name, ascending and at least @apart pixels from each
	 * other: 1, 2 or 5 times a power of ten; of a log scale powers of ten, all or
	 * every second and so on, and where these are too few, also 2 and 5 times them.
	 * @whole: integers only.
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
