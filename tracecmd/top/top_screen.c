// SPDX-License-Identifier: GPL-2.0
/*
 * top_screen.c - show a canvas on a terminal by ncurses
 *
 * The caller blocks SIGWINCH and the signals that end the program, so that the handlers of ncurses
 * never run.
 */
#include <errno.h>
#include <ncurses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "lib/report/ansi.h"
#include "tracecmd/base/message.h"
#include "tracecmd/top/top_screen.h"

/* How long ESC waits for the rest of the sequence of a key. */
#define ESC_MS 25

struct top_screen {
	SCREEN *terminal;
	struct termios before;
	int errors, stderr_was; /* file for messages, and a copy of stderr; -1: none */
	bool colours; /* a style of ansi.h is the pair of its number */
};

static void set_colours(struct top_screen *s)
{
	const char *no_color = getenv("NO_COLOR");
	int style;

	if ((no_color && *no_color) || !has_colors() || start_color() != OK)
		return;
	/* the terminal chooses what its first 16 colours look like: text may be unreadable */
	s->colours = use_default_colors() == OK && COLORS >= 256 && COLOR_PAIRS > ANSI_STYLES;
	for (style = ANSI_PLAIN + 1; s->colours && style < ANSI_STYLES; style++)
		init_pair(style, ansi_colours(style)->text, ansi_colours(style)->ground);
}

/* Keep messages in a file: stderr would damage the screen. */
static void hold_messages(struct top_screen *s)
{
	s->errors = s->stderr_was = -1;
	if (!isatty(STDERR_FILENO))
		return;
	s->errors = memfd_create("messages", MFD_CLOEXEC);
	s->stderr_was = dup(STDERR_FILENO);
	if (s->errors >= 0 && s->stderr_was >= 0)
		dup2(s->errors, STDERR_FILENO);
}

static void top_screen_print_messages(struct top_screen *s)
{
	char text[4096];
	ssize_t n;

	if (s->errors >= 0 && s->stderr_was >= 0) {
		fflush(stderr);
		dup2(s->stderr_was, STDERR_FILENO);
		lseek(s->errors, 0, SEEK_SET);
		while ((n = read(s->errors, text, sizeof(text))) > 0)
			if (write(STDERR_FILENO, text, n) < 0)
				break;
	}
	if (s->errors >= 0)
		close(s->errors);
	if (s->stderr_was >= 0)
		close(s->stderr_was);
}

/* Ctrl-S would stop the output and block the program. */
static void no_flow_control(void)
{
	struct termios now;

	if (tcgetattr(STDIN_FILENO, &now))
		return;
	now.c_iflag &= ~(IXON | IXOFF);
	tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

int top_screen_open(struct top_screen **screen)
{
	struct top_screen *s = calloc(1, sizeof(*s));

	if (!s)
		return message_error_memory();
	tcgetattr(STDIN_FILENO, &s->before);
	s->terminal = newterm(NULL, stdout, stdin);
	if (!s->terminal) {
		free(s);
		return message_refuse(-ENOTSUP, "cannot use the terminal\n"
				      "use --batch, or another TERM");
	}
	cbreak();
	noecho();
	nonl();
	no_flow_control();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESC_MS);
	curs_set(0);
	set_colours(s);
	hold_messages(s);
	*screen = s;
	return 0;
}

/* write(2) to a terminal that is not ready would block. */
static bool takes_output(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLOUT);
}

void top_screen_close(struct top_screen *s)
{
	if (!s)
		return;
	if (takes_output()) { /* the next output begins on an empty line */
		move(LINES - 1, 0);
		clrtoeol();
		refresh();
	}
	endwin();
	tcsetattr(STDIN_FILENO, TCSANOW, &s->before);
	delscreen(s->terminal);
	top_screen_print_messages(s);
	free(s);
}

int top_screen_size(struct top_canvas *c)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return -ENOTTY;
	if (!size.ws_row || !size.ws_col) { /* unknown to the terminal: use terminfo */
		size.ws_row = LINES;
		size.ws_col = COLS;
	}
	if (size.ws_row != LINES || size.ws_col != COLS)
		resizeterm(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
	return top_canvas_resize(c, size.ws_row, size.ws_col);
}

static attr_t top_screen_cell_attributes(const struct top_screen *s,
					 const struct top_canvas_cell *cell, short *pair)
{
	static const attr_t attrs[] = {
		[CANVAS_PLAIN] = A_NORMAL, [CANVAS_TITLE] = A_REVERSE, [CANVAS_HEAD] = A_BOLD,
		[CANVAS_HEAD_SORT] = A_BOLD | A_UNDERLINE, [CANVAS_DIM] = A_NORMAL,
		[CANVAS_WARN] = A_BOLD, [CANVAS_BAR] = A_NORMAL, [CANVAS_HEAT] = A_NORMAL,
	};
	static const enum ansi_style styles[] = {
		[CANVAS_DIM] = ANSI_DIM, [CANVAS_WARN] = ANSI_WARN, [CANVAS_BAR] = ANSI_BAR,
		[CANVAS_HEAT] = ANSI_HEAT,
	};

	*pair = 0;
	if (s->colours)
		*pair = styles[cell->style] + (cell->style == CANVAS_HEAT ? cell->level : 0);
	return attrs[cell->style];
}

static void top_screen_draw_row(struct top_screen *s, const struct top_canvas *c, unsigned int row)
{
	const struct top_canvas_cell *cell;
	unsigned int column;
	short pair;
	attr_t attr;

	for (column = 0; column < c->columns; column++) {
		cell = top_canvas_at(c, row, column);
		if (!cell->width)
			continue;
		attr = top_screen_cell_attributes(s, cell, &pair);
		attr_set(attr, pair, NULL);
		mvaddstr(row, column, cell->text);
	}
}

void top_screen_show(struct top_screen *s, const struct top_canvas *c)
{
	unsigned int row;

	if (!takes_output())
		return;
	erase();
	for (row = 0; row < c->rows; row++)
		top_screen_draw_row(s, c, row);
	attr_set(A_NORMAL, 0, NULL);
	/* tests recognize a complete screen by the position of the cursor */
	move(LINES - 1, COLS - 1);
	refresh();
}

static int32_t top_screen_translate_key(wint_t c)
{
	static const struct {
		wint_t code;
		int32_t key;
	} keys[] = {
		{ KEY_UP, TOP_KEY_UP }, { KEY_DOWN, TOP_KEY_DOWN },
		{ KEY_LEFT, TOP_KEY_LEFT }, { KEY_RIGHT, TOP_KEY_RIGHT },
		{ KEY_PPAGE, TOP_KEY_PAGE_UP }, { KEY_NPAGE, TOP_KEY_PAGE_DOWN },
		{ KEY_HOME, TOP_KEY_HOME }, { KEY_END, TOP_KEY_END },
		{ KEY_BACKSPACE, TOP_KEY_BACKSPACE }, { KEY_ENTER, TOP_KEY_ENTER },
		{ KEY_BTAB, TOP_KEY_BACK_TAB },
	};
	unsigned int i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (keys[i].code == c)
			return keys[i].key;
	}
	return 0;
}

bool top_screen_key(int32_t *key)
{
	wint_t c;
	int kind = get_wch(&c);

	if (kind == ERR)
		return false;
	*key = kind == KEY_CODE_YES ? top_screen_translate_key(c)
	       : c == 27	    ? TOP_KEY_ESCAPE
				    : (int32_t)c;
	return true;
}
