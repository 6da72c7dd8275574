// SPDX-License-Identifier: GPL-2.0
/*
 * live_readers.c - read the ring buffers of this machine: the pages of each CPU, and the threads
 *
 * The pages come from per_cpu/cpuN/trace_pipe_raw, by mmap() if the kernel supports it (Linux
 * 6.10), otherwise by read(). Returned events are consumed.
 *
 * With mmap(), the meta page names the reader page and the number of bytes that count as read. An
 * ioctl moves this position to the end of the available data or, if there is no new data, to the
 * next page (include/uapi/linux/trace_mmap.h, ring_buffer_map_get_reader() in
 * kernel/trace/ring_buffer.c). A page that is still being written is returned several times. Event
 * times are relative to the start of the page, so the events that were returned before are walked
 * over. With read(), each call copies the available data of one page. The page time is then that of
 * its first event.
 *
 * For a snapshot the main thread requests a round (`asked`). Each reader reads until its buffer is
 * empty, or at most once around the buffer, reports that (`done`), and waits until the snapshot is
 * taken. Between rounds a reader sleeps until the kernel has filled a quarter of a buffer.
 *
 * A CPU that was not online since the instance was made is absent: it has no ring buffer until it
 * comes online (tracecmd/target/cpu_pages.h). Each live_pages_next() looks for it. One reader has
 * the streams of all CPUs that are absent at first. The kernel broadcasts when a CPU has come
 * online (KOBJ_ONLINE in drivers/base/core.c and kernel/cpu.c), so this reader needs no timer.
 * Without netlink it looks for the CPUs in each round.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/ringbuf/ring_page.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_private.h"
#include "tracecmd/target/cpu_pages.h"

struct live_pages;

/* Copy of struct trace_buffer_meta, which older system headers do not have. */
struct meta {
	uint32_t meta_page_size, meta_struct_len;
	uint32_t subbuf_size, nr_subbufs;
	struct {
		uint64_t lost_events;
		uint32_t id, read;
	} reader;
	uint64_t flags, entries, overrun, read, reserved1, reserved2;
};

/* GET_READER_OLD is the number of the first releases of Linux 6.10 to 6.12. */
#define GET_READER _IO('R', 0x20)
#define GET_READER_OLD _IO('T', 0x1)

struct live_pages {
	int fd;
	bool present; /* the CPU has a ring buffer */
	struct hist_ring_page_layout layout;
	size_t page_size;
	unsigned char *page; /* copy of the page, by read() or live_pages_copy(); or NULL */
	const struct meta *meta; /* mapped, or NULL */
	unsigned char *data;
	size_t data_size;
	unsigned long get_reader;
	uint32_t id, given; /* the last page returned, and how many of its bytes */
	bool continued; /* that page was returned before, with fewer bytes */
	bool lost; /* events were lost before that page */
	bool short_page;
};

static void live_pages_unmap_buffer(struct live_pages *p)
{
	if (p->data)
		munmap(p->data, p->data_size);
	if (p->meta)
		munmap((void *)p->meta, p->page_size);
	p->data = NULL;
	p->meta = NULL;
}

/* Map the ring buffer. If that fails, p->meta stays NULL and read() is used. */
static void live_pages_map_buffer(struct live_pages *p)
{
	size_t meta_size;
	void *at;

	at = mmap(NULL, p->page_size, PROT_READ, MAP_SHARED, p->fd, 0);
	if (at == MAP_FAILED)
		return;
	p->meta = at;
	meta_size = p->meta->meta_page_size;
	p->data_size = (size_t)p->meta->subbuf_size * p->meta->nr_subbufs;
	if (p->meta->meta_struct_len < sizeof(struct meta) ||
	    p->meta->subbuf_size != p->page_size || meta_size % p->page_size) {
		live_pages_unmap_buffer(p);
		return;
	}
	at = mmap(NULL, p->data_size, PROT_READ, MAP_SHARED, p->fd, meta_size);
	if (at == MAP_FAILED) {
		live_pages_unmap_buffer(p);
		return;
	}
	p->data = at;
	p->get_reader = GET_READER;
	if (ioctl(p->fd, p->get_reader) && errno == ENOTTY)
		p->get_reader = GET_READER_OLD;
	else
		return;
	if (ioctl(p->fd, p->get_reader) && errno == ENOTTY)
		live_pages_unmap_buffer(p);
}

/*
 * Look if the CPU has a ring buffer now.  Events that read(2) takes would be in the mapped page
 * again.
 */
static bool live_pages_look(struct live_pages *p)
{
	if (!p->present && cpu_pages_is_absent(p->fd))
		return false;
	if (!p->present)
		live_pages_map_buffer(p);
	p->present = true;
	return true;
}

