// SPDX-License-Identifier: GPL-2.0
/*
 * text_style.c - choose characters, colours and width for a terminal or file
 *
 * NO_COLOR disables colours unless it is empty: https://no-color.org.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tracecmd/base/text_style.h"

#define WIDTH_DEFAULT 80
#define WIDTH_LEAST 40
#define WIDTH_MOST 1000

static unsigned int line_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	unsigned long width = WIDTH_DEFAULT;
	struct winsize size;

	if (!ioctl(fd, TIOCGWINSZ, &size) && size.ws_col)
		width = size.ws_col;
	else if (columns && *columns && !columns[strspn(columns, "0123456789")])
		width = strtoul(columns, NULL, 10);
	return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
}

bool text_is_utf8(void)
{
	setlocale(LC_CTYPE, "");
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

void text_style_detect(struct hist_view_style *style, FILE *f, enum text_colour colour)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool terminal = isatty(fileno(f));
	bool dumb = terminal && (!term || !*term || !strcmp(term, "dumb"));

	memset(style, 0, sizeof(*style));
	style->utf8 = text_is_utf8() && !dumb;
	style->width = line_width(fileno(f));
	if (colour == TEXT_COLOUR_AUTO)
		style->colour = terminal && !dumb && !(no_color && *no_color);
	else
		style->colour = colour == TEXT_COLOUR_ALWAYS;
}
