// SPDX-License-Identifier: GPL-2.0
/* panel_message.cpp - the line below the view: what the last action did, and what follows */
#include <QHBoxLayout>
#include <QMenu>

#include "kernelshark-plugin/panel/panel_message.hpp"

PanelMessage::PanelMessage(QWidget *parent) : QWidget(parent)
{
	QHBoxLayout *line = new QHBoxLayout(this);

	setObjectName(QStringLiteral("hist_filter"));
	line->setContentsMargins(4, 0, 4, 0);
	words_ = named<LineLabel>(this, "hist_filter_words");
	clear_ = named<QToolButton>(this, "hist_filter_clear");
	offered_ = named<QToolButton>(this, "hist_episode");
	offered_->setMenu(new QMenu(offered_));
	offered_->setPopupMode(QToolButton::MenuButtonPopup);
	offered_->hide();
	line->addWidget(words_, 1);
	line->addWidget(offered_);
	line->addWidget(clear_);
	hide();
	connect(clear_, &QToolButton::clicked, this, &PanelMessage::cleared);
}

void PanelMessage::say(const QString &words, bool can_clear)
{
	words_->setText(words);
	clear_->setText(can_clear ? tr("Show all events") : tr("Close"));
	clear_->setToolTip(can_clear ? tr("Remove the filter") : QString());
	offered_->hide();
	setShown(true);
}

void PanelMessage::setShown(bool is)
{
	setVisible(is);
	emit changed();
}

void PanelMessage::offer(const QList<QAction *> &actions)
{
	qDeleteAll(offered_->menu()->actions());
	offered_->menu()->addActions(actions);
	for (QAction *action : actions)
		action->setParent(offered_->menu());
	offered_->setDefaultAction(actions.first());
	offered_->setPopupMode(actions.size() > 1 ? QToolButton::MenuButtonPopup :
						    QToolButton::DelayedPopup);
	offered_->show();
}
