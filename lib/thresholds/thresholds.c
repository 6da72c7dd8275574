// SPDX-License-Identifier: LGPL-2.1
/*
 * thresholds.c - a file of thresholds and budgets
 *
 * The file becomes a list of sections with their settings, in order.  A lookup walks the
 * whole list, and each setting that matches overwrites the earlier one.  The last one in
 * the file therefore wins.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/thresholds/thresholds.h"

enum word { WORD_THRESHOLD, WORD_WORSE, WORD_MIN_HITS, WORD_MAX, WORD_EXCEED, WORDS };

static const char *const words[WORDS] = {
	[WORD_THRESHOLD] = "threshold", [WORD_WORSE] = "worse", [WORD_MIN_HITS] = "min-hits",
	[WORD_MAX] = "max",		[WORD_EXCEED] = "exceed",
};

struct setting {
	enum word word;
	char *metric; /* pattern; NULL: all metrics */
	unsigned int line;
	bool none;    /* MAX, EXCEED: removes the budget */
	bool first;   /* EXCEED: the first of its section, which removes all earlier ones */
	double threshold;
	enum hist_worse worse;
	uint64_t min_hits;
	struct hist_limit max;
	struct hist_exceed_limit exceed;
};

struct section {
	char *text;
	char *hist, *key; /* patterns; key NULL: all keys */
	unsigned int line;
	unsigned int n;
	struct setting *settings;
};

struct hist_thresholds {
	unsigned int n, limits;
	struct section *sections;
};

/* The state of the parser. */
struct reader {
	struct hist_thresholds *t;
	struct hist_error *error;
};

void hist_thresholds_free(struct hist_thresholds *t)
{
	unsigned int i, k;

	if (!t)
		return;
	for (i = 0; i < t->n; i++) {
		for (k = 0; k < t->sections[i].n; k++)
			free(t->sections[i].settings[k].metric);
		free(t->sections[i].settings);
		free(t->sections[i].text);
		free(t->sections[i].hist);
		free(t->sections[i].key);
	}
	free(t->sections);
	free(t);
}

/* Remove blanks at both ends, in place. */
static char *thresholds_trim_blanks(char *s)
{
	size_t len;

	s += strspn(s, " \t\r\n");
	len = strlen(s);
	while (len && strchr(" \t\r\n", s[len - 1]))
		len--;
	s[len] = '\0';
	return s;
}

/* Parse "[EVENT]" or "[EVENT KEY]"; the brackets are the first and last bytes of the line. */
static int thresholds_parse_section(struct reader *r, char *line, unsigned int number)
{
	size_t len = strlen(line);
	struct section *s;
	char *text, *key;

	if (line[len - 1] != ']')
		return hist_error_set(r->error, -EINVAL,
				      "']' is missing at the end of [EVENT] or "
				      "[EVENT KEY]");
	line[len - 1] = '\0';
	text = thresholds_trim_blanks(line + 1);
	if (!*text)
		return hist_error_set(r->error, -EINVAL,
				      "the section is empty\nuse [EVENT], [EVENT KEY] or "
				      "[*]");
	if (array_add(&r->t->sections, r->t->n, sizeof(*s)))
		return -ENOMEM;
	s = memset(&r->t->sections[r->t->n++], 0, sizeof(*s));
	s->line = number;
	s->text = strdup(text);
	key = text + strcspn(text, " \t");
	s->hist = strndup(text, key - text);
	key += strspn(key, " \t");
	if (*key)
		s->key = strdup(key);
	return s->text && s->hist && (s->key || !*key) ? 0 : -ENOMEM;
}

static int min_hits_parse(uint64_t *min_hits, const char *value)
{
	char *end;

	errno = 0;
	*min_hits = strtoull(value, &end, 10);
	return strspn(value, "0123456789") && !*end && !errno ? 0 : -EINVAL;
}

