/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shark_window.hpp - implementation of the Shark interface for KernelShark
 *
 * Each change in KernelShark causes a repaint of its graph, and each repaint calls the
 * draw handler of each stream. Therefore a repaint starts a timer that checks files,
 * range, markers and filters for changes, once for any number of repaints.
 *
 * Invariant: KernelShark's data is not accessed while a file is being loaded.
 * KernelShark loads in a separate thread, and its window handles events meanwhile. The
 * timer waits until the progress bar is hidden. The message that a file is refused is
 * gone by then, so it is read before.
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
	/* True if a plugin in KernelShark's list is this plugin. */
	typedef bool (*IsThis)(const kshark_dpi *interface);

	KernelShark(QMainWindow *window, IsThis isThis);

	QList<File> files() override;
	bool isEmpty() override { return streams_.isEmpty() && !opened_.isEmpty(); }
	bool window(qint64 *from, qint64 *to) override;
	bool isZoomedOut() override;
	void setWindow(qint64 from, qint64 to) override;
	bool graphSpan(QWidget *of, int *left, int *right) override;
	bool markers(qint64 *a, qint64 *b) override;
	void setCursor(bool shown, qint64 time) override;
	void setBand(bool shown, qint64 from, qint64 to) override;
	bool goTo(const File &file, const QString &buffer, qint64 time) override;
	bool mark(const File &file, const QString &buffer, qint64 a, qint64 b) override;
	long filterEvents(const File &file, const QString &event, const QString &filter,
			  qint64 after, qint64 until, QString *why) override;
	QHash<QString, quint64> eventCounts(const File &file) override;
	void clearFilter() override;
	bool filtered() override;
	bool busy() override;

	/* Called from the draw handler of a stream: the graph is being painted. */
	void drawn(const KsCppArgV *arguments);
	/* A stream was opened (@path) or closed (""); the loader may still be running. */
	void streamsChanged(const QString &path);
	/* Stop all access: KernelShark is about to exit. */
	void end();

	/* Streams were opened or closed, and filesChanged() has not been sent yet. */
	bool stale() const { return reopened_; }
	QWidget *graph() const { return parts_.graph; }
	/* The list and the graph; null: there is no window. */
	QWidget *central() const { return parts_.main ? parts_.main->centralWidget() : nullptr; }
	/* The list of events; null: there is none. */
	QWidget *list() const { return parts_.list; }
	/* Paint the graph again. */
	void repaint();

signals:
	/* KernelShark has unloaded this plugin (-u): it does not call the plugin any more. */
	void unloaded();

protected:
	bool eventFilter(QObject *object, QEvent *event) override;

private:
	struct Seen {
		QString path;
		qint64 offset;
		bool operator==(const Seen &o) const
		{
			return path == o.path && offset == o.offset;
		}
	};
	void placeBand();
	/* The pixel of a time in the graph, limited to the graph. */
	int pixelOf(qint64 time) const;
	bool holdBack(QEvent::Type type);
	void letGo();
	void look();
	bool lookAtPlugin(kshark_context *context);
	void lookAtFiles(kshark_context *context);
	void lookAtRefusal();
	const kshark_trace_histo *data() const;
	qint64 offsetOfEvents(const File &file) const;
	/* The streams of the buffer @name of a file, in the order of preference. */
	QList<QList<int>> streamsOf(const File &file, const QString &name) const;

	SharkParts parts_;
	IsThis isThis_;
	SharkMarkers markers_;
	QPointer<QWidget> cursor_; /* a line over the graph; the graph owns it */
	QPointer<QWidget> band_;   /* the same; null: no band */
	qint64 band_from_ = 0, band_to_ = 0;
	SharkFilter filter_;
	QTimer timer_;
	const kshark_trace_histo *histo_ = nullptr; /* of the graph; has its lifetime */
	QMap<int, Seen> streams_;		    /* as last reported */
	QHash<int, QString> others_; /* streams without this plugin, with their files */
	QString opened_;	     /* the last file that was opened or refused */
	bool reopened_ = false, ended_ = false, moved_ = false;
	bool unpainted_ = false, unsized_ = false; /* postponed for the graph */
	qint64 from_ = 0, to_ = -1;
	int left_ = 0, right_ = -1; /* of the first and last bin, in the coordinates of the graph */
};

#endif
