// SPDX-License-Identifier: GPL-2.0
/*
 * expr_check.c - the checker's verdict on commands, and a kernel's
 *
 *	expr_check [-k] [-e] TREE [CASES...]
 *
 * TREE is tracefs, or a directory with the README, trace_clock and
 * events/SYS/EVENT/format of one. Each line of CASES (or standard input) is one command:
 *
 *	FLAG FILE OP TEXT		+ kmem/kmalloc >> hist:keys=node
 *
 * FILE is SYS/EVENT for its `trigger` file, or synthetic_events, or
 * dynamic_events. OP is ">>", or ">" which first removes what is there. An empty
 * line ends a group: what it set is removed. The flags:
 *
 *	+ accepted by 6.12	- refused by it
 *	= no expectation	! accepted by a kernel, and refused by us on purpose
 *	? we may refuse more than the kernel
 *	^ refused; the place of the error is where a ^ stands in TEXT
 *
 * -k: write each command to TREE too, which has to be a real tracefs, and demand
 * that the kernel and we agree, but for "!". -e: demand what + - ^ expect.
 * Exit status: 0 when all is as demanded, 1 when not, 2 for trouble.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/base/strbuf.h"
#include "lib/check/check.h"
#include "lib/expr/switch_trigger.h"
#include "lib/expr/synth.h"

#define ROOM 256

static char *tree;
static bool use_kernel, use_expectations;

static struct hist_kernel kernel;
static char *clocks;

/* The events that were looked at, each once; those of synths last until reset(). */
static struct {
	struct hist_event *event;
	bool of_group;
} events[ROOM];
static unsigned int nevents;

/* What this group has set. */
static struct hist_check_trigger triggers[ROOM];
static struct hist_check_switch switches[ROOM];
static struct hist_synth *synths[ROOM];
static unsigned int ntriggers, nswitches, nsynths;

/* What this group has written to trigger files. */
static struct {
	char *path;
	char *undo; /* "!COMMAND" */
} touched[ROOM];
static unsigned int ntouched;

static unsigned int accepted, refused, stricter, wrong, marks, marks_met;

