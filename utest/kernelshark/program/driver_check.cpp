// SPDX-License-Identifier: GPL-2.0
/*
 * driver_check.cpp - what scenarios of the panel do and check more than once
 */
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QTimer>

#include "utest/kernelshark/program/driver_panel.hpp"

void checkWindow(Driver &d, const QString &what, const QString &file, const QString &event,
		 qint64 offset)
{
	const QList<Snapshot> all = snapshots(d, file, event);
	const GraphState graph = graphState(d);
	int from, to;

	if (!d.ok(what + ": the graph shows data", graph.any()) || !panelSettled(d))
		return;
	if (!d.ok(what + ": the window contains two snapshots",
		  windowOf(all, graph.min - offset, graph.max - offset, &from, &to)))
		return;
	d.like(what + ": the panel names the two snapshots", labelText(d, "hist_from"),
	       QString("^snapshots %1 \\(%2\\) to %3 \\(%4\\)").arg(all[from].seq)
		       .arg(all[from].time / 1e9, 0, 'f', 6).arg(all[to].seq).arg(all[to].time / 1e9, 0, 'f', 6));
	d.is(what + ": the panel shows the numbers of the report", tableRows(d),
	     reportRows(report(d, file, { "-e", event, "--between",
					  QString("%1,%2").arg(all[from].seq).arg(all[to].seq) })));
}

void checkMarks(Driver &d, const QString &what, const QList<Snapshot> &all, int file, qint64 offset)
{
	const GraphState graph = graphState(d, file);
	QWidget *gl = graphWidget(d);
	int shown = 0, missing = 0;

	if (!d.ok(what + ": the graph shows events of the file", graph.any()))
		return;
	for (const Snapshot &s : all) {
		const qint64 time = s.time + offset;

		if (time < graph.min || time > graph.max)
			continue;
		const QString tip = d.toolTip(gl, QPoint(graph.x(time), graph.top - 6));

		shown++;
		if (tip.contains(QString("snapshot %1 (%2): %3 hits").arg(s.seq)
					 .arg(s.time / 1e9, 0, 'f', 6).arg(s.hits)))
			continue;
		d.note(QString("snapshot %1: \"%2\"").arg(s.seq).arg(tip));
		missing++;
	}
	d.ok(what + ": the graph shows several snapshots", shown > 1);
	d.is(what + ": each snapshot has a mark with its numbers", missing, 0);
}

void setView(Driver &d, const QString &name)
{
	QTabBar *tabs = d.find<QTabBar>("hist_view");

	for (int i = 0; tabs && i < tabs->count(); i++)
		if (tabs->tabText(i).remove('&') == name)
			d.click(tabs, tabs->tabRect(i).center());
	d.ok("the panel shows the view " + name,
	     tabs && tabs->tabText(tabs->currentIndex()).remove('&') == name);
	panelSettled(d);
}

QPushButton *graphButton(Driver &d, const QString &text)
{
	const QList<QPushButton *> all = d.window()->findChildren<QPushButton *>();

	for (QPushButton *button : all)
		if (button->text() == text)
			return button;
	d.ok("the graph has a button " + text, false);
	return nullptr;
}

/* Lets go of a button when the graph was painted some times; without a clock. */
class LetGo : public QObject {
public:
	LetGo(QWidget *graph, QPushButton *button) : graph_(graph), button_(button)
	{
		graph_->installEventFilter(this);
	}
	~LetGo() override { graph_->removeEventFilter(this); }
	void now()
	{
		if (button_->isDown())
			QTest::mouseRelease(button_, Qt::LeftButton, Qt::NoModifier, button_->rect().center());
	}

protected:
	bool eventFilter(QObject *object, QEvent *event) override
	{
		/* not while it is painted */
		if (event->type() == QEvent::Paint && ++paints_ >= 5)
			QMetaObject::invokeMethod(this, [this] { now(); }, Qt::QueuedConnection);
		return QObject::eventFilter(object, event);
	}

private:
	QWidget *graph_;
	QPushButton *button_;
	int paints_ = 0;
};

void hold(Driver &d, QPushButton *button)
{
	QWidget *graph = graphWidget(d);

	if (!button || !graph)
		return;
	LetGo letGo(graph, button);
	QTest::mousePress(button, Qt::LeftButton, Qt::NoModifier, button->rect().center());
	/* without data the graph does not move */
	letGo.now();
	d.settle();
}

int withDialogs(Driver &d, const QString &menu, const QString &path)
{
	QAction *action = d.action(menu);
	QPointer<QDialog> last, seen;
	QTimer poll;
	int n = 0;

	QObject::connect(&poll, &QTimer::timeout, [&] {
		QWidget *shown = QApplication::activeModalWidget();
		const QWidgetList all = QApplication::topLevelWidgets();

		/* KernelShark shows a message first, and makes it modal then */
		for (QWidget *w : all)
			if (w->isVisible() && w->inherits("QErrorMessage"))
				shown = w;
		QDialog *dialog = qobject_cast<QDialog *>(shown);
		QLineEdit *edit = dialog ? dialog->findChild<QLineEdit *>("fileNameEdit") : nullptr;

		if (!dialog || dialog == last || !dialog->isVisible())
			return;
		/* no user is faster than the panel, which reads messages too */
		if (dialog != seen) {
			seen = dialog;
			return;
		}
		last = dialog;
		n++;
		if (edit) {
			edit->setText(path);
			QTest::keyClick(edit, Qt::Key_Return);
			return;
		}
		const QList<QPushButton *> buttons = dialog->findChildren<QPushButton *>();

		for (QPushButton *button : buttons)
			if (button->text() == "Apply") {
				QTest::mouseClick(button, Qt::LeftButton);
				return;
			}
		dialog->accept();
	});
	poll.start(20);
	if (action)
		action->trigger();
	d.settle();
	return n;
}

/* A window of the program that it does not wait for. */
static QDialog *shownDialog(const char *className)
{
	const QWidgetList all = QApplication::topLevelWidgets();

	for (QWidget *w : all)
		if (w->isVisible() && w->inherits(className))
			return qobject_cast<QDialog *>(w);
	return nullptr;
}

bool setOffset(Driver &d, double us)
{
	QDialog *dialog;
	QInputDialog *input;

	if (!d.trigger("Tools/Add Time Offset"))
		d.settle();
	dialog = shownDialog("KsWidgetsLib::KsTimeOffsetDialog");
	input = dialog ? dialog->findChild<QInputDialog *>() : nullptr;
	if (!d.ok("Tools > Add Time Offset asks for the offset", input))
		return false;
	input->setDoubleValue(us);
	input->accept();
	return d.settle();
}

bool plotAll(Driver &d)
{
	QDialog *dialog;
	QPushButton *apply = nullptr;

	d.trigger("Plots/CPUs");
	dialog = shownDialog("KsWidgetsLib::KsCheckBoxDialog");
	if (!d.ok("Plots > CPUs asks for the CPUs", dialog))
		return false;
	const QList<QCheckBox *> boxes = dialog->findChildren<QCheckBox *>();
	for (QCheckBox *box : boxes)
		if (box->text() == "all" && !box->isChecked())
			box->click();
	const QList<QPushButton *> buttons = dialog->findChildren<QPushButton *>();
	for (QPushButton *button : buttons)
		if (button->text() == "Apply")
			apply = button;
	d.click(apply);
	return d.settle();
}
