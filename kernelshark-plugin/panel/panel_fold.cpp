// SPDX-License-Identifier: GPL-2.0
/*
 * panel_fold.cpp - show fewer rows if the panel is low
 *
 * What is hidden depends on the height of the panel, which does not depend on its rows
 * (RowsArea). Therefore hiding a row cannot cause the row to be shown again.
 */
#include <QApplication>
#include <QLayout>
#include <QStackedWidget>

#include "kernelshark-plugin/panel/hist_panel.hpp"

#define BARS_FEW 3

int HistPanel::rowsHeight() const
{
	const int space = body->layout()->spacing();
	int height = body->sizeHint().height() - stack->sizeHint().height();

	if (expression->isHidden() && expression->hasEvents())
		height += expression->sizeHint().height() + space;
	if (notes->isHidden() && message->isHidden())
		height += notes->sizeHint().height() + space;
	return height;
}

int HistPanel::heightOf(int n) const
{
	return rowsHeight() + bars->heightOf(n) + height() - area->height();
}

int HistPanel::usefulHeight() const
{
	return heightOf(BARS_FEW);
}

void HistPanel::foldRows()
{
	const bool low = area->height() < rowsHeight() + bars->heightOf(BARS_FEW);

	/* do not take the field away from a user who types */
	if (low && counting->isHidden() && expression->isAncestorOf(QApplication::focusWidget()))
		counting->setChecked(true);
	counting->setVisible(low && expression->hasEvents());
	expression->setFolded(low && !counting->isChecked());
	/* the filter has the whole line if there is no note */
	notes->setVisible(!notes->text().isEmpty() || (!low && message->isHidden()));
}
