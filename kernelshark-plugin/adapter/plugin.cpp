// SPDX-License-Identifier: GPL-2.0
/*
 * plugin.cpp - entry points of the KernelShark plugin; create and destroy the panel
 *
 * KernelShark calls init and close for each stream. The calls are in its loader thread
 * for File > Open, Append and sessions, otherwise in the GUI thread. Therefore the two
 * functions only record the change and queue a call of wake(). wake() creates the panel
 * if necessary, because KernelShark does not call the menu initializer for a restored
 * session.
 *
 * The panel is destroyed when the program ends its event loop, while its window is
 * still complete. The latest time is close() of stream -1, after which the plugin is
 * unloaded (no other field of this stream is set). The library is linked to stay in
 * memory when it is unloaded, because calls may still be queued.
 *
 * Invariant: only the GUI thread uses widgets; after endPlugin() nothing is created any more.
 */
#include <cstdio>

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMutex>
#include <QPointer>
#include <QSettings>
#include <QThread>

#include <KsPlugins.hpp>
#include <libkshark-plugin.h>
#include <libkshark.h>

#include "kernelshark-plugin/adapter/shark_window.hpp"
#include "kernelshark-plugin/adapter/timeline.hpp"
#include "kernelshark-plugin/adapter/window_size.hpp"
#include "kernelshark-plugin/panel/hist_panel.hpp"

#define PANELS_MOST 4

#define EXPORTED __attribute__((visibility("default")))

extern "C" {
EXPORTED int KSHARK_PLOT_PLUGIN_INITIALIZER(struct kshark_data_stream *stream);
EXPORTED int KSHARK_PLOT_PLUGIN_DEINITIALIZER(struct kshark_data_stream *stream);
EXPORTED void *KSHARK_MENU_PLUGIN_INITIALIZER(void *gui);
}

/* Passed from the loader thread to the GUI thread. */
static QMutex lock;
static QString opened;
static bool changed, queued;

/* Used only by the GUI thread. */
static QPointer<KernelShark> shark;
static QPointer<Recordings> recordings; /* of all panels; the shark owns it */
static QPointer<HistPanel> panel;
static QList<QPointer<HistPanel>> others; /* next to the panel; null if the user closed it */
static QPointer<Timeline> timeline;
static QPointer<WindowSize> window_size;
static bool ended;

static bool isThis(const kshark_dpi *interface)
{
	return interface->init == KSHARK_PLOT_PLUGIN_INITIALIZER;
}

/* Destroy all objects of the plugin, views first, because they use the Shark. */
static void takeDown()
{
	if (shark && shark->central() && shark->central()->isHidden())
		shark->central()->show();
	if (shark)
		shark->end();
	delete window_size;
	delete timeline;
	for (const QPointer<HistPanel> &other : others)
		delete other;
	others.clear();
	delete panel;
	delete shark;
}

static void endPlugin()
{
	ended = true;
	takeDown();
}

static QMenu *menuOf(QMainWindow *window, const QString &title)
{
	const QList<QAction *> actions = window->menuBar()->actions();

	for (QAction *action : actions)
		if (action->menu() && action->text().remove(QLatin1Char('&')) == title)
			return action->menu();
	return nullptr;
}

/* The panel has the whole window if KernelShark itself has nothing to show. */
static void fitCentral()
{
	QMainWindow *window = panel ? qobject_cast<QMainWindow *>(panel->window()) : nullptr;
	QWidget *central = shark ? shark->central() : nullptr;
	bool alone;

	if (ended || !panel || !central || shark->busy())
		return;
	alone = window == central->window() && shark->isEmpty() && !panel->isHidden() &&
		!panel->isFloating() && !panel->recordings()->items().isEmpty();
	panel->setAlone(alone);
	central->setVisible(!alone);
	if (window_size && !panel->recordings()->items().isEmpty())
		window_size->grow(panel);
}

/* Open another panel next to @beside. */
static void split(HistPanel *beside)
{
	QMainWindow *window = qobject_cast<QMainWindow *>(panel ? panel->parentWidget() : nullptr);
	static int number = 1;
	HistPanel *other;

	others.removeAll(nullptr);
	if (ended || !window || others.size() + 1 >= PANELS_MOST)
		return;
	other = new HistPanel(shark, recordings, window);
	other->setObjectName(QStringLiteral("hist_panel_%1").arg(++number));
	other->setBeside(beside);
	if (beside->isFloating()) {
		window->addDockWidget(Qt::BottomDockWidgetArea, other);
	} else {
		window->splitDockWidget(beside, other, Qt::Horizontal);
		window->resizeDocks({ beside, other }, { 1, 1 }, Qt::Horizontal);
	}
	other->setSplittable(true);
	QObject::connect(other, &HistPanel::anotherWanted, other, [other] { split(other); });
	others.append(other);
}

