// SPDX-License-Identifier: LGPL-2.1
/*
 * ansi.c - the colours of a terminal
 *
 * A background that is unknown needs text of medium lightness: a relative luminance of 0.1 has
 * 3:1 to black, and 0.3 has 3:1 to white.  The ramp of the heat map stays in this range: dull
 * blue for few hits, then violet, red and orange.  It cannot become much brighter there, so each
 * cell also shows the character of its level.
 */
#include "lib/report/ansi.h"

#define BLACK 16
#define WHITE 231

static const struct ansi_colours ansi_table[ANSI_STYLES] = {
	[ANSI_PLAIN] = { ANSI_OWN, ANSI_OWN, false },
	[ANSI_NOTE] = { 130, ANSI_OWN, false }, /* dark orange */
	[ANSI_WARN] = { 160, ANSI_OWN, true },	/* red */
	[ANSI_DIM] = { 243, ANSI_OWN, false },	/* grey */
	[ANSI_BAR] = { 28, ANSI_OWN, false },	/* green */
	[ANSI_PASS] = { 28, ANSI_OWN, false },
	[ANSI_IMPROVED] = { 28, ANSI_OWN, true },
	[ANSI_INCONCLUSIVE] = { 130, ANSI_OWN, false },
	[ANSI_REGRESSED] = { 160, ANSI_OWN, true },
	[ANSI_INCOMPARABLE] = { 163, ANSI_OWN, false }, /* magenta */
	[ANSI_HEAT] = { ANSI_OWN, ANSI_OWN, false },
	[ANSI_HEAT + 1] = { WHITE, 60, false },
	[ANSI_HEAT + 2] = { WHITE, 61, false },
	[ANSI_HEAT + 3] = { WHITE, 62, false },
	[ANSI_HEAT + 4] = { WHITE, 97, false },
	[ANSI_HEAT + 5] = { BLACK, 133, false },
	[ANSI_HEAT + 6] = { BLACK, 168, false },
	[ANSI_HEAT + 7] = { BLACK, 167, false },
	[ANSI_HEAT + 8] = { BLACK, 196, false },
	[ANSI_HEAT + 9] = { BLACK, 202, false },
};

const struct ansi_colours *ansi_colours(enum ansi_style style)
{
	return &ansi_table[style < ANSI_STYLES ? style : ANSI_PLAIN];
}

static bool ansi_is_plain(const struct ansi_colours *c)
{
	return c->text == ANSI_OWN && c->ground == ANSI_OWN && !c->bold;
}

void ansi_begin(struct hist_strbuf *b, const struct hist_view_style *view, enum ansi_style style)
{
	const struct ansi_colours *c = ansi_colours(style);

	if (!view->colour || ansi_is_plain(c))
		return;
	hist_strbuf_str(b, "\033[");
	if (c->bold)
		hist_strbuf_str(b, "1;");
	if (c->text != ANSI_OWN)
		hist_strbuf_printf(b, "38;5;%d", c->text);
	if (c->ground != ANSI_OWN)
		hist_strbuf_printf(b, "%s48;5;%d", c->text != ANSI_OWN ? ";" : "", c->ground);
	hist_strbuf_char(b, 'm');
}

void ansi_end(struct hist_strbuf *b, const struct hist_view_style *view, enum ansi_style style)
{
	if (view->colour && !ansi_is_plain(ansi_colours(style)))
		hist_strbuf_str(b, "\033[0m");
}
