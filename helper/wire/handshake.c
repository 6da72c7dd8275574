// SPDX-License-Identifier: GPL-2.0
/* handshake.c - the handshake before the frames, on the target's side */
#include "helper/port/port.h"

#include "helper/port/text.h"
#include "helper/wire/handshake.h"

/* Parse "NEWEST OLDEST" after the first word of the line; false if the line is different. */
static bool handshake_parse_versions(const char *line, uint64_t *newest, uint64_t *oldest)
{
	const char *word = "#trace-cmd-hist ";
	char number[TEXT_NUMBER_MAX];
	size_t len;

	if (strncmp(line, word, strlen(word)))
		return false;
	line += strlen(word);
	len = strcspn(line, " ");
	if (len >= sizeof(number) || !line[len])
		return false;
	memcpy(number, line, len);
	number[len] = '\0';
	return text_parse_number(number, 10, newest) &&
	       text_parse_number(line + len + 1, 10, oldest);
}

int handshake_answer(struct wire *w, const char *version, const struct hist_error *refusal)
{
	static const struct hist_error other_version = {
		.what = "the target helper uses another version of the protocol",
		.hint = "install the same version on both machines",
	};
	char line[WIRE_LINE_MAX], problem[300], a[TEXT_NUMBER_MAX], b[TEXT_NUMBER_MAX];
	uint64_t newest, oldest;
	int ret;

	ret = wire_read_line(w, line);
	if (ret)
		return ret;
	text_format_number(a, WIRE_NEWEST, 10, 1);
	text_format_number(b, WIRE_OLDEST, 10, 1);
	if (!handshake_parse_versions(line, &newest, &oldest))
		return -EPROTO;
	ret = wire_read_line(w, line);
	if (ret)
		return ret;
	if (!refusal && (newest < WIRE_OLDEST || oldest > WIRE_NEWEST))
		refusal = &other_version;
	/* one line: "PROBLEM; HINT" */
	if (refusal) {
		text_join_to(problem, sizeof(problem), refusal->what, *refusal->hint ? "; " : "",
			     refusal->hint, NULL);
		text_join_to(line, sizeof(line), "trace-cmd-hist:refused ", problem, "\n", NULL);
	} else {
		text_join_to(line, sizeof(line), "trace-cmd-hist:helper ", a, " ", b, " ", version,
			     "\n", NULL);
	}
	ret = wire_send_text(w, line);
	return ret ? ret : refusal ? -EPROTO : 0;
}