static int thresholds_parse_worse(enum hist_worse *worse, const char *text)
{
	enum hist_worse i;

	for (i = HIST_WORSE_HIGHER; i <= HIST_WORSE_NONE; i++) {
		if (strcmp(hist_threshold_worse_name(i), text))
			continue;
		*worse = i;
		return 0;
	}
	return -EINVAL;
}

static int take_value(struct reader *r, struct setting *s, const char *value)
{
	static const char *const problems[WORDS] = {
		[WORD_THRESHOLD] = "must be a percentage, such as 5 %",
		[WORD_WORSE] = "must be higher, lower, both or none",
		[WORD_MIN_HITS] = "must be a number, such as 100",
		[WORD_MAX] = ("must be a number with an optional unit "
			      "(ns, us, ms, s, B, KiB, MiB), such as 5 ms"),
		[WORD_EXCEED] = "must be VALUE[UNIT] : PERCENT, such as 1 ms : 0.1 %",
	};
	int ret;

	s->none = (s->word == WORD_MAX || s->word == WORD_EXCEED) && !strcmp(value, "none");
	if (s->none)
		return 0;
	ret = s->word == WORD_THRESHOLD	 ? hist_threshold_parse_percent(&s->threshold, value)
	      : s->word == WORD_WORSE	 ? thresholds_parse_worse(&s->worse, value)
	      : s->word == WORD_MIN_HITS ? min_hits_parse(&s->min_hits, value)
	      : s->word == WORD_MAX	 ? hist_threshold_parse_limit(&s->max, value)
					 : hist_threshold_parse_exceed(&s->exceed, value);
	return ret ? hist_error_set(r->error, -EINVAL, "%s%s%s = %s: %s", words[s->word],
				    s->metric ? "." : "", s->metric ? s->metric : "", value,
				    problems[s->word])
		   : 0;
}

/* Parse the name of a setting, such as "threshold.p99". */
static int thresholds_parse_setting_name(struct reader *r, struct setting *s, char *name)
{
	char *dot = strchr(name, '.');
	const char *near;
	unsigned int i;

	if (dot)
		*dot++ = '\0';
	for (i = 0; i < WORDS && strcmp(words[i], name); i++)
		;
	if (i == WORDS) {
		near = hist_suggest(name, words, WORDS);
		if (near)
			return hist_error_set(r->error, -EINVAL,
					      "unknown setting \"%s\"\ndid you mean "
					      "\"%s\"?",
					      name, near);
		return hist_error_set(r->error, -EINVAL,
				      "unknown setting \"%s\"\nuse threshold, worse, "
				      "min-hits, max or exceed",
				      name);
	}
	s->word = i;
	if (!dot)
		return 0;
	if (s->word != WORD_THRESHOLD && s->word != WORD_WORSE)
		return hist_error_set(r->error, -EINVAL,
				      "%s cannot be set for a single metric\nremove "
				      "\".%s\"",
				      name, dot);
	if (!*dot)
		return hist_error_set(r->error, -EINVAL, "a metric is missing after \"%s.\"", name);
	s->metric = strdup(dot);
	return s->metric ? 0 : -ENOMEM;
}

