/* SPDX-License-Identifier: GPL-2.0 */
/* table_look.hpp - what all tables of the panel share: look, copying, and a text if empty */
#ifndef KERNELSHARK_PLUGIN_CHARTS_TABLE_LOOK_HPP
#define KERNELSHARK_PLUGIN_CHARTS_TABLE_LOOK_HPP

#include <QTableView>

/* The text of a cell without thousands separators, for copies. */
enum { TABLE_EXACT_ROLE = Qt::UserRole };

void tableSetLook(QTableView *table);
/* Copy the selected rows to the clipboard, separated by tabs. */
void tableCopy(const QTableView *table);
/* Paint @text instead of the rows of a table or tree. */
void tablePaintEmpty(QAbstractItemView *view, const QString &text);

#endif
