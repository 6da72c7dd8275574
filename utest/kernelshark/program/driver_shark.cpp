// SPDX-License-Identifier: GPL-2.0
/*
 * driver_shark.cpp - the driver opens files and reads the list, as a person would
 */
#include <QAbstractItemModel>
#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QTableView>

#include "utest/kernelshark/program/driver.hpp"

/* Files are named by typing, in Qt's own dialog. */
bool Driver::fileDialog(const QString &menu, const QString &path)
{
	return trigger(menu, [&](QDialog *dialog) {
		QLineEdit *edit = dialog->findChild<QLineEdit *>("fileNameEdit");

		if (!ok(menu + " asks for a file", edit)) {
			dialog->reject();
			return;
		}
		/* typed letter by letter its completer would get in the way */
		edit->setText(path);
		QTest::keyClick(edit, Qt::Key_Return);
	}) && settle();
}

bool Driver::open(const QString &path)
{
	return fileDialog("File/Open Trace File", path);
}

bool Driver::append(const QString &path)
{
	return fileDialog("File/Append Trace File", path);
}

bool Driver::exportSession(const QString &path)
{
	/* else there is a question */
	QFile::remove(path);
	return fileDialog("File/Sessions/Export Session", path) && QFileInfo::exists(path);
}

bool Driver::importSession(const QString &path)
{
	return fileDialog("File/Sessions/Import Session", path);
}

bool Driver::restoreSession()
{
	return trigger("File/Sessions/Restore Last Session");
}

bool Driver::addPlugin(const QString &path)
{
	return fileDialog("Tools/Add plugins", path);
}

QTableView *Driver::listView()
{
	return qobject_cast<QTableView *>(widgetOf("KsTableView"));
}

QAbstractItemModel *Driver::list()
{
	QTableView *view = listView();

	return view ? view->model() : nullptr;
}

int Driver::rows()
{
	QAbstractItemModel *model = list();

	return model ? model->rowCount() : -1;
}

static int column_of(QAbstractItemModel *model, const QString &header)
{
	int c;

	/* the program pads some of them with blanks */
	for (c = 0; c < model->columnCount(); c++)
		if (model->headerData(c, Qt::Horizontal).toString().trimmed() == header)
			return c;
	return -1;
}

QStringList Driver::column(const QString &header)
{
	QAbstractItemModel *model = list();
	int c = model ? column_of(model, header) : -1, r;
	QStringList texts;

	if (c < 0) {
		ok("the list has a column " + header, false);
		return texts;
	}
	for (r = 0; r < model->rowCount(); r++)
		texts.append(model->data(model->index(r, c)).toString().trimmed());
	return texts;
}

int Driver::findRow(const QString &header, const QString &text)
{
	const QStringList texts = column(header);
	int r;

	for (r = 0; r < texts.size(); r++)
		if (texts[r].contains(text))
			return r;
	return -1;
}

void Driver::selectRow(int row)
{
	QTableView *view = listView();

	if (!view || row < 0 || row >= view->model()->rowCount()) {
		ok(QString("the list has a row %1").arg(row), false);
		return;
	}
	QModelIndex index = view->model()->index(row, column_of(view->model(), "Info"));

	view->scrollTo(index);
	click(view, view->visualRect(index).center());
}

void Driver::close()
{
	window_->close();
}
