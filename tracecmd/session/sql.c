// SPDX-License-Identifier: GPL-2.0
/*
 * sql.c - ask libtracefs what a --sql query means
 *
 * libtracefs looks up events in a tep handle.  The handle is filled from the format files of the
 * target, only with events whose names occur in the query.  tracefs_hist_echo_cmd() and
 * tracefs_synth_echo_cmd() print the shell commands that would create what the query means.
 *
 * The child answers with one of the letters below and a text.
 */
#include <errno.h>
#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>
#include <tracefs.h>

#include "lib/base/array.h"
#include "lib/base/strbuf.h"
#include "lib/query/sql.h"
#include "tracecmd/base/confine.h"
#include "tracecmd/base/message.h"
#include "tracecmd/session/sql.h"
#include "tracecmd/target/target_path.h"

/* What the parser may use.  A query takes some milliseconds and less than a megabyte. */
#define SQL_SECONDS 2
#define SQL_PATIENCE 60
#define SQL_MEGABYTES 64
#define SQL_ANSWER_MAX (64 << 10)

/* The answers: with commands, with the number of a format, with a message or "", and "". */
enum { SQL_COMMANDS = 'c', SQL_BAD_FORMAT = 'f', SQL_BAD_QUERY = 'q', SQL_NOTHING = 'n' };

/* The format file of an event. */
struct sql_format {
	char *system, *event;
	struct target_buf text;
};

/* What the child works on. */
struct sql_job {
	const struct hist_target *target;
	const struct sql_text *query;
	const char *name; /* of the synthetic event */
	struct sql_format *formats;
	unsigned int nformats;
};

static int sql_read_format(struct sql_job *job, struct hist_target *t, const char *system,
			   const char *event)
{
	struct sql_format *f;
	int ret;

	if (array_add(&job->formats, job->nformats, sizeof(*f)))
		return message_error_memory();
	f = &job->formats[job->nformats++];
	*f = (struct sql_format){ .system = strdup(system), .event = strdup(event) };
	if (!f->system || !f->event)
		return message_error_memory();
	ret = target_readf(t, &f->text, "events/%s/%s/format", system, event);
	return ret ? message_refuse(ret, "--sql: cannot read the format file of %s:%s: %s", system,
				    event, strerror(-ret))
		   : 0;
}

/* Read the formats of the events that the query could mean. */
static int sql_read_formats(struct sql_job *job, struct hist_target *t)
{
	struct target_buf buf = { 0 };
	char *line, *colon, *save = NULL;
	int ret;

	ret = t->ops->read(t, "available_events", &buf);
	if (ret)
		message_error("--sql: available_events: %s", strerror(-ret));
	for (line = ret ? NULL : strtok_r(buf.data, "\n", &save); line && !ret;
	     line = strtok_r(NULL, "\n", &save)) {
		colon = strchr(line, ':');
		if (!colon || !sql_text_names(job->query, colon + 1))
			continue;
		*colon = '\0';
		ret = sql_read_format(job, t, line, colon + 1);
	}
	free(buf.data);
	return ret;
}

static void sql_free_formats(struct sql_job *job)
{
	unsigned int i;

	for (i = 0; i < job->nformats; i++) {
		free(job->formats[i].system);
		free(job->formats[i].event);
		free(job->formats[i].text.data);
	}
	free(job->formats);
}

/* In the child, which frees nothing: the end of the process does. */
static struct tep_handle *sql_make_handle(const struct sql_job *job)
{
	struct tep_handle *tep = tep_alloc();

	if (!tep)
		return NULL;
	tep_set_file_bigendian(tep, job->target->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, job->target->long_size);
	tep_set_page_size(tep, job->target->page_size);
	return tep;
}

/* In the child: the histogram of a query without JOIN, or the triggers of one with. */
static bool sql_print_commands(struct trace_seq *seq, struct tracefs_synth *synth)
{
	struct tracefs_hist *hist;

	if (tracefs_synth_complete(synth))
		return !tracefs_synth_echo_cmd(seq, synth);
	hist = tracefs_synth_get_start_hist(synth);
	return hist && !tracefs_hist_echo_cmd(seq, NULL, hist, TRACEFS_HIST_CMD_START);
}

