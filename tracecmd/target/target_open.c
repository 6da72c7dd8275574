// SPDX-License-Identifier: GPL-2.0
/*
 * target_open.c - open the target that a URL names
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/target/target_link.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/target/target_remote.h"
#include "tracecmd/target/target_shell.h"
#include "tracecmd/target/target_url.h"

/* Time limit for a login: the user may have to type a password. */
#define LOGIN_S 120

static void link_explain(void *arg, int err, struct hist_error *error)
{
	connection_explain(arg, err, WIRE_REQUEST_MS / 1000, error);
}

static void link_free(void *arg)
{
	connection_free(arg);
}

static int shake_hands(struct hist_target **target, struct connection *c, bool shell_only,
		       struct hist_error *error)
{
	struct remote_link link = { link_explain, link_free, c };
	struct wire_io io = connection_io(c);
	struct wire *w = wire_new(&io);
	enum bootstrap_kind kind;
	unsigned int version;
	int ret;

	if (w)
		wire_set_deadline(w, LOGIN_S * 1000);
	ret = w ? bootstrap(w, shell_only, &kind, &version, error) : -ENOMEM;
	if (ret) {
		if (ret == -EREMOTEIO)
			hist_error_prefix(error, ret, "%s: ", connection_label(c));
		else
			connection_explain(c, ret, LOGIN_S, error);
		free(w);
		connection_free(c);
		return ret;
	}
	if (kind == BOOTSTRAP_SHELL)
		return target_shell_new(target, w, &link, error);
	return target_remote_new(target, w, version, &link, error);
}

/* Without a key the child that connects would fail, with a message that is harder to read. */
static int target_check_key(const char *text, struct hist_error *error)
{
	const char *key = getenv(TARGET_KEY_ENV);

	if (strncmp(text, "tcp://", 6) || (key && *key))
		return 0;
	return hist_error_set(error, -EINVAL,
			      "--target %s: the listener requires a key\n"
			      "add --key FILE, with the key that the listener uses",
			      text);
}

int target_open(struct hist_target **target, const char *text, struct hist_error *error)
{
	struct connection *c;
	struct target_url url;
	int ret;

	if (!text)
		return target_local_new(target, error);
	ret = target_url_parse(&url, text, error);
	if (!ret)
		ret = target_check_key(text, error);
	if (!ret)
		ret = connection_new(&c, url.argv, url.label, error);
	if (!ret)
		ret = shake_hands(target, c, url.shell_only, error);
	target_url_clear(&url);
	return ret;
}
