// SPDX-License-Identifier: GPL-2.0
/* serve_stdio.c - serve a host over stdin and stdout */
#include "helper/port/port.h"

#include "helper/local/tracefs_dir.h"
#include "helper/port/text.h"
#include "helper/serve/serve.h"
#include "helper/undo/undo_list.h"
#include "helper/wire/handshake.h"

struct stdio {
	int signals;
};

static int stdio_read(void *arg, void *to, size_t len)
{
	ssize_t got = read(0, to, len);

	(void)arg;
	return got < 0 ? -errno : got;
}

static int stdio_write(void *arg, const void *from, size_t len)
{
	ssize_t done = write(1, from, len);

	(void)arg;
	return done < 0 ? -errno : done;
}

static int stdio_wait(void *arg, short events, int ms)
{
	const struct stdio *io = arg;
	struct pollfd fds[2] = {
		{ .fd = events == POLLIN ? 0 : 1, .events = events },
		{ .fd = io->signals, .events = POLLIN },
	};
	int n;

	do
		n = poll(fds, 2, ms);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (!n)
		return -ETIMEDOUT;
	return fds[1].revents ? -ECANCELED : 0;
}

int serve_stdio(const char *version, unsigned int idle_s, struct hist_error *error)
{
	struct stdio io = { .signals = port_signals() };
	struct wire_io wire_io = { stdio_read, stdio_write, stdio_wait, &io };
	struct wire *w = wire_new(&wire_io);
	struct hist_target *target;
	struct hist_error odd;
	char number[TEXT_NUMBER_MAX];
	unsigned int left;
	int dir, journals, ret;

	if (!w || io.signals < 0) {
		text_refuse(error, -ENOMEM, w ? "cannot receive signals" : "out of memory", NULL);
		free(w);
		return 2;
	}
	wire_set_deadline(w, idle_s * 1000);
	dir = tracefs_dir_find(error);
	ret = dir < 0 ? dir : tracefs_dir_new(&target, NULL, dir, NULL, error);
	if (ret) {
		handshake_answer(w, version, error);
		free(w);
		close(io.signals);
		return 2;
	}
	/* best effort: without a journal, changes remain only after a kill */
	journals = undo_journal_open_dir(true, &odd);
	ret = serve(w, target, journals, version, idle_s, &left);
	if (journals >= 0)
		close(journals);
	target_free(target);
	free(w);
	close(io.signals);
	text_format_number(number, left, 10, 1);
	if (left)
		text_refuse(error, -EIO, number, left == 1 ? " change" : " changes",
			    " could not be undone\nrun 'trace-cmd hist cleanup'", NULL);
	else if (ret == -ETIMEDOUT)
		text_refuse(error, ret,
			    "the host sent no complete request within the time limit; all changes "
			    "are undone",
			    NULL);
	else if (ret == -ECANCELED)
		text_refuse(error, ret, "ended by a signal; all changes are undone", NULL);
	else if (ret == -EPROTO || ret == -EBADMSG || ret == -EMSGSIZE)
		text_refuse(error, ret,
			    "the other side does not speak the protocol of trace-cmd hist", NULL);
	else if (ret)
		text_refuse(error, ret, "connection: ", strerror(-ret), NULL);
	return ret || left ? 2 : 0;
}