/* In the child: parse the formats and the query. */
static int sql_parse_confined(void *data, struct hist_strbuf *answer)
{
	const struct sql_job *job = data;
	struct tep_handle *tep = sql_make_handle(job);
	struct tracefs_synth *synth;
	const struct sql_format *f;
	struct trace_seq seq;
	char *error = NULL;
	unsigned int i;

	if (!tep)
		return -ENOMEM;
	for (i = 0; i < job->nformats; i++) {
		f = &job->formats[i];
		if (tep_parse_event(tep, f->text.data, f->text.len, f->system)) {
			hist_strbuf_printf(answer, "%c%u", SQL_BAD_FORMAT, i);
			return 0;
		}
	}
	trace_seq_init(&seq);
	errno = 0;
	synth = tracefs_sql(tep, job->name, job->query->text, &error);
	if (!synth && !error && errno == ENOMEM)
		return -ENOMEM;
	if (!synth) {
		hist_strbuf_printf(answer, "%c%s", SQL_BAD_QUERY, error ? error : "");
	} else if (sql_print_commands(&seq, synth)) {
		hist_strbuf_char(answer, SQL_COMMANDS);
		hist_strbuf_add(answer, seq.buffer, seq.len);
	} else {
		hist_strbuf_char(answer, SQL_NOTHING);
	}
	return 0;
}

/* Print the message of libtracefs, which has several lines, with the query and a caret. */
static int sql_report_query(char *message, struct hist_error *refusal)
{
	char *line, *rest = message;
	size_t len = strlen(message);

	while (len && message[len - 1] == '\n')
		message[--len] = '\0';
	if (!len)
		return hist_error_set(refusal, -EINVAL,
				      "--sql: libtracefs cannot parse the query, or the "
				      "query names an event or field that does not exist\n"
				      "see tracefs_sql(3)");
	message_error("--sql: the query has an error:");
	while ((line = strsep(&rest, "\n")))
		message_print_to(stderr, "%s", line);
	return -EINVAL;
}

/* Take the answer of the child. */
static int sql_take_answer(const struct sql_job *job, struct hist_strbuf *answer,
			   struct hist_strbuf *commands, struct hist_error *refusal)
{
	char kind = answer->len ? answer->data[0] : '\0', *text;
	unsigned int n;
	int ret = -EINVAL;

	hist_strbuf_char(answer, '\0');
	if (answer->error)
		return answer->error;
	text = answer->data + 1;
	if (kind == SQL_COMMANDS) {
		hist_strbuf_add(commands, text, answer->len - 2);
		ret = commands->error;
	} else if (kind == SQL_BAD_QUERY) {
		ret = sql_report_query(text, refusal);
	} else if (kind == SQL_BAD_FORMAT && sscanf(text, "%u", &n) == 1 && n < job->nformats) {
		hist_error_set(refusal, ret, "--sql: cannot read the format file of %s:%s: %s",
			       job->formats[n].system, job->formats[n].event, strerror(-ret));
	} else {
		hist_error_set(refusal, ret,
			       "--sql: libtracefs cannot make a histogram or a latency of "
			       "the query\nsee tracefs_sql(3)");
	}
	return ret;
}

static int sql_parse(const struct query_sql *sql, const struct sql_text *text, const char *name,
		     struct hist_strbuf *commands, struct hist_error *refusal)
{
	struct hist_target *t = ((const struct sql_source *)sql)->target;
	struct sql_job job = { .target = t, .query = text, .name = name };
	const struct confine confine = {
		.work = sql_parse_confined, .data = &job, .seconds = SQL_SECONDS,
		.patience = SQL_PATIENCE, .megabytes = SQL_MEGABYTES, .answer_max = SQL_ANSWER_MAX,
	};
	struct hist_strbuf answer = { 0 };
	struct hist_error error = { 0 };
	int ret = sql_read_formats(&job, t);

	if (!ret) {
		ret = confine_run(&confine, &answer, &error);
		if (!ret)
			ret = sql_take_answer(&job, &answer, commands, refusal);
		else if (error.err)
			hist_error_set(refusal, ret,
				       "--sql: the parser of libtracefs %s for this query\n"
				       "use -e with -k and -v, or --latency in place of a JOIN",
				       error.what);
	}
	hist_strbuf_free(&answer);
	sql_free_formats(&job);
	return ret;
}

void sql_source_init(struct sql_source *s, struct hist_target *t)
{
	*s = (struct sql_source){ .sql.parse = sql_parse, .target = t };
}
