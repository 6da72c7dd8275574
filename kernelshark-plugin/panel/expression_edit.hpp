/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression_edit.hpp - the line that an expression is typed into
 *
 * What can stand at the cursor is offered while the user types, and with Down or Ctrl+Space:
 * events, fields and modifiers of the file (expression_complete()), and behind them what was
 * typed before and begins with all that is there.  Tab takes the first that is offered;
 * Enter counts, unless one of them was chosen.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_EXPRESSION_EDIT_HPP
#define KERNELSHARK_PLUGIN_PANEL_EXPRESSION_EDIT_HPP

#include <QLineEdit>
#include <QStringListModel>

#include "kernelshark-plugin/work/expression_worker.hpp"

class QCompleter;

class ExpressionEdit : public QLineEdit {
	Q_OBJECT
public:
	explicit ExpressionEdit(QWidget *parent = nullptr);

	/* Whose events and fields are offered; null: none. */
	void setEvents(const EventsPtr &events) { events_ = events; }
	/* The newest first. */
	void setHistory(const QStringList &history) { history_ = history; }

	/* What is offered at the cursor as it stands now. */
	QStringList words(int *start) const;
	/* Show what is offered, where that is anything. */
	void complete();
	/* Put @word in the place of what is there of it. */
	void insertWord(const QString &word);
	/* The list that is on the screen; empty: none is. */
	QStringList offered() const;

protected:
	void keyPressEvent(QKeyEvent *event) override;
	bool event(QEvent *event) override;

private:
	EventsPtr events_;
	QStringList history_;
	QCompleter *completer_;
	QStringListModel *model_;
};

#endif
