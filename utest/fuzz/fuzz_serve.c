// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_serve.c - any bytes as what a host sends to a helper
 *
 * The target is a few texts in memory.  Whatever comes, each file that was opened
 * is closed, and nothing is removed that was not noted.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "helper/serve/serve.h"
#include "helper/undo/undo_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char greeting[] = "#trace-cmd-hist 1 1\n\n";

struct host {
	const uint8_t *data;
	size_t len, at, greeted;
};

static int host_read(void *arg, void *to, size_t len)
{
	struct host *h = arg;
	size_t n;

	/* an odd first byte is the begin of a handshake by chance */
	if (h->greeted < sizeof(greeting) - 1 && !(h->len && h->data[0] & 1)) {
		n = sizeof(greeting) - 1 - h->greeted;
		n = n < len ? n : len;
		memcpy(to, greeting + h->greeted, n);
		h->greeted += n;
		return n;
	}
	if (!h->at && h->len)
		h->at = 1;
	n = h->len - h->at;
	n = n < len ? n : len;
	memcpy(to, h->data + h->at, n);
	h->at += n;
	return n;
}

static int host_write(void *arg, const void *from, size_t len)
{
	uint32_t sum = wire_crc32(0, from, len);

	(void)arg;
	(void)sum;
	return len;
}

static int host_wait(void *arg, short events, int ms)
{
	(void)arg;
	(void)events;
	(void)ms;
	return 0;
}

/* --- the target --- */

static int opened, reads;

static int set(struct target_buf *buf, const char *text, size_t len)
{
	if (target_buf_reserve(buf, len + 1))
		return -ENOMEM;
	memcpy(buf->data, text, len);
	buf->data[len] = '\0';
	buf->len = len;
	return 0;
}

static int mem_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	static const char text[] = "hist:keys=a\n{ a: 1 } hitcount: 1\nlocal [mono]\n";

	(void)t;
	if (!target_path_is_valid(path))
		return -EINVAL;
	/* sometimes another one, so that there is something to take back */
	return strlen(path) % 5 == 4 ? -ENOENT : set(buf, text, sizeof(text) - 1 - reads++ % 7);
}

static int mem_open(struct hist_target *t, const char *path, int *handle)
{
	(void)t;
	if (!target_path_is_valid(path))
		return -EINVAL;
	*handle = opened++;
	return 0;
}

static int mem_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	char text[64 * 40];
	size_t len = 0, i;

	for (i = 0; i < 40; i++) {
		memset(text + len, 'a' + i % 26, 50);
		text[len + 30] = '}';
		text[len + 31] = ' ';
		text[len + 40] = '0' + (i * reads / 3) % 10;
		text[len + 50] = '\n';
		len += 51;
	}
	reads++;
	return handle % 7 == 6 ? mem_read(t, "abcd", buf) : set(buf, text, len);
}

static void mem_close(struct hist_target *t, int handle)
{
	(void)t;
	(void)handle;
	opened--;
}

static int mem_write(struct hist_target *t, const char *path, const char *data, size_t len,
		     bool append)
{
	uint32_t sum = wire_crc32(0, data, len);

	(void)t;
	(void)sum;
	if (!target_path_is_valid(path) || (!append && target_truncation_harms(path)))
		return -EINVAL;
	return 0;
}

static int mem_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	(void)t;
	return target_path_is_valid(path) ? set(buf, "a\0bc\0", 5) : -EINVAL;
}

static int mem_dir(struct hist_target *t, const char *path)
{
	(void)t;
	return target_path_is_valid(path) ? 0 : -EINVAL;
}

static int mem_exists(struct hist_target *t, const char *path)
{
	(void)t;
	return target_path_is_valid(path) ? 1 : -EINVAL;
}

static int mem_reread_pieces(struct hist_target *t, int handle, target_take take, void *arg)
{
	struct target_buf buf = { 0 };
	int ret = mem_reread(t, handle, &buf);

	if (!ret)
		ret = take(arg, buf.data, buf.len);
	free(buf.data);
	return ret;
}

static int mem_clock(struct hist_target *t, const char *clock, const char *instance, uint64_t *now)
{
	(void)t;
	(void)instance;
	*now = reads;
	return *clock == 'm' ? 0 : -ENOTSUP;
}

static const struct hist_target_ops mem_ops = {
	.read = mem_read,
	.open = mem_open,
	.reread = mem_reread,
	.reread_pieces = mem_reread_pieces,
	.close = mem_close,
	.write = mem_write,
	.list = mem_list,
	.mkdir = mem_dir,
	.rmdir = mem_dir,
	.exists = mem_exists,
	.clock = mem_clock,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct host host = { .data = data, .len = size };
	struct wire_io io = { host_read, host_write, host_wait, &host };
	struct hist_target target = {
		.ops = &mem_ops, .uname = "Linux h 6 x", .host = "h", .cpus = 1,
		.page_size = 4096, .long_size = 8,
	};
	struct wire *w = wire_new(&io);
	unsigned int left;

	if (!w)
		abort();
	opened = reads = 0;
	serve(w, &target, -1, "0", 0, &left);
	if (opened)
		abort();
	free(w);
	return 0;
}
