/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_gate.hpp - the worker's computing, held and counted by tests
 *
 * The linker leads the worker's figures_make() through here, and the reader's
 * hist_cursor_next() (--wrap).  While the gate is shut every computation stops before it
 * begins, and says so; a test tells each what to do.  So the order of what the worker
 * does and what the GUI thread does is the test's, and no time plays a part.
 */
#ifndef UTEST_PANEL_GATE_HPP
#define UTEST_PANEL_GATE_HPP

#include <QtGlobal>

namespace PanelGate {

/* What a computation that was held does then. */
enum Pass {
	Compute,	/* what it is for, and never asks whether it shall go on */
	AskOnce,	/* asks once; goes on or gives up, as it is told */
	AskUntilGivenUp /* asks again and again, as a long walk does; gives up at last */
};

/* Shut it, with nothing counted.  What was let through goes on. */
void shut();
/* Open it: computations go through as ever. */
void open();
/* Blocks the calling thread until a computation stands before the gate; false: none came. */
bool waitForOne();
/* The one before the gate goes. */
void pass(Pass how);

/* Of the computations that passed while it was shut: how many gave up as they were told to. */
int gaveUp();
/* An AskUntilGivenUp was never told to give up. */
bool wasNeverTold();

/*
 * Since reset(): computations begun, and snapshots read and rebuilt for them; and how many
 * of both there were in the GUI thread, which has to wait for none.
 */
void reset();
int computations();
int rebuilt();
int inGui();

}

#endif