__attribute__((format(printf, 1, 2), noreturn)) static void die(const char *fmt, ...)
{
	va_list ap;

	fputs("expr_check: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

__attribute__((format(printf, 1, 2))) static char *format(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	return s;
}

/* All of a file, or NULL. */
static char *read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t len = 0, room = 1 << 16;
	char *data;

	if (!f)
		return NULL;
	data = malloc(room + 1);
	while (data && (len += fread(data + len, 1, room - len, f)) == room)
		data = realloc(data, (room *= 2) + 1);
	fclose(f);
	if (!data)
		die("out of memory");
	data[len] = '\0';
	return data;
}

static const struct hist_event *look_up(const char *system, const char *name)
{
	struct hist_event *event = NULL;
	char *path, *text;
	unsigned int i;

	for (i = 0; i < nevents; i++)
		if (hist_event_is(events[i].event, system, name))
			return events[i].event;
	path = format("%s/events/%s/%s/format", tree, system, name);
	text = read_file(path);
	if (text && hist_event_parse(&event, system, text, strlen(text)))
		die("%s: no format", path);
	free(path);
	free(text);
	for (i = 0; !event && !strcmp(system, "synthetic") && i < nsynths; i++)
		if (!strcmp(synths[i]->name, name) &&
		    hist_synth_make_event(&event, synths[i]))
			die("out of memory");
	if (!event)
		return NULL;
	if (nevents == ROOM)
		die("too many events");
	events[nevents].event = event;
	events[nevents++].of_group = !strcmp(system, "synthetic");
	return event;
}

static int find_event(void *data, const char *system, const char *name,
		      const struct hist_event **event)
{
	(void)data;
	*event = look_up(system, name);
	return *event ? 0 : -ENOENT;
}

/* "!NAME ..." */
static int remove_synth(const char *text)
{
	size_t len = strcspn(text + 1, " \t");
	unsigned int i;

	for (i = 0; i < nsynths; i++) {
		const char *name = synths[i]->name;

		if (strlen(name) != len || memcmp(name, text + 1, len))
			continue;
		hist_synth_free(synths[i]);
		synths[i] = synths[--nsynths];
		return 0;
	}
	return -ENOENT;
}

/* 0 or -errno; -EINVAL with *@error. */
static int check_synth(const char *text, struct hist_error *error)
{
	struct hist_synth *synth;
	unsigned int i;
	int ret;

	if (text[0] == '!')
		return remove_synth(text);
	ret = hist_synth_parse(&synth, text, error);
	if (ret)
		return ret;
	for (i = 0; i < nsynths; i++) {
		if (strcmp(synths[i]->name, synth->name))
			continue;
		hist_synth_free(synth);
		return -EEXIST;
	}
	if (nsynths == ROOM)
		die("too many synthetic events");
	synths[nsynths++] = synth;
	return 0;
}

static struct hist_check_context context_now(void)
{
	return (struct hist_check_context){
		.kernel = &kernel,
		.clocks = clocks,
		.triggers = triggers,
		.ntriggers = ntriggers,
		.all_triggers = true,
		.switches = switches,
		.nswitches = nswitches,
		.synths = (const struct hist_synth *const *)synths,
		.nsynths = nsynths,
		.all_synths = true,
		.find_event = find_event,
		.may_change = true,
	};
}

/* The printed form has to say the same, and to be the same printed again. */
static void check_printed(const struct hist_expr *expr, const struct hist_event *event)
{
	struct hist_check_context alone = { .kernel = &kernel };
	struct hist_expr *again = NULL;
	char *printed = hist_expr_print(expr), *twice = NULL;

	if (printed && !hist_expr_parse(&again, printed, NULL))
		twice = hist_expr_print(again);
	if (!twice || strcmp(printed, twice) ||
	    !hist_check_expr_in(expr, event, &alone, NULL) !=
		    !hist_check_expr_in(again, event, &alone, NULL))
		die("printed, it is another: %s: %s", expr->text, printed);
	hist_expr_free(again);
	free(printed);
	free(twice);
}

static int check_hist(const char *text, const struct hist_event *event, struct hist_error *error)
{
	struct hist_check_context context = context_now();
	struct hist_expr *expr;
	int ret;

	ret = hist_expr_parse(&expr, text, error);
	if (ret)
		return ret;
	check_printed(expr, event);
	ret = hist_check_expr_in(expr, event, &context, error);
	if (ret || expr->changes_existing) {
		hist_expr_free(expr);
		return ret;
	}
	if (ntriggers == ROOM)
		die("too many triggers");
	triggers[ntriggers++] = (struct hist_check_trigger){ .event = event, .expr = expr };
	return 0;
}

static int check_switch(const char *text, const struct hist_event *event, struct hist_error *error)
{
	struct hist_check_context context = context_now();
	struct hist_switch *sw;
	int ret;

	ret = hist_switch_parse(&sw, text, error);
	if (ret)
		return ret;
	ret = hist_check_switch_trigger(sw, event, &context, error);
	if (ret) {
		hist_switch_free(sw);
		return ret;
	}
	if (nswitches == ROOM)
		die("too many triggers");
	switches[nswitches++] = (struct hist_check_switch){ .event = event, .sw = sw };
	return 0;
}

static bool is_referenced(const struct hist_expr *expr)
{
	unsigned int i, j;

	for (i = 0; i < ntriggers; i++)
		for (j = 0; j < expr->nvariables; j++) {
			char *ref = format("$%s", expr->variables[j].name);
			bool found = triggers[i].expr != expr &&
				     strstr(triggers[i].expr->text, ref);

			free(ref);
			if (found)
				return true;
		}
	return false;
}

/* As hist_unreg_all(): all histograms of the event, or none when one is in use. */
static void drop_triggers(const struct hist_event *event)
{
	unsigned int i, n = 0;

	for (i = 0; i < nswitches; i++) {
		if (switches[i].event == event)
			hist_switch_free((struct hist_switch *)switches[i].sw);
		else
			switches[n++] = switches[i];
	}
	nswitches = n;
	n = 0;
	for (i = 0; i < ntriggers; i++)
		if (triggers[i].event == event && is_referenced(triggers[i].expr))
			return;
	for (i = 0; i < ntriggers; i++) {
		if (triggers[i].event == event)
			hist_expr_free((struct hist_expr *)triggers[i].expr);
		else
			triggers[n++] = triggers[i];
	}
	ntriggers = n;
}

static void drop_synths(void)
{
	unsigned int i;

	while (nsynths)
		hist_synth_free(synths[--nsynths]);
	for (i = 0; i < nevents;) {
		if (events[i].of_group) {
			hist_event_free(events[i].event);
			events[i] = events[--nevents];
		} else {
			i++;
		}
	}
}

/* "SYS/EVENT" as an event; what is not there cannot be written to either. */
static const struct hist_event *event_of(const char *file)
{
	char *system = strdup(file), *slash = strchr(system, '/');
	const struct hist_event *event = NULL;

	if (slash) {
		*slash = '\0';
		event = look_up(system, slash + 1);
	}
	free(system);
	return event;
}

static int our_verdict(const char *file, bool truncate, const char *text, struct hist_error *error)
{
	const struct hist_event *event;

	memset(error, 0, sizeof(*error));
	if (!strchr(file, '/')) {
		if (truncate)
			drop_synths();
		return check_synth(text, error);
	}
	event = event_of(file);
	if (!event)
		return -ENOENT;
	if (truncate)
		drop_triggers(event);
	if (hist_switch_is_trigger(text))
		return check_switch(text, event, error);
	return check_hist(text, event, error);
}

static char *path_of(const char *file)
{
	return strchr(file, '/') ? format("%s/events/%s/trigger", tree, file)
				 : format("%s/%s", tree, file);
}

static int write_file(const char *path, int flags, const char *text)
{
	int fd = open(path, O_WRONLY | flags), ret = 0;

	if (fd < 0)
		return -errno;
	if (*text && write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static int kernel_verdict(const char *file, bool truncate, const char *text)
{
	char *path = path_of(file);
	int ret = write_file(path, truncate ? O_TRUNC : O_APPEND, text);

	if (!strchr(file, '/')) {
		free(path);
		return ret;
	}
	if (ntouched == ROOM)
		die("too many commands in a group");
	touched[ntouched].path = path;
	touched[ntouched++].undo = format("!%s", text);
	return ret;
}

static bool is_empty(const char *path)
{
	char *text = read_file(path), *line = text;
	bool empty = true;

	for (; empty && line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		empty = *line == '#' || *line == '\n';
	free(text);
	return empty;
}

/* Remove what the group has set, what uses others before these. */
static void reset(void)
{
	unsigned int i;
	char *path;

	for (i = ntouched; i-- > 0;)
		write_file(touched[i].path, O_APPEND, touched[i].undo);
	for (i = ntouched; i-- > 0;) {
		write_file(touched[i].path, O_TRUNC, "");
		if (!is_empty(touched[i].path))
			die("a trigger cannot be removed: %s", touched[i].path);
	}
	if (use_kernel) {
		path = path_of("synthetic_events");
		if (write_file(path, O_TRUNC, "") || !is_empty(path))
			die("a synthetic event cannot be removed");
		free(path);
	}
	while (ntouched) {
		free(touched[--ntouched].path);
		free(touched[ntouched].undo);
	}
	while (nswitches)
		hist_switch_free((struct hist_switch *)switches[--nswitches].sw);
	while (ntriggers)
		hist_expr_free((struct hist_expr *)triggers[--ntriggers].expr);
	drop_synths();
}

static void judge(char flag, const char *file, const char *text, int ours, int theirs,
		  const struct hist_error *error)
{
	struct hist_strbuf lines = { 0 };
	struct hist_error shown = *error;
	const char *verdict = ours ? "refused" : "accepted", *trouble = NULL;
	bool expected = use_expectations && strchr("+-^", flag);

	if (use_kernel && strchr("!?", flag) && ours && !theirs)
		stricter++;
	else if (flag == '!' && !ours)
		trouble = "we accept what we should not";
	else if (use_kernel && flag != '!' && !ours != !theirs)
		trouble = theirs ? "the kernel refuses it" : "the kernel accepts it";
	else if (expected && !ours != (flag == '+'))
		trouble = flag == '+' ? "it should be accepted" : "it should be refused";
	else if (ours)
		refused++;
	else
		accepted++;
	wrong += trouble != NULL;
	printf("%s%s%s: %s %s\n", trouble ? "WRONG: " : "", trouble ? trouble : verdict,
	       trouble ? (ours ? ", we refuse" : ", we accept") : "", file, text);
	if (ours && (trouble || !theirs)) {
		printf("  ");
		shown.text = text;
		hist_error_put(&lines, "error: ", -EINVAL, &shown);
		hist_strbuf_flush(&lines, stdout);
		hist_strbuf_free(&lines);
	}
	if (trouble && use_kernel)
		printf("  kernel: %s\n", theirs ? strerror(-theirs) : "ok");
}

/* Take the mark out of @text. */
static size_t take_mark(char *text)
{
	char *mark = strchr(text, '^');

	if (!mark)
		die("no ^ in %s", text);
	memmove(mark, mark + 1, strlen(mark));
	return mark - text;
}

static void run(char *line)
{
	char *flag, *file, *op, *text, *save = NULL;
	struct hist_error error = { 0 };
	size_t mark = 0;
	int ours, theirs = 0;

	flag = strtok_r(line, " ", &save);
	file = strtok_r(NULL, " ", &save);
	op = strtok_r(NULL, " ", &save);
	text = save;
	if (!op || !*text || strlen(flag) != 1 || !strchr("+-=!?^", *flag) ||
	    strspn(op, ">") != strlen(op))
		die("not a command: %s", line);
	if (*flag == '^')
		mark = take_mark(text);
	if (use_kernel)
		theirs = kernel_verdict(file, !op[1], text);
	ours = our_verdict(file, !op[1], text, &error);
	judge(*flag, file, text, ours, theirs, &error);
	if (*flag == '^') {
		marks++;
		marks_met += error.at.start == mark;
		if (error.at.start != mark)
			printf("  another place: %zu, not %zu\n", error.at.start, mark);
	}
}

static void run_file(FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	while ((len = getline(&line, &room, f)) >= 0) {
		if (len && line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (!line[0])
			reset();
		else if (line[0] != '#')
			run(line);
	}
	free(line);
	reset();
}

static int exists(void *data, const char *file)
{
	char *path = format("%s/%s", (const char *)data, file);
	int ret = !access(path, F_OK);

	free(path);
	return ret;
}

/* Of the kernel that runs; or the name of a directory with what was recorded, as "6.12". */
static void read_kernel(void)
{
	char *path = format("%s/README", tree);
	char *readme = read_file(path), *name = strrchr(tree, '/');
	struct hist_kernel_signs signs = { .readme = readme, .release = name ? name + 1 : tree };
	struct utsname uts;

	if (!readme)
		die("%s: %s", path, strerror(errno));
	if (use_kernel && !uname(&uts)) {
		signs.release = uts.release;
		signs.exists = exists;
		signs.data = tree;
	}
	hist_kernel_from_signs(&kernel, &signs);
	free(readme);
	free(path);
}

int main(int argc, char **argv)
{
	char *path;
	int opt, i;
	FILE *f;

	while ((opt = getopt(argc, argv, "ke")) >= 0) {
		if (opt == '?')
			return 2;
		*(opt == 'k' ? &use_kernel : &use_expectations) = true;
	}
	if (optind == argc)
		die("usage: expr_check [-k] [-e] TREE [CASES...]");
	tree = argv[optind];
	read_kernel();
	path = format("%s/trace_clock", tree);
	clocks = read_file(path);
	free(path);
	if (optind + 1 == argc)
		run_file(stdin);
	for (i = optind + 1; i < argc; i++) {
		f = fopen(argv[i], "r");
		if (!f)
			die("%s: %s", argv[i], strerror(errno));
		run_file(f);
		fclose(f);
	}
	while (nevents)
		hist_event_free(events[--nevents].event);
	free(clocks);
	printf("# %u accepted, %u refused, %u refused by us only, %u wrong; %u of %u errors at the "
	       "marked place\n",
	       accepted, refused, stricter, wrong, marks_met, marks);
	return wrong != 0;
}
