// SPDX-License-Identifier: GPL-2.0
/* panel_recall.cpp - the choices of the last run */
#include <algorithm>

#include "kernelshark-plugin/panel/panel_choices.hpp"

void PanelChoices::chooseAfter(const PanelChoices &other)
{
	after_ = other.path_;
	after_hist_ = other.hist_;
	fill();
	emit changed();
}

int PanelChoices::recalledIndex() const
{
	for (int i = 0; !after_.isEmpty() && i < histograms_->count(); i++)
		if (pathAt(i) == after_ && histAt(i) == after_hist_)
			return (i + 1) % histograms_->count();
	for (const PanelMemory::Choice &c : memory_->choices())
		for (int i = 0; i < histograms_->count(); i++)
			if (!countedAt(i) && c.path == pathAt(i) &&
			    c.isOf(PanelMemory::choiceOf(*files_->find(pathAt(i)), histAt(i))))
				return i;
	return -1;
}

void PanelChoices::recall()
{
	const QSignalBlocker blocked[] = { QSignalBlocker(group_), QSignalBlocker(value_),
					   QSignalBlocker(times_), QSignalBlocker(snapshot_) };
	const QList<PanelMemory::Choice> all = memory_->choices();

	if (counted_ || !recording())
		return;
	const PanelMemory::Choice now = PanelMemory::choiceOf(*item(), hist_);
	const auto c = std::find_if(all.begin(), all.end(), [&now](const PanelMemory::Choice &one) {
		return one.isOf(now);
	});

	if (c == all.end())
		return;
	if (!c->value.isNull() && value_->findText(c->value) >= 0)
		value_->setCurrentIndex(value_->findText(c->value));
	if (c->recorded != now.recorded)
		return;
	/* fillGroups() keeps this item and adds the others */
	if (!c->group.isNull()) {
		group_->addItem(c->group, c->group);
		group_->setCurrentIndex(group_->count() - 1);
	}
	if (c->source >= 0 && c->source < times_->count())
		times_->setCurrentIndex(c->source);
	snapshot_->setVisible(source() == OneSnapshot);
	if (c->seq >= 0)
		snapshot_->setValue(c->seq);
}

void PanelChoices::keep()
{
	PanelMemory::Choice c;

	by_hand_ |= counted_;
	if (counted_ || !recording())
		return;
	by_hand_ = true;
	c = PanelMemory::choiceOf(*item(), hist_);
	if (group_->currentData().isValid())
		c.group = group_->currentData().toString();
	if (value_->count() > 1)
		c.value = value_->currentText();
	c.source = times_->currentIndex();
	c.seq = snapshot_->value();
	memory_->keep(c);
}