/*
 * live_pages_open - read pages from @fd
 * @fd: open with O_NONBLOCK; the function takes ownership, also on failure.
 * @page_size: size of the ring buffer's pages.
 */
static int live_pages_open(struct live_pages **pages, int fd,
			   const struct hist_ring_page_layout *layout, size_t page_size)
{
	struct live_pages *p = calloc(1, sizeof(*p));

	if (!p) {
		close(fd);
		return -ENOMEM;
	}
	p->fd = fd;
	p->layout = *layout;
	p->page_size = page_size;
	p->id = UINT32_MAX;
	live_pages_look(p);
	*pages = p;
	return 0;
}

static void live_pages_free(struct live_pages *p)
{
	if (!p)
		return;
	live_pages_unmap_buffer(p);
	free(p->page);
	close(p->fd);
	free(p);
}

/*
 * Descriptor for poll(): readable if the buffer is filled up to the instance's buffer_percent.
 * -1 if the CPU is absent: poll() would not wait.
 */
static int live_pages_fd(const struct live_pages *p)
{
	return p->present ? p->fd : -1;
}

/*
 * True if the writer still fills the last page, so that the reader has caught up. Always false
 * for pages from read(2); live_pages_next() then returns 0 at the end.
 */
static bool live_pages_caught_up(const struct live_pages *p)
{
	return p->short_page;
}

static int next_read(struct live_pages *p, struct hist_ring_page *page)
{
	ssize_t n;

	if (!p->page)
		p->page = malloc(p->page_size);
	if (!p->page)
		return -ENOMEM;
	do {
		n = read(p->fd, p->page, p->page_size);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (!n)
		return 0;
	return hist_ring_page_begin(page, &p->layout, p->page, n) ? -EBADMSG : 1;
}

static int next_mapped(struct live_pages *p, struct hist_ring_page *page)
{
	const unsigned char *data, *from;
	uint32_t len, id, size;
	int ret;

	do {
		ret = ioctl(p->fd, p->get_reader);
	} while (ret && errno == EINTR);
	if (ret)
		return errno == EAGAIN ? 0 : -errno;
	/* the kernel may write these members at any time: load each once */
	id = __atomic_load_n(&p->meta->reader.id, __ATOMIC_ACQUIRE);
	size = __atomic_load_n(&p->meta->reader.read, __ATOMIC_ACQUIRE);
	if (id != p->id)
		p->given = 0;
	if (size == p->given)
		return 0;
	if (id >= p->data_size / p->page_size ||
	    hist_ring_page_begin(page, &p->layout, p->data + id * p->page_size, p->page_size) ||
	    size > (size_t)(page->end - page->at) || size < p->given)
		return -EBADMSG;
	if (!p->given && !page->lost)
		page->lost = p->meta->reader.lost_events;
	else if (p->given)
		page->lost = 0;
	hist_ring_page_cut(page, size);
	from = page->at + p->given;
	p->continued = p->given;
	p->lost = p->continued ? p->lost : page->lost;
	p->id = id;
	p->given = size;
	while (page->at < from && hist_ring_page_next(page, &data, &len))
		;
	return page->at < page->end;
}

/* In the commit of a page: events were lost before it (RB_MISSED_EVENTS). */
#define COMMIT_LOST 0x80000000u

/*
 * live_pages_copy - copy the page of the last live_pages_next() that returned 1
 * The copy is a whole page as trace_pipe_raw has it, and valid until the next call of a function of
 * @pages. *@again: it has all events of the copy before, and further ones. NULL without memory.
 */
static const void *live_pages_copy(struct live_pages *p, bool *again)
{
	size_t head = 8 + p->layout.long_size, len = head + p->given;
	uint32_t commit = p->given | (p->lost ? COMMIT_LOST : 0);

	*again = p->meta && p->continued;
	if (!p->meta)
		return p->page;
	if (!p->page)
		p->page = malloc(p->page_size);
	if (!p->page)
		return NULL;
	memcpy(p->page, p->data + p->id * p->page_size, len);
	memset(p->page + len, 0, p->page_size - len);
	if (p->layout.long_size == 8)
		bytes_put_u64(p->layout.big_endian, p->page + 8, commit);
	else
		bytes_put_u32(p->layout.big_endian, p->page + 8, commit);
	return p->page;
}

/*
 * live_pages_next - get the next page
 * 1: *@page contains the new events and is valid until the next call; 0: no new event; -errno.
 */
static int live_pages_next(struct live_pages *p, struct hist_ring_page *page)
{
	int ret = !live_pages_look(p) ? 0 : p->meta ? next_mapped(p, page) : next_read(p, page);

	/* a page that is more than half full may have had no room for the next event */
	p->short_page = ret == 1 && p->meta && p->given < p->page_size / 2;
	return ret;
}

/* Limit for a round of a reader, for a buffer that fills as fast as it is read. */
#define PAGES_MAX 4096

/* Pass the page that was read last to the recorder, if it keeps the events. */
static int keep_page(struct live *l, unsigned int stream)
{
	const void *data;
	bool again;
	int ret;

	if (!l->counter.pages.take)
		return 0;
	data = live_pages_copy(l->pages[stream], &again);
	if (!data)
		return -ENOMEM;
	pthread_mutex_lock(&l->lock);
	ret = live_take_page(l, stream, data, again);
	pthread_mutex_unlock(&l->lock);
	return ret;
}

/* Read all pages of one stream, or PAGES_MAX of them. */
static int drain_stream(struct live *l, unsigned int stream)
{
	struct live_pages *pages = l->pages[stream];
	struct hist_ring_page page;
	unsigned int n;
	int ret;

	for (n = 0; pages && n < PAGES_MAX; n++) {
		ret = live_pages_next(pages, &page);
		if (!ret)
			return 0;
		if (ret == -EBADMSG) {
			__atomic_fetch_add(&l->bad_pages, 1, __ATOMIC_RELAXED);
			continue;
		}
		if (ret < 0)
			return ret;
		ret = keep_page(l, stream);
		if (!ret)
			ret = live_count_page(l, stream, &page);
		if (ret)
			return ret;
		/* leave newer events for the next round: the reads themselves cause events too */
		if (live_pages_caught_up(pages))
			return 0;
	}
	return 0;
}

static int drain_buffer(struct reader *r)
{
	struct live *l = r->live;
	uint64_t until = 0;
	unsigned int i;
	int ret = l->merge ? live_read_clock(l, &until) : 0;

	for (i = 0; !ret && i < r->n; i++)
		ret = drain_stream(l, r->streams[i]);
	if (!ret && l->merge) {
		pthread_mutex_lock(&l->lock);
		ret = live_count_merged(l, l->stopped ? UINT64_MAX : until);
		pthread_mutex_unlock(&l->lock);
	}
	return ret;
}

/* The group of the kernel's own broadcasts about devices. */
#define UEVENT_GROUP 1

static int open_arrivals(void)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = UEVENT_GROUP };
	int fd =
		socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Whatever device came, the reader looks for its CPUs. A full socket (ENOBUFS) also says that. */
