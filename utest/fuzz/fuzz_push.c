// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_push.c - any bytes as what a listener answers to a recording that is sent to it
 *
 * Everything is said at once, and then it hangs up.  Whatever that was, the sender
 * comes to an end, and knows whether the file was taken.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tracecmd/output/listener_sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A good beginning, for inputs that begin with an odd byte. */
static const char greeting[] =
	"tracecmd" "V3\0" "OK" "\0\0\0\020" "\0\0\0\002" "\0\0\0\004" "\0\0\0";

static void put(struct listener_link *p)
{
	static unsigned char bytes[10000];
	struct tracedat_sink *sink = listener_link_sink(p);
	int i, ret;

	listener_link_set_keepalive(p, bytes, 64);
	for (i = 0; i < 3; i++) {
		ret = sink->put(sink, &(struct iovec){ bytes, sizeof(bytes) }, 1, 0);
		if (ret && ret != -EPIPE)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hist_error error = { 0 };
	struct listener_link *p = NULL;
	int fds[2], ret;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds))
		abort();
	if (size && data[0] & 1 && send(fds[1], greeting, sizeof(greeting), 0) < 0)
		abort();
	if (size && send(fds[1], data + 1, size - 1, 0) < 0)
		abort();
	shutdown(fds[1], SHUT_WR);
	ret = listener_link_open_fd(&p, fds[0], &error);
	if (!ret)
		ret = listener_link_start(p, 4096, &error);
	if (ret && !*error.what)
		abort();
	if (!ret) {
		put(p);
		ret = listener_link_finish(p, -1);
		if (ret && (ret != -EPIPE || !listener_link_error(p)))
			abort();
	}
	listener_link_free(p);
	close(fds[1]);
	return 0;
}
