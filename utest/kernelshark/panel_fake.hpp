/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_fake.hpp - a program around the panel that is made up, and recordings for it
 */
#ifndef UTEST_PANEL_FAKE_HPP
#define UTEST_PANEL_FAKE_HPP

#include <QMap>
#include <QStringList>
#include <QTemporaryDir>

#include "kernelshark-plugin/work/host.hpp"

/* Does what it is told, and remembers what it was asked to do. */
class FakeShark : public Shark {
	Q_OBJECT
public:
	QList<File> files() override { return files_; }
	bool window(qint64 *from, qint64 *to) override;
	void setWindow(qint64 from, qint64 to) override;
	bool graphSpan(QWidget *of, int *left, int *right) override;
	bool markers(qint64 *a, qint64 *b) override;
	bool goTo(int stream, qint64 time) override;
	long filterEvents(const File &file, const QString &event, const QString &filter,
			  qint64 after, qint64 until, QString *why) override;
	void clearFilter() override;
	bool filtered() override { return filtered_; }
	bool busy() override { return busy_; }

	/* Opens as the next stream. */
	void open(const QString &path, qint64 offset = 0);
	void close(const QString &path);
	void setOffset(const QString &path, qint64 offset);
	void setMarkers(qint64 a, qint64 b);
	void setSpan(int left, int right);

	QList<File> files_;
	bool has_window = false, has_markers = false, filtered_ = false, busy_ = false;
	qint64 from = 0, to = 0, a = 0, b = 0;
	int left = 0, right = 0;
	/* goTo() finds nothing after this time. */
	qint64 last_event = INT64_MAX;
	qint64 after = 0, until = 0; /* of filterEvents() */
	long matches = 7; /* what filterEvents() finds */
	QString filter_why;
	QStringList asked; /* what was called, with its arguments */

private:
	int streams_ = 0;
};

/*
 * Recordings under @dir, made once each; times are seconds of the clock.
 *	latency	100 to 130: id.syscall,lat_us.log2 with lat_us; 3 groups
 *	mallocs	100 to 130: bytes_req.log2 with bytes_req; hits dropped, a snapshot missing,
 *		cleared in the middle, no end mark
 *	tasks	100 to 110: common_pid.execname; names that want to be more than text
 *	many	5,000 snapshots, 10 ms apart, of an axis with two keys
 *	cycles	a clock that does not count ns
 *	single	one snapshot only
 *	empty	no histogram
 *	wide	16,384 keys
 *	busy	100 to 600: 1,000 intervals of an axis with 64 buckets
 */
QString panelRecording(const QString &dir, const QString &kind);

#endif
