/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_monkey.hpp - hands that do anything to the panel
 *
 * Each step is drawn as a few numbers, always as many, before anything is looked at.  A
 * seed therefore does the same things with and without the panel, offscreen and in KernelShark;
 * what cannot be done at that moment is left out.
 *
 * Widgets are found by name, so that the driver, which has nothing of the panel, can use it.
 */
#ifndef UTEST_PANEL_MONKEY_HPP
#define UTEST_PANEL_MONKEY_HPP

#include <functional>
#include <random>

#include <QString>
#include <QWidget>

class Monkey {
public:
	/* What a step is drawn as. */
	struct Step {
		unsigned int what; /* below 100 */
		unsigned int n[5];

		/* 0 to @most, evenly, by number @i. */
		int part(int i, int most) const;
		QPoint point(int i, const QRect &in) const;
	};
	/* Told before it is done, as a crash does not tell. */
	typedef std::function<void(const QString &what)> Tell;

	Monkey(unsigned int seed, const Tell &tell) : random_(seed), tell_(tell) {}

	/* $KSHIST_SEED, or another one each time. */
	static unsigned int seed();
	/* $KSHIST_SECONDS, and $KSHIST_STEPS, or that many. */
	static int seconds(int otherwise);
	static int steps(int otherwise);

	Step next();
	/* @step as something that is done to the panel; nullptr: there is none. */
	void touch(QWidget *panel, const Step &step);
	/* The same to any widget: the mouse, the wheel, the keys. */
	void touchWith(QWidget *widget, const Step &step);

	void tell(const QString &what) { tell_(what); }

private:
	bool closePopup(const Step &step);
	void mouse(QWidget *widget, const Step &step);
	void keys(QWidget *widget, const Step &step);
	void menu(QWidget *widget, const Step &step);
	void choose(QWidget *panel, const Step &step);
	void type(QWidget *panel, const Step &step);

	std::mt19937 random_;
	Tell tell_;
};

#endif