static void clear_arrivals(int fd)
{
	char byte;

	while (recv(fd, &byte, 1, 0) >= 0 || errno == ENOBUFS || errno == EINTR)
		;
}

/* Wait until a buffer is readable, a CPU may have come online, or a round is requested. */
static void wait_for_events(struct reader *r, struct pollfd *fds)
{
	struct live_pages *const *pages = r->live->pages;
	bool absent = false;
	eventfd_t count;
	unsigned int i;

	for (i = 0; i < r->n; i++) {
		fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
		if (pages[r->streams[i]])
			fds[i].fd = live_pages_fd(pages[r->streams[i]]);
		absent |= fds[i].fd < 0;
	}
	fds[r->n] = (struct pollfd){ .fd = r->wake, .events = POLLIN };
	fds[r->n + 1] = (struct pollfd){ .fd = absent ? r->arrivals : -1, .events = POLLIN };
	poll(fds, r->n + 2, -1);
	if (fds[r->n].revents)
		eventfd_read(r->wake, &count);
	if (fds[r->n + 1].revents)
		clear_arrivals(r->arrivals);
}

/* Report the end of a round and wait for the snapshot. False: the thread must end. */
static bool end_round(struct reader *r, unsigned int *round, int ret)
{
	struct live *l = r->live;
	bool go_on;

	pthread_mutex_lock(&l->lock);
	if (ret && !l->error)
		l->error = ret;
	r->cpu_ns = timer_read_clock(CLOCK_THREAD_CPUTIME_ID);
	if (*round != l->asked) {
		*round = l->asked;
		if (++l->done == l->nreaders)
			pthread_cond_signal(&l->answered);
		while (l->released_round != *round && !l->ending)
			pthread_cond_wait(&l->released, &l->lock);
	}
	go_on = !l->ending;
	pthread_mutex_unlock(&l->lock);
	return go_on;
}

