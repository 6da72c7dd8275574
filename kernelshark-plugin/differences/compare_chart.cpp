// SPDX-License-Identifier: GPL-2.0
/* compare_chart.cpp - base of the charts that compare figures with those of before */
#include <cerrno>
#include <cmath>

#include "kernelshark-plugin/differences/compare_chart.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

void CompareChart::setBefore(const PanelDataPtr &before)
{
	if (before == before_)
		return;
	before_ = before;
	dropMade();
}

void CompareChart::dropMade()
{
	compared_.reset();
	why_.clear();
}

QString CompareChart::whyEmpty() const
{
	compared *made = nullptr;
	hist_error error = {};

	if (!before_)
		return tr("Press \"Compare\" to keep the current numbers as \"before\". Then move "
			  "the graph "
			  "or select another histogram to get the numbers \"after\".");
	if (compared_ || !why_.isEmpty())
		return compared_ ? QString() : why_;
	if (compare_make(&made, before_.get(), figures().get(), &error))
		why_ = tr("Cannot compare: %1.")
			       .arg(QString::fromUtf8(hist_error_what(&error, -ENOMEM)));
	else if (!made->n)
		why_ = tr("Nothing was counted, neither before nor after.");
	compared_.reset(made);
	if (!why_.isEmpty())
		compared_.reset();
	return why_;
}

QString CompareChart::rowLabel(uint32_t row) const
{
	TextBuffer b;

	compare_put_label(b, compared_.get(), row, false);
	return b.text();
}

QString CompareChart::changeText(double before, double after) const
{
	const auto text = [this](double rate) {
		return compared_->has_rates ? shortText(rate) + QLatin1String("/s") :
					      QString::asprintf("%.2f%%", rate * 100);
	};
	QString change;

	if (before > 0)
		change = QString::asprintf("%+.*f%%", std::fabs(after - before) < before ? 1 : 0,
					   (after - before) / before * 100);
	else
		change = after > 0 ? tr("new") : QString();
	return tr("%1, before %2").arg(text(after), text(before)) +
	       (change.isEmpty() ? QString() : QLatin1String(": ") + change);
}
