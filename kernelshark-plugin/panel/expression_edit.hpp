/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression_edit.hpp - line edit for expressions, with completion
 *
 * The edit offers completions while the user types, and with Down or Ctrl+Space. It
 * offers events, fields and modifiers of the file (expression_complete()), followed by
 * history entries that begin with the whole text. Tab inserts the first completion.
 * Enter starts the count, unless a completion is selected.
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

	/* Set the file whose events and fields are offered; null: none. */
	void setEvents(const EventsPtr &events) { events_ = events; }
	/* Newest first. */
	void setHistory(const QStringList &history) { history_ = history; }

	/* The completions at the current cursor position. */
	QStringList words(int *start) const;
	/* Show the completions if there are any. */
	void complete();
	/* Replace the word at the cursor with @word. */
	void insertWord(const QString &word);
	/* The completions in the visible popup; empty if there is no popup. */
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
