/* SPDX-License-Identifier: GPL-2.0 */
/*
 * window_size.hpp - keep the minimum height of KernelShark's window as without panels
 *
 * KernelShark sets fixed minimum heights for its graph and its list: that of the list is a
 * fifth of the screen. Panels below them need space in addition, so the minimum height of
 * the list is reduced by the minimum height of the panels. Two panels, one above the other,
 * become tabs if together they need more than the list has.
 *
 * Invariant: the layout of the window sees only reduced heights. Each change of a minimum
 * in the window sends a LayoutRequest to the window before its layout computes a minimum.
 * The filter gets this event first. The layout caches the size of the central widget, and
 * this cache is outdated until the central widget handles a LayoutRequest of its own.
 * Therefore the filter also invalidates the cache.
 */
#ifndef KERNELSHARK_PLUGIN_ADAPTER_WINDOW_SIZE_HPP
#define KERNELSHARK_PLUGIN_ADAPTER_WINDOW_SIZE_HPP

#include <QMainWindow>
#include <QPointer>
#include <QTimer>

class HistPanel;
class KernelShark;

class WindowSize : public QObject {
	Q_OBJECT
public:
	/* Create it before the first panel. @shark must outlive it. */
	WindowSize(KernelShark *shark, QMainWindow *window);
	/* Restores the minimum height of the list. */
	~WindowSize() override;

	/*
	 * After a file was opened: enlarge the window if the screen is large enough, so that
	 * @panel, the graph and the list fit. Not again for files that do not need more, because
	 * the user may have made the window smaller.
	 */
	void grow(const HistPanel *panel);

protected:
	bool eventFilter(QObject *object, QEvent *event) override;

private:
	void fit();
	/* The minimum height of the list without panels. */
	int stockHeight() const;
	/*
	 * How much the docked panels, with their borders, add to the minimum height of the window.
	 */
	int panelsHeight();
	QList<HistPanel *> docked() const;
	/* Make two panels, one above the other, tabs if they need more than the list can give. */
	void join();

	KernelShark *shark_;
	QMainWindow *window_;
	QPointer<QWidget> list_; /* the part of the central widget that contains the list */
	int stock_ = -1;	 /* the minimum height of the list that KernelShark set */
	int reduced_ = -1;	 /* the one that fit() set; -1: none */
	int rest_ = 0;		 /* the minimum height without panels and the central widget */
	QTimer join_;		 /* the layout is not changed during its own LayoutRequest */
	int needed_ = 0;	 /* the height of the window at the last grow() */
};

#endif
