// SPDX-License-Identifier: LGPL-2.1
/*
 * ansi.c - the colours of a terminal
 *
 * A background that is unknown needs text of medium lightness: a relative luminance of 0.1 has
 * 3:1 to black, and 0.3 has 3:1 to white.  The ramp of the heat map stays in this range: dull
 * blue for few hits, then violet, red and orange.  It cannot become much brighter there, so each
 * cell also shows the character of its level.
 */
#include "lib/chart/palette.h"
#include "lib/report/ansi.h"

#define BLACK 16
#define WHITE 231

static const struct ansi_colours ansi_table[ANSI_STYLES] = {
	[ANSI_PLAIN] = { ANSI_OWN, ANSI_OWN, false },
	[ANSI_NOTE] = { CHART_TERMINAL_NOTE, ANSI_OWN, false },
	[ANSI_WARN] = { CHART_TERMINAL_WARN, ANSI_OWN, true },
	[ANSI_DIM] = { CHART_TERMINAL_MUTED, ANSI_OWN, false },
	[ANSI_BAR] = { CHART_TERMINAL_BAR, ANSI_OWN, false },
	[ANSI_PASS] = { CHART_TERMINAL_GOOD, ANSI_OWN, false },
	[ANSI_IMPROVED] = { CHART_TERMINAL_GOOD, ANSI_OWN, true },
	[ANSI_INCONCLUSIVE] = { CHART_TERMINAL_NOTE, ANSI_OWN, false },
	[ANSI_REGRESSED] = { CHART_TERMINAL_WARN, ANSI_OWN, true },
	[ANSI_INCOMPARABLE] = { CHART_TERMINAL_OTHER, ANSI_OWN, false },
	[ANSI_HEAT] = { ANSI_OWN, ANSI_OWN, false },
	[ANSI_HEAT + 1] = { WHITE, CHART_TERMINAL_HEAT1, false },
	[ANSI_HEAT + 2] = { WHITE, CHART_TERMINAL_HEAT2, false },
	[ANSI_HEAT + 3] = { WHITE, CHART_TERMINAL_HEAT3, false },
	[ANSI_HEAT + 4] = { WHITE, CHART_TERMINAL_HEAT4, false },
	[ANSI_HEAT + 5] = { BLACK, CHART_TERMINAL_HEAT5, false },
	[ANSI_HEAT + 6] = { BLACK, CHART_TERMINAL_HEAT6, false },
	[ANSI_HEAT + 7] = { BLACK, CHART_TERMINAL_HEAT7, false },
	[ANSI_HEAT + 8] = { BLACK, CHART_TERMINAL_HEAT8, false },
	[ANSI_HEAT + 9] = { BLACK, CHART_TERMINAL_HEAT9, false },
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
