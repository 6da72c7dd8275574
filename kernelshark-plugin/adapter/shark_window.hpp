/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shark_window.hpp - KernelShark as the panel sees it
 *
 * All that changes in KernelShark ends in a repaint of its graph, and every repaint
 * calls the draw handler of each stream.  So a repaint is the signal to look at files,
 * range, markers and filters again, in a timer, once for any number of repaints.
 *
 * Invariant: while a file is loaded nothing of KernelShark is looked at.  It loads in a
 * thread of its own, and its window still gets events then.  The timer waits until the
 * progress bar is gone.
 */
#ifndef KERNELSHARK_PLUGIN_ADAPTER_SHARK_WINDOW_HPP
#define KERNELSHARK_PLUGIN_ADAPTER_SHARK_WINDOW_HPP

#include <QEvent>
#include <QHash>
#include <QTimer>

#include "kernelshark-plugin/adapter/shark_filter.hpp"
#include "kernelshark-plugin/adapter/shark_markers.hpp"
#include "kernelshark-plugin/adapter/shark_parts.hpp"
#include "kernelshark-plugin/work/host.hpp"

struct KsCppArgV;
struct kshark_context;
struct kshark_data_stream;
struct kshark_dpi;
struct kshark_trace_histo;

class KernelShark : public Shark {
	Q_OBJECT
public:
	/* Whether a plugin of KernelShark's list is this one. */
	typedef bool (*IsThis)(const kshark_dpi *interface);

	KernelShark(QMainWindow *window, IsThis isThis);

	QList<File> files() override;
	bool window(qint64 *from, qint64 *to) override;
	void setWindow(qint64 from, qint64 to) override;
	bool graphSpan(QWidget *of, int *left, int *right) override;
	bool markers(qint64 *a, qint64 *b) override;
	bool goTo(int stream, qint64 time) override;
	long filterEvents(const File &file, const QString &event, const QString &filter,
			  qint64 after, qint64 until, QString *why) override;
	void clearFilter() override;
	bool filtered() override;
	bool busy() override;

	/* From the draw handler of a stream: the graph is being painted. */
	void drawn(const KsCppArgV *arguments);
	/* A stream was opened (@path) or closed (""); the loader may still run. */
	void streamsChanged(const QString &path);
	/* No more questions: KernelShark is about to go. */
	void end();

	/* Streams came or went, and filesChanged() has not told yet. */
	bool stale() const { return reopened_; }
	QWidget *graph() const { return parts_.graph; }
	/* Paint the graph again. */
	void repaint();

signals:
	/* KernelShark has unloaded this plugin (-u): nobody calls us any more. */
	void unloaded();

protected:
	bool eventFilter(QObject *object, QEvent *event) override;

private:
	struct Seen {
		QString path;
		qint64 offset;
		bool operator==(const Seen &o) const { return path == o.path && offset == o.offset; }
	};
	bool holdBack(QEvent::Type type);
	void letGo();
	void look();
	bool lookAtPlugin(kshark_context *context);
	void lookAtFiles(kshark_context *context);
	const kshark_trace_histo *data() const;
	qint64 offsetOfEvents(const File &file) const;

	SharkParts parts_;
	IsThis isThis_;
	SharkMarkers markers_;
	SharkFilter filter_;
	QTimer timer_;
	const kshark_trace_histo *histo_ = nullptr; /* of the graph; lives as long as it does */
	QMap<int, Seen> streams_;		    /* as last told */
	QHash<int, QString> others_; /* streams that are not meant to have us: their files */
	QString opened_;	     /* the last file that was opened */
	bool reopened_ = false, ended_ = false, moved_ = false;
	bool unpainted_ = false, unsized_ = false; /* the graph, as a file was being loaded */
	qint64 from_ = 0, to_ = -1;
	int left_ = 0, right_ = -1; /* of the first and last bin, in the graph's coordinates */
};

#endif