static void bringUp(QMainWindow *window)
{
	QMenu *menu;

	if (ended || panel || !window)
		return;
	if (window->findChild<QDockWidget *>(QStringLiteral("hist_panel"))) {
		/* for example if a session contains the path of another copy of the plugin */
		fputs("trace-cmd hist: warning: histogram panel: already loaded from another file, "
		      "so this copy is not used\n", stderr);
		ended = true;
		return;
	}
	shark = new KernelShark(window, isThis);
	recordings = new Recordings(shark, shark);
	panel = new HistPanel(shark, recordings, window,
			      new QSettings(QSettings::IniFormat, QSettings::UserScope,
					    QStringLiteral("trace-cmd"),
					    QStringLiteral("kernelshark-hist")));
	timeline = new Timeline(shark, panel, window);
	window_size = new WindowSize(shark, window);
	window->addDockWidget(Qt::BottomDockWidgetArea, panel);
	menu = menuOf(window, QStringLiteral("Tools"));
	if (menu)
		menu->addAction(panel->toggleViewAction());
	panel->setSplittable(true);
	QObject::connect(panel, &HistPanel::anotherWanted, panel, [] { split(panel); });
	QObject::connect(shark, &Shark::filesChanged, panel, fitCentral);
	QObject::connect(panel, &QDockWidget::visibilityChanged, panel, fitCentral);
	QObject::connect(panel, &QDockWidget::topLevelChanged, panel, fitCentral);
	QObject::connect(shark, &KernelShark::unloaded, qApp, takeDown, Qt::QueuedConnection);
	QObject::connect(qApp, &QCoreApplication::aboutToQuit, shark, endPlugin);
}

static void wake()
{
	QMutexLocker locker(&lock);
	const QString path = opened;
	const bool was = changed;

	opened.clear();
	changed = queued = false;
	locker.unlock();
	if (!panel && !path.isEmpty())
		bringUp(SharkParts::window());
	if (shark && was)
		shark->streamsChanged(path);
}

/* For any thread: record that a stream of the file at @path was opened or closed. */
static void note(const char *path)
{
	QMutexLocker locker(&lock);

	changed = true;
	if (path)
		opened = QString::fromLocal8Bit(path);
	/* without a GUI the call is not needed */
	if (queued || !qobject_cast<QApplication *>(QCoreApplication::instance()))
		return;
	queued = true;
	QMetaObject::invokeMethod(qApp, wake, Qt::QueuedConnection);
}

/* In the GUI thread, while KernelShark paints the graph. */
static void draw(kshark_cpp_argv *arguments, int stream, int value, int action)
{
	if (shark)
		shark->drawn(KS_ARGV_TO_CPP(arguments));
	if (timeline)
		timeline->draw(KS_ARGV_TO_CPP(arguments), stream, value, action);
}

static bool draws(const kshark_data_stream *stream)
{
	const kshark_draw_handler *handler = stream->draw_handlers;

	while (handler && handler->draw_func != draw)
		handler = handler->next;
	return handler;
}

/* Returns the number of handlers that were registered; 0 or less is an error. */
int KSHARK_PLOT_PLUGIN_INITIALIZER(kshark_data_stream *stream)
{
	/* the same plugin may be loaded under two names */
	if (!draws(stream) && kshark_register_draw_handler(stream, draw))
		return 0;
	note(stream->file);
	return 1;
}

int KSHARK_PLOT_PLUGIN_DEINITIALIZER(kshark_data_stream *stream)
{
	if (stream->stream_id == KS_PLUGIN_CONTEXT_FREE) {
		endPlugin();
		return 0;
	}
	kshark_unregister_draw_handler(stream, draw);
	note(nullptr);
	return 1;
}

/*
 * @gui is KernelShark's window as a QObject. Returns null, because KernelShark would
 * delete the result.
 */
void *KSHARK_MENU_PLUGIN_INITIALIZER(void *gui)
{
	bringUp(qobject_cast<QMainWindow *>(static_cast<QObject *>(gui)));
	return nullptr;
}
