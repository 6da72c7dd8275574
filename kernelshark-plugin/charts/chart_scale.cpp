// SPDX-License-Identifier: GPL-2.0
/* chart_scale.cpp - map numbers to pixels, and select the ticks of an axis */
#include <cmath>

#include "kernelshark-plugin/charts/chart_scale.hpp"

ChartScale::ChartScale(Kind kind, double low, double high, double from, double to)
	: kind_(kind), low_(low), high_(high), from_(from), to_(to)
{
	if (kind == Log && !(low_ > 0))
		low_ = 0.5;
	if (kind == LogOne && low_ < 0)
		low_ = 0;
	if (!(high_ > low_))
		high_ = kind == Linear ? low_ + 1 : low_ * 10 + 1;
}

double ChartScale::put(double number) const
{
	switch (kind_) {
	case Log:
		return number > 0 ? std::log10(number) : std::log10(low_);
	case LogOne:
		return number > 0 ? std::log10(1 + number) : 0;
	default:
		return number;
	}
}

double ChartScale::at(double number) const
{
	double part = (put(number) - put(low_)) / (put(high_) - put(low_));

	part = part < 0 ? 0 : part > 1 ? 1 : part;
	return from_ + (to_ - from_) * part;
}

double ChartScale::number(double pixel) const
{
	double part = to_ == from_ ? 0 : (pixel - from_) / (to_ - from_);
	double v;

	part = part < 0 ? 0 : part > 1 ? 1 : part;
	v = put(low_) + (put(high_) - put(low_)) * part;
	switch (kind_) {
	case Log:
		return std::pow(10, v);
	case LogOne:
		return std::pow(10, v) - 1;
	default:
		return v;
	}
}

QVector<double> ChartScale::linear(int most, bool whole) const
{
	double raw = (high_ - low_) / (most < 1 ? 1 : most);
	double ten = std::pow(10, std::floor(std::log10(raw)));
	double step = raw <= ten * 1.000001 ? ten :
		      raw <= 2 * ten ? 2 * ten :
		      raw <= 5 * ten ? 5 * ten : 10 * ten;
	QVector<double> ticks;
	double i;

	if (whole && step < 1)
		step = 1;
	for (i = std::ceil(low_ / step * (1 - 1e-12)); i * step <= high_ * (1 + 1e-12); i++)
		ticks.append(i * step);
	return ticks;
}

QVector<double> ChartScale::decades(int most) const
{
	static const double within[] = { 1, 2, 5 };
	int first = std::floor(std::log10(low_ > 0 ? low_ : 1) + 1e-9);
	int last = std::ceil(std::log10(high_) - 1e-9);
	int every = 1, parts = 1, i, k;
	QVector<double> ticks;

	while ((last - first + 1 + every - 1) / every > (most < 1 ? 1 : most))
		every++;
	if ((last - first + 1) * 3 <= most)
		parts = 3;
	if (kind_ == LogOne && low_ <= 0)
		ticks.append(0);
	/* if decades are skipped, 1 is not skipped */
	first = int(std::floor(double(first) / every)) * every;
	for (i = first; i <= last; i += every)
		for (k = 0; k < parts; k++) {
			double v = within[k] * std::pow(10, i);

			if (v >= low_ && v <= high_ * (1 + 1e-12))
				ticks.append(v);
		}
	return ticks;
}

QVector<double> ChartScale::ticks(int most, double apart, bool whole) const
{
	QVector<double> all = kind_ == Linear ? linear(most, whole) : decades(most), kept;

	/* for example a log scale from 300 to 900 */
	if (all.size() < 2)
		all = linear(most, whole);
	for (double tick : all) {
		if (whole && tick != std::floor(tick))
			continue;
		if (kept.isEmpty() || std::fabs(at(tick) - at(kept.last())) >= apart)
			kept.append(tick);
	}
	return kept;
}