static int take_setting(struct reader *r, char *line, unsigned int number)
{
	struct setting made = { .line = number };
	struct section *section;
	char *equal = strchr(line, '=');
	unsigned int i, exceeds = 0;
	int ret;

	if (!equal)
		return hist_error_set(r->error, -EINVAL, "neither [EVENT] nor SETTING = VALUE");
	if (!r->t->n)
		return hist_error_set(r->error, -EINVAL,
				      "the setting is not in a section\nbegin a section "
				      "with [EVENT], [EVENT KEY] or [*]");
	section = &r->t->sections[r->t->n - 1];
	*equal = '\0';
	ret = thresholds_parse_setting_name(r, &made, thresholds_trim_blanks(line));
	if (!ret)
		ret = take_value(r, &made, thresholds_trim_blanks(equal + 1));
	for (i = 0; i < section->n; i++)
		exceeds += section->settings[i].word == WORD_EXCEED;
	made.first = !exceeds;
	if (made.word == WORD_MAX)
		made.max.id = HIST_LIMIT_FILE + r->t->limits++;
	else if (made.word == WORD_EXCEED)
		made.exceed.limit.id = HIST_LIMIT_FILE + r->t->limits++;
	if (!ret && made.word == WORD_EXCEED && exceeds == HIST_EXCEED_MAX)
		ret = hist_error_set(r->error, -EINVAL,
				     "a section can have at most %d \"exceed\" settings",
				     HIST_EXCEED_MAX);
	if (!ret)
		ret = array_add(&section->settings, section->n, sizeof(made));
	if (ret)
		free(made.metric);
	else
		section->settings[section->n++] = made;
	return ret;
}

static int thresholds_parse_line(struct reader *r, char *line, size_t len, unsigned int number)
{
	if (strlen(line) != len)
		return hist_error_set(r->error, -EINVAL,
				      "not a text file: the line contains a NUL byte");
	line = thresholds_trim_blanks(line);
	if (!*line || *line == '#' || *line == ';')
		return 0;
	return *line == '[' ? thresholds_parse_section(r, line, number) :
			      take_setting(r, line, number);
}

int hist_thresholds_parse(struct hist_thresholds **thresholds, char *text, size_t len,
			  unsigned int *line, struct hist_error *error)
{
	struct hist_thresholds *t = calloc(1, sizeof(*t));
	struct reader r = { t, error };
	char *end = text + len, *next;
	int ret = t ? 0 : -ENOMEM;

	for (*line = 1; !ret && text < end; (*line)++) {
		next = memchr(text, '\n', end - text);
		if (!next)
			next = end;
		*next = '\0';
		ret = thresholds_parse_line(&r, text, next - text, *line);
		if (ret)
			break;
		text = next + 1;
	}
	if (ret)
		hist_thresholds_free(t);
	else
		*thresholds = t;
	return ret;
}

int hist_thresholds_judge_only(struct hist_thresholds **thresholds, const char *metric,
			       enum hist_worse worse)
{
	struct hist_thresholds *t = calloc(1, sizeof(*t));
	struct hist_error error = { 0 };
	char any[] = "[*]", rest[] = "worse = none";
	struct reader r = { t, &error };
	char *lines[] = { any, rest, NULL };
	unsigned int i;
	int ret = 0;

	if (!t ||
	    asprintf(&lines[2], "worse.%s = %s", metric, hist_threshold_worse_name(worse)) < 0) {
		free(t);
		return -ENOMEM;
	}
	for (i = 0; i < 3 && !ret; i++)
		ret = thresholds_parse_line(&r, lines[i], strlen(lines[i]), 0);
	free(lines[2]);
	if (ret)
		hist_thresholds_free(t);
	else
		*thresholds = t;
	return ret;
}

/* A pattern without "#N" matches all histograms of the event. */
static bool thresholds_match_event(const char *pattern, const char *hist)
{
	size_t len = strcspn(hist, "#");
	char event[256];

	if (strchr(pattern, '#'))
		return !fnmatch(pattern, hist, 0) ||
		       (!hist[len] && strlen(pattern) == len + 2 && !memcmp(pattern, hist, len) &&
			!strcmp(pattern + len, "#0"));
	snprintf(event, sizeof(event), "%.*s", len < sizeof(event) ? (int)len : 255, hist);
	return !fnmatch(pattern, event, 0);
}

bool hist_thresholds_match_hist(const struct hist_thresholds *t, unsigned int i, const char *hist,
				const char *key)
{
	const struct section *s = &t->sections[i];

	return thresholds_match_event(s->hist, hist) &&
	       (!key || !s->key || !fnmatch(s->key, key, 0));
}

