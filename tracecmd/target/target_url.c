// SPDX-License-Identifier: GPL-2.0
/*
 * target_url.c - parse the URL of a target
 *
 * Invariant: a host or user cannot become an option of ssh. Neither may begin with "-", and "--"
 * precedes the host.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/message.h"
#include "tracecmd/target/address.h"
#include "tracecmd/target/target_url.h"

static const char forms[] = "ssh://[USER@]HOST[:PORT], tcp://HOST:PORT, exec:COMMAND or "
			    "shell:URL";

static const char *const schemes[] = { "ssh://", "tcp://", "exec:", "shell:" };

const char *target_url_scheme(unsigned int i)
{
	return i < sizeof(schemes) / sizeof(*schemes) ? schemes[i] : NULL;
}

/* Split "[::1]:22", "host:22" or "host" in place; false if @text is invalid. */
static bool split_host(char *text, char **host, char **port)
{
	char *end;

	*port = NULL;
	if (*text == '[') {
		*host = text + 1;
		end = strchr(text, ']');
		if (!end || (end[1] && end[1] != ':'))
			return false;
		*port = end[1] ? end + 2 : NULL;
		*end = '\0';
	} else {
		*host = text;
		end = strchr(text, ':');
		if (end) {
			*end = '\0';
			*port = end + 1;
		}
	}
	if (*port && (!**port || (*port)[strspn(*port, "0123456789")] || strlen(*port) > 5))
		return false;
	return **host && **host != '-' && !strpbrk(*host, "/@ \t\n");
}

static int parse_ssh(struct target_url *url, const char *rest)
{
	char *user = NULL, *host, *port, *at;
	int n = 0;

	url->owned = strdup(rest);
	if (!url->owned)
		return -ENOMEM;
	host = url->owned;
	if (*host && host[strlen(host) - 1] == '/')
		host[strlen(host) - 1] = '\0';
	at = strrchr(host, '@');
	if (at) {
		user = host;
		*at = '\0';
		host = at + 1;
		if (!*user || *user == '-')
			return -EINVAL;
	}
	if (!split_host(host, &host, &port))
		return -EINVAL;
	url->argv[n++] = "ssh";
	/* no terminal on the target, and no escape character */
	url->argv[n++] = "-T";
	url->argv[n++] = "-oEscapeChar=none";
	if (port) {
		url->argv[n++] = "-p";
		url->argv[n++] = port;
	}
	if (user) {
		url->argv[n++] = "-l";
		url->argv[n++] = user;
	}
	url->argv[n++] = "--";
	url->argv[n++] = host;
	/* the login shell may be a different one */
	url->argv[n++] = "sh";
	url->label = strdup(host);
	return url->label ? 0 : -ENOMEM;
}

/* `trace-cmd hist connect` makes the connection, and prints errors on its stderr. */
static int parse_tcp(struct target_url *url, const char *where)
{
	struct address address;
	struct hist_error error = { 0 };
	int ret;

	url->owned = strdup(where);
	if (!url->owned)
		return -ENOMEM;
	if (*where && where[strlen(where) - 1] == '/')
		url->owned[strlen(where) - 1] = '\0';
	ret = address_parse(&address, url->owned, &error);
	if (ret)
		return ret;
	url->label = address.host;
	/* not searched by name, because the name may be trace-cmd */
	url->argv[0] = "/proc/self/exe";
	url->argv[1] = "connect";
	url->argv[2] = "--";
	url->argv[3] = url->owned;
	return url->label ? 0 : -ENOMEM;
}

static int parse_exec(struct target_url *url, const char *command)
{
	if (!*command)
		return -EINVAL;
	url->owned = strdup(command);
	url->label = strdup("exec");
	if (!url->owned || !url->label)
		return -ENOMEM;
	url->argv[0] = "sh";
	url->argv[1] = "-c";
	url->argv[2] = url->owned;
	return 0;
}

int target_url_parse(struct target_url *url, const char *text, struct hist_error *error)
{
	const char *rest = text;
	int ret = -EINVAL;

	memset(url, 0, sizeof(*url));
	if (!strncmp(rest, "shell:", 6)) {
		url->shell_only = true;
		rest += 6;
	}
	if (!strncmp(rest, "ssh://", 6))
		ret = parse_ssh(url, rest + 6);
	else if (!strncmp(rest, "tcp://", 6) && !url->shell_only)
		ret = parse_tcp(url, rest + 6);
	else if (!strncmp(rest, "exec:", 5))
		ret = parse_exec(url, rest + 5);
	if (ret == -EINVAL)
		hist_error_set(error, ret, "--target %s: must be %s", text, forms);
	else if (ret)
		hist_error_set(error, ret, "out of memory");
	return ret;
}

void target_url_clear(struct target_url *url)
{
	free(url->label);
	free(url->owned);
	memset(url, 0, sizeof(*url));
}
