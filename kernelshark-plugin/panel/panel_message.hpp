/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_message.hpp - the line below the view: what the last action did, and what follows
 *
 * The line is hidden until something is said. A button closes it, and removes the filter of the
 * events if there is one. Another button offers episodes.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_MESSAGE_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_MESSAGE_HPP

#include <QToolButton>

#include "kernelshark-plugin/panel/panel_widgets.hpp"

class QAction;

class PanelMessage : public QWidget {
	Q_OBJECT
public:
	explicit PanelMessage(QWidget *parent = nullptr);

	/* Show a sentence without an offer; @can_clear: the button shows all events again. */
	void say(const QString &words, bool can_clear);
	/* Show or hide the line as it is. */
	void setShown(bool is);
	/* Offer actions next to the sentence, the first one at once; the line owns them. */
	void offer(const QList<QAction *> &actions);
	/* True if the line offers actions. */
	bool offers() const { return !offered_->isHidden(); }

signals:
	/* The line was shown or hidden. */
	void changed();
	/* The user pressed the button. */
	void cleared();

private:
	LineLabel *words_;
	QToolButton *clear_, *offered_;
};

#endif
