/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression_edit.hpp - line edit for expressions, with completion
 *
 * The edit offers completions while the user types, and with Down or Ctrl+Space. It
 * offers events, fields and modifiers of the file (expression_complete()), followed by
 * history entries that begin with the whole text. Events that occur most are first, and
 * have their count next to them. Tab inserts the first completion.
 * Enter starts the count, unless a completion is selected.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_EXPRESSION_EDIT_HPP
#define KERNELSHARK_PLUGIN_PANEL_EXPRESSION_EDIT_HPP

#include <QHash>
#include <QLineEdit>
#include <QStringListModel>

#include "kernelshark-plugin/work/expression_worker.hpp"

class QCompleter;

/* Words; the count of an event is shown but not inserted. */
class WordsModel : public QStringListModel {
	Q_OBJECT
public:
	using QStringListModel::QStringListModel;
	QVariant data(const QModelIndex &index, int role) const override;

	QHash<QString, quint64> counts; /* of "SYS:EVENT" */
};

class ExpressionEdit : public QLineEdit {
	Q_OBJECT
public:
	explicit ExpressionEdit(QWidget *parent = nullptr);

	/* Set the file whose events and fields are offered; null: none. */
	void setEvents(const EventsPtr &events);
	const EventsPtr &events() const { return events_; }
	/* Set how often events "SYS:EVENT" occur. */
	void setCounts(const QHash<QString, quint64> &counts) { model_->counts = counts; }
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

signals:
	/* Completions are about to be shown, and the counts of the events are not known. */
	void countsWanted();

protected:
	void keyPressEvent(QKeyEvent *event) override;
	bool event(QEvent *event) override;

private:
	EventsPtr events_;
	QStringList history_;
	QCompleter *completer_;
	WordsModel *model_;
	bool counted_ = false; /* countsWanted() was sent for the events */
};

#endif