static void *reader_main(void *arg)
{
	struct reader *r = arg;
	struct live *l = r->live;
	struct pollfd *fds = calloc(r->n + 2ul, sizeof(*fds));
	unsigned int round = 0, asked;
	bool go_on = true;
	int ret = fds ? 0 : -ENOMEM;

	pthread_mutex_lock(&l->lock);
	r->tid = gettid();
	pthread_cond_signal(&l->answered);
	pthread_mutex_unlock(&l->lock);
	while (go_on) {
		if (fds)
			wait_for_events(r, fds);
		/* a round requested during the reads is answered in the next turn */
		pthread_mutex_lock(&l->lock);
		asked = l->asked;
		pthread_mutex_unlock(&l->lock);
		if (!ret)
			ret = drain_buffer(r);
		if (asked != round || ret)
			go_on = end_round(r, &round, ret);
		else
			go_on = !__atomic_load_n(&l->ending, __ATOMIC_RELAXED);
	}
	free(fds);
	return NULL;
}

static void wake_all(struct live *l)
{
	unsigned int i;

	/* the counter of an eventfd cannot overflow */
	for (i = 0; i < l->nreaders; i++)
		eventfd_write(l->readers[i].wake, 1);
}

void live_readers_begin_round(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->asked++;
	l->done = 0;
	wake_all(l);
	while (l->done < l->nreaders)
		pthread_cond_wait(&l->answered, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

static void close_reader(struct reader *r)
{
	close(r->wake);
	if (r->arrivals >= 0)
		close(r->arrivals);
}

/* Open the ring buffers of all CPUs, also of absent ones: later, it would be a foreign reader's. */
static int open_pages(struct live *l)
{
	const struct trigger_set *s = &l->counter.set;
	struct hist_target *t = s->target;
	char path[TARGET_PATH_MAX];
	unsigned int i;
	int fd, ret;

	l->pages = calloc(l->streams, sizeof(*l->pages));
	if (!l->pages)
		return message_error_memory();
	for (i = 0; i < l->streams; i++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw",
			 live_events_pages_dir(s, i / t->cpus), i % t->cpus);
		fd = t->ops->descriptor(t, path);
		/* no CPU can have this number */
		if (fd == -ENOENT)
			continue;
		ret = fd < 0 ? fd : live_pages_open(&l->pages[i], fd, &l->layout, t->page_size);
		if (ret)
			return message_error_errno(path, ret);
	}
	return 0;
}

static int sort_streams(struct live *l)
{
	unsigned int i, turn, n = 0;

	l->order = calloc(l->streams, sizeof(*l->order));
	if (!l->order)
		return message_error_memory();
	for (turn = 0; turn < 2; turn++) {
		for (i = 0; i < l->streams; i++) {
			bool present = l->pages[i] && live_pages_fd(l->pages[i]) >= 0;

			if (present == !turn)
				l->order[n++] = i;
		}
		l->npresent = turn ? l->npresent : n;
	}
	return l->npresent ? 0 : message_error_errno("trace_pipe_raw", -ENODEV);
}

static int start_reader(struct live *l, const unsigned int *streams, unsigned int n)
{
	struct reader *r = &l->readers[l->nreaders];
	int ret;

	*r = (struct reader){ .live = l, .streams = streams, .n = n, .arrivals = -1 };
	r->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->wake < 0)
		return message_error_errno("eventfd", -errno);
	if (streams + n > l->order + l->npresent)
		r->arrivals = open_arrivals();
	ret = pthread_create(&r->thread, NULL, reader_main, r);
	if (ret) {
		close_reader(r);
		return message_error_errno("pthread_create", -ret);
	}
	l->nreaders++;
	return 0;
}

static int start_readers(struct live *l)
{
	unsigned int i, absent = l->streams - l->npresent;
	int ret = 0;

	l->readers = calloc(l->npresent + 1ul, sizeof(*l->readers));
	if (!l->readers)
		return message_error_memory();
	if (l->merge)
		return start_reader(l, l->order, l->streams);
	for (i = 0; !ret && i < l->npresent; i++)
		ret = start_reader(l, &l->order[i], 1);
	return ret || !absent ? ret : start_reader(l, &l->order[i], absent);
}

int live_readers_start(struct live *l)
{
	int ret = open_pages(l);

	if (!ret)
		ret = sort_streams(l);
	return ret ? ret : start_readers(l);
}

void live_readers_stop(struct live *l)
{
	unsigned int i;

	pthread_mutex_lock(&l->lock);
	__atomic_store_n(&l->ending, true, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&l->released);
	wake_all(l);
	pthread_mutex_unlock(&l->lock);
	for (i = 0; i < l->nreaders; i++) {
		pthread_join(l->readers[i].thread, NULL);
		close_reader(&l->readers[i]);
	}
	free(l->readers);
	free(l->order);
	for (i = 0; l->pages && i < l->streams; i++)
		live_pages_free(l->pages[i]);
	free(l->pages);
}
