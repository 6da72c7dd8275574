// SPDX-License-Identifier: GPL-2.0
/*
 * expression_edit.cpp - line edit for expressions, with completion
 *
 * QCompleter only shows the popup. This class computes the completions and inserts
 * them, because a word is only a part of the line.
 */
#include <algorithm>

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>

#include "kernelshark-plugin/panel/expression_edit.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define ROWS 12

QVariant WordsModel::data(const QModelIndex &index, int role) const
{
	const QVariant word = QStringListModel::data(index, role);
	const quint64 n = role == Qt::DisplayRole ? counts.value(word.toString().trimmed()) : 0;

	return n ? QVariant(tr("%1   (%2)").arg(word.toString().trimmed(), countText(n))) : word;
}

ExpressionEdit::ExpressionEdit(QWidget *parent)
	: QLineEdit(parent), completer_(new QCompleter(this)), model_(new WordsModel(this))
{
	completer_->setModel(model_);
	completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
	completer_->setMaxVisibleItems(ROWS);
	completer_->setWidget(this);
	completer_->popup()->setObjectName(QStringLiteral("hist_expression_words"));
	connect(completer_, QOverload<const QString &>::of(&QCompleter::activated), this,
		&ExpressionEdit::insertWord);
	connect(this, &QLineEdit::textEdited, this, &ExpressionEdit::complete);
}

void ExpressionEdit::setEvents(const EventsPtr &events)
{
	if (events != events_) {
		model_->counts.clear();
		counted_ = false;
	}
	events_ = events;
}

QStringList ExpressionEdit::words(int *start) const
{
	const QByteArray all = text().toUtf8();
	const int cursor = int(text().left(cursorPosition()).toUtf8().size());
	names found = {};
	QStringList list;
	size_t at, i;

	*start = cursorPosition();
	if (events_ &&
	    !expression_complete(&found, events_.get(), all.constData(), size_t(cursor), &at)) {
		*start = int(QString::fromUtf8(all.left(int(at))).size());
		for (i = 0; i < found.n; i++)
			list << QString::fromUtf8(found.names[i]);
	}
	names_clear(&found);
	/* without counts, in the order of names */
	std::stable_sort(list.begin(), list.end(), [this](const QString &a, const QString &b) {
		return model_->counts.value(a) > model_->counts.value(b);
	});
	/* do not offer a word that is already complete */
	if (list.size() == 1 && list.first() == text().mid(*start, cursorPosition() - *start))
		list.clear();
	if (cursorPosition() == text().size())
		for (const QString &old : history_)
			if (old.startsWith(text()) && old != text())
				list << old;
	return list;
}

void ExpressionEdit::complete()
{
	QStringList list;
	int start;

	if (!counted_ && events_) {
		counted_ = true;
		emit countsWanted();
	}
	list = words(&start);
	model_->setStringList(list);
	if (list.isEmpty() || !isVisible()) {
		completer_->popup()->hide();
		return;
	}
	completer_->setCompletionPrefix(QString());
	completer_->popup()->setCurrentIndex(QModelIndex());
	completer_->complete();
}

void ExpressionEdit::insertWord(const QString &word)
{
	const int cursor = cursorPosition();
	QString put = word;
	int start;

	if (history_.contains(word) && word.startsWith(text())) {
		setText(word);
		return;
	}
	words(&start);
	/* an event; its trigger follows */
	if (word.contains(QLatin1Char(':')) && !word.startsWith(QLatin1String("hist:")) &&
	    text().mid(cursor, 1) != QLatin1String(" "))
		put += QLatin1Char(' ');
	setText(text().left(start) + put + text().mid(cursor));
	setCursorPosition(start + int(put.size()));
	if (put.endsWith(QLatin1Char(' ')) || (put.endsWith(QLatin1Char('=')) &&
					       put != QLatin1String("buckets=")))
		complete();
}

QStringList ExpressionEdit::offered() const
{
	return completer_->popup()->isVisible() ? model_->stringList() : QStringList();
}

/* Handle keys that would move the focus before keyPressEvent(). */
bool ExpressionEdit::event(QEvent *event)
{
	if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
		const QKeyEvent *key = static_cast<QKeyEvent *>(event);

		if (key->key() == Qt::Key_Tab && completer_->popup()->isVisible()) {
			const QModelIndex chosen = completer_->popup()->currentIndex();
			const QStringList list = offered();

			if (event->type() == QEvent::KeyPress) {
				completer_->popup()->hide();
				insertWord(list.value(chosen.isValid() ? chosen.row() : 0));
			}
			event->accept();
			return true;
		}
	}
	return QLineEdit::event(event);
}

void ExpressionEdit::keyPressEvent(QKeyEvent *event)
{
	const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;

	if (completer_->popup()->isVisible()) {
		if (event->key() == Qt::Key_Escape ||
		    (enter && completer_->popup()->currentIndex().isValid())) {
			/* for the completer */
			event->ignore();
			return;
		}
		if (enter)
			completer_->popup()->hide();
	} else if (event->key() == Qt::Key_Down ||
		   (event->key() == Qt::Key_Space && (event->modifiers() & Qt::ControlModifier))) {
		complete();
		return;
	}
	QLineEdit::keyPressEvent(event);
}