static void thresholds_apply_setting(struct hist_gate *gate, const struct setting *s)
{
	switch (s->word) {
	case WORD_THRESHOLD:
		gate->threshold = s->threshold;
		break;
	case WORD_WORSE:
		gate->worse = s->worse;
		break;
	case WORD_MIN_HITS:
		gate->min_hits = s->min_hits;
		break;
	case WORD_MAX:
		gate->has_max = !s->none;
		gate->max = s->max;
		break;
	default:
		if (s->first || s->none)
			gate->nexceed = 0;
		if (!s->none)
			gate->exceed[gate->nexceed++] = s->exceed;
	}
}

void hist_thresholds_apply(const struct hist_thresholds *t, struct hist_gate *gate,
			   const char *hist, const char *key, const char *metric)
{
	const struct setting *s;
	unsigned int i, k;

	for (i = 0; t && i < t->n; i++) {
		if (!hist_thresholds_match_hist(t, i, hist, key))
			continue;
		for (k = 0; k < t->sections[i].n; k++) {
			s = &t->sections[i].settings[k];
			if (!s->metric)
				thresholds_apply_setting(gate, s);
		}
		/* the order of the lines of a section does not matter */
		for (k = 0; metric && k < t->sections[i].n; k++) {
			s = &t->sections[i].settings[k];
			if (s->metric && !fnmatch(s->metric, metric, 0))
				thresholds_apply_setting(gate, s);
		}
	}
}

static bool thresholds_setting_gates(const struct setting *s)
{
	if (s->word == WORD_WORSE)
		return s->worse != HIST_WORSE_NONE;
	return (s->word == WORD_MAX || s->word == WORD_EXCEED) && !s->none;
}

bool hist_thresholds_names_metric(const struct hist_thresholds *t, const char *hist,
				  const char *key, const char *metric)
{
	const struct setting *s;
	bool named = false;
	unsigned int i, k;

	for (i = 0; t && i < t->n; i++) {
		if (!hist_thresholds_match_hist(t, i, hist, key))
			continue;
		for (k = 0; k < t->sections[i].n; k++) {
			s = &t->sections[i].settings[k];
			named &= s->word != WORD_WORSE || s->metric;
		}
		for (k = 0; k < t->sections[i].n; k++) {
			s = &t->sections[i].settings[k];
			if (s->word != WORD_WORSE || !s->metric)
				continue;
			if (!metric)
				named |= thresholds_setting_gates(s);
			else if (!fnmatch(s->metric, metric, 0))
				named = thresholds_setting_gates(s);
		}
	}
	return named;
}

bool hist_thresholds_gates(const struct hist_thresholds *t)
{
	unsigned int i, k;

	for (i = 0; t && i < t->n; i++)
		for (k = 0; k < t->sections[i].n; k++)
			if (thresholds_setting_gates(&t->sections[i].settings[k]))
				return true;
	return false;
}

unsigned int hist_thresholds_limits(const struct hist_thresholds *t)
{
	return HIST_LIMIT_FILE + (t ? t->limits : 0);
}

int hist_thresholds_setting(const struct hist_thresholds *t, unsigned int i, unsigned int k,
			    struct hist_thresholds_setting *setting)
{
	const struct setting *s;

	if (i >= t->n || k >= t->sections[i].n)
		return -ENOENT;
	s = &t->sections[i].settings[k];
	*setting = (struct hist_thresholds_setting){
		words[s->word], s->metric, s->line, thresholds_setting_gates(s),
		(s->word == WORD_MAX || s->word == WORD_EXCEED) && !s->none,
		s->word == WORD_MAX ? s->max.id : s->exceed.limit.id,
	};
	return 0;
}

int hist_thresholds_section(const struct hist_thresholds *t, unsigned int i, const char **text,
			    unsigned int *line)
{
	if (i >= t->n)
		return -ENOENT;
	*text = t->sections[i].text;
	*line = t->sections[i].line;
	return 0;
}
