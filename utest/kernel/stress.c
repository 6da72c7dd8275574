// SPDX-License-Identifier: GPL-2.0
/*
 * stress ROUNDS: what is counted on all CPUs is in the snapshots, no hit more or less.
 *
 * A thread for each CPU (two at least) writes events, as fast as it can, each counted by a
 * histogram of their first field.  Another adds, pauses and removes other histograms of the
 * event.  Meanwhile there are ROUNDS snapshots, every fourth with a reset, and every tenth
 * also by the text.
 *
 * Invariant, checked after each: what all resets so far took, and what the snapshot has
 * now, is at least the events that were done before it was taken, and at most those begun
 * when it is there.  In the end, with all threads still, it is the number of events.
 *
 * Prints a line "ok DESCRIPTION" or "not ok DESCRIPTION" for each thing that is checked.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <linux/trace_hist.h>
#include <linux/user_events.h>

#define TRACEFS "/sys/kernel/tracing/"
#define EVENT TRACEFS "events/user_events/hist_stress/"
#define TRIGGER "hist:keys=aa:vals=bb:size=16384"
/* So many that new ones come while snapshots are taken. */
#define KEYS 8000
#define MAX_WRITERS 8

struct writer {
	pthread_t thread;
	int cpu;
	uint64_t begun;
	uint64_t done;
};

static struct {
	struct writer writers[MAX_WRITERS];
	unsigned int n_writers;
	int data;
	uint32_t index;
	bool stop;
	bool stop_changes;
	unsigned int changes;
} all;

/* What a snapshot says of our histogram. */
struct state {
	uint64_t id;
	uint64_t hits;
	uint64_t drops;
	uint64_t sum;
	uint64_t sum_bb;
	uint64_t resets;
	bool was_reset;
};

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
	va_list args;

	printf("not ok ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	exit(1);
}

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

static uint64_t load(uint64_t *p)
{
	uint64_t value;

	/* through libatomic nowhere: 32-bit machines here have one CPU */
	if (sizeof(long) == 8)
		return __atomic_load_n((unsigned long *)p, __ATOMIC_SEQ_CST);
	do
		value = *(volatile uint64_t *)p;
	while (value != *(volatile uint64_t *)p);
	return value;
}

static void add_one(uint64_t *p)
{
	if (sizeof(long) == 8)
		__atomic_store_n((unsigned long *)p, *p + 1, __ATOMIC_SEQ_CST);
	else
		++*(volatile uint64_t *)p;
}

static void *write_events(void *arg)
{
	struct writer *writer = arg;
	struct {
		uint64_t aa;
		uint32_t bb;
	} __attribute__((packed)) event = { .bb = 3 };
	struct iovec parts[] = {
		{ &all.index, sizeof(all.index) },
		{ &event, sizeof(event) },
	};
	uint32_t random = 12345 + writer->cpu;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(writer->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	while (!__atomic_load_n(&all.stop, __ATOMIC_SEQ_CST)) {
		random = random * 1664525 + 1013904223;
		event.aa = (random >> 8) % KEYS;
		add_one(&writer->begun);
		if (writev(all.data, parts, 2) < 0)
			fail("an event is written: %s", strerror(errno));
		add_one(&writer->done);
	}
	return NULL;
}

static void *change_triggers(void *arg)
{
	static const char *const steps[] = {
		"hist:keys=bb:size=128", "hist:keys=aa.log2:vals=bb:size=128 if bb == 3",
		"hist:keys=bb:size=128:pause", "hist:keys=bb:size=128:continue",
		"hist:keys=common_pid.execname:size=128", "!hist:keys=bb:size=128",
		"!hist:keys=common_pid.execname:size=128", "hist:keys=aa.buckets=10:size=512",
		"!hist:keys=aa.log2:vals=bb:size=128 if bb == 3", "!hist:keys=aa.buckets=10:size=512",
	};
	unsigned int i = 0, n = sizeof(steps) / sizeof(*steps);

	(void)arg;
	/* to the end of a turn, so that all are removed */
	while (!__atomic_load_n(&all.stop_changes, __ATOMIC_SEQ_CST) || i % n) {
		if (!put(EVENT "trigger", steps[i % n]))
			fail("the kernel accepts %s: %s", steps[i % n], strerror(errno));
		__atomic_add_fetch(&all.changes, 1, __ATOMIC_SEQ_CST);
		i++;
		sched_yield();
	}
	return NULL;
}

static uint64_t events_begun(void)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < all.n_writers; i++)
		n += load(&all.writers[i].begun);
	return n;
}

static uint64_t events_done(void)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < all.n_writers; i++)
		n += load(&all.writers[i].done);
	return n;
}

/* The whole file, to be freed */
static char *read_all(int fd, size_t *size)
{
	size_t room = 1 << 20;
	char *buf = malloc(room + 1);
	ssize_t n;

	for (*size = 0; buf; *size += n) {
		if (*size == room) {
			room *= 2;
			buf = realloc(buf, room + 1);
			if (!buf)
				break;
		}
		n = read(fd, buf + *size, room - *size);
		if (n < 0)
			fail("a snapshot is read: %s", strerror(errno));
		if (!n) {
			buf[*size] = '\0';
			return buf;
		}
	}
	fail("memory is allocated for a snapshot");
}

static void add_entries(const struct trace_hist *hist, struct state *state)
{
	const char *base = (const char *)hist;
	const char *entry = base + hist->entries;
	static uint64_t seen[KEYS];
	static uint64_t turn;
	uint64_t vals[2], key;

	turn++;
	for (uint32_t i = 0; i < hist->n_entries; i++, entry += hist->entry_size) {
		memcpy(vals, entry, sizeof(vals));
		memcpy(&key, entry + sizeof(vals), sizeof(key));
		if (key >= KEYS)
			fail("a snapshot has only keys that were written, not %llu",
			     (unsigned long long)key);
		if (seen[key] == turn)
			fail("a snapshot has one entry for key %llu", (unsigned long long)key);
		seen[key] = turn;
		state->sum += vals[0];
		state->sum_bb += vals[1];
	}
}

static void raw_state(int fd, struct state *state)
{
	const struct trace_hist_head *head;
	const struct trace_hist *hist;
	size_t size;
	char *buf = read_all(fd, &size);
	bool found = false;
	const char *at;

	memset(state, 0, sizeof(*state));
	head = (const void *)buf;
	if (head->magic != TRACE_HIST_MAGIC || head->version != TRACE_HIST_VERSION)
		fail("the snapshot has its magic and version");
	if (head->size != size)
		fail("the snapshot of %zu bytes has its own size in its head, not %llu",
		     size, (unsigned long long)head->size);
	at = buf + head->head_size;
	for (uint32_t i = 0; i < head->n_hists; i++, at += hist->size) {
		hist = (const void *)at;
		if (strncmp(at + hist->trigger, TRIGGER, strlen("hist:keys=aa:")))
			continue;
		if (found)
			fail("each snapshot has the histogram only once");
		found = true;
		state->id = hist->id;
		state->hits = hist->hits;
		state->drops = hist->drops;
		state->resets = hist->resets;
		state->was_reset = hist->flags & TRACE_HIST_FL_RESET;
		add_entries(hist, state);
	}
	if (!found)
		fail("each snapshot has the histogram");
	if (at != buf + size)
		fail("the histograms fill the snapshot");
	free(buf);
}

/* Take a snapshot that resets the histogram @id. */
static int reset_hist(int fd, uint64_t id)
{
	struct trace_hist_reset reset = { .id = id, .size = sizeof(reset) };

	return ioctl(fd, TRACE_HIST_IOCTL_RESET, &reset);
}

/* The sum of what the text has of our histogram; others may be removed while it is read. */
static void text_state(struct state *state)
{
	int fd = open(EVENT "hist", O_RDONLY);
	char *buf, *line, *save, *at;
	bool ours = false, found = false;
	size_t size;

	if (fd < 0)
		fail("hist opens: %s", strerror(errno));
	memset(state, 0, sizeof(*state));
	buf = read_all(fd, &size);
	for (line = strtok_r(buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "# trigger info: ", 16)) {
			ours = !strncmp(line + 16, TRIGGER, strlen("hist:keys=aa:"));
			found = found || ours;
		}
		at = strstr(line, "hitcount:");
		if (ours && line[0] == '{' && at)
			state->sum += strtoull(at + strlen("hitcount:"), NULL, 10);
		at = strstr(line, "Dropped: ");
		if (ours && at)
			state->drops = strtoull(at + strlen("Dropped: "), NULL, 10);
	}
	if (!found)
		fail("each text has the histogram");
	free(buf);
	close(fd);
}

static void check_bounds(const char *what, uint64_t counted, uint64_t done, uint64_t begun)
{
	if (counted < done || counted > begun)
		fail("%s counts the finished events: %llu is not between %llu and %llu",
		     what, (unsigned long long)counted,
		     (unsigned long long)done, (unsigned long long)begun);
}

static void register_event(void)
{
	static uint32_t enabled;
	struct user_reg reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(enabled),
		.enable_addr = (uintptr_t)&enabled,
		.name_args = (uintptr_t)"hist_stress u64 aa; u32 bb",
	};

	all.data = open(TRACEFS "user_events_data", O_RDWR);
	if (all.data < 0 || ioctl(all.data, DIAG_IOCSREG, &reg) < 0)
		fail("user_events registers an event: %s", strerror(errno));
	all.index = reg.write_index;
}

static void start_writers(void)
{
	long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	all.n_writers = n_cpus < 2 ? 2 : n_cpus;
	if (all.n_writers > MAX_WRITERS)
		all.n_writers = MAX_WRITERS;
	for (unsigned int i = 0; i < all.n_writers; i++) {
		all.writers[i].cpu = i % n_cpus;
		if (pthread_create(&all.writers[i].thread, NULL, write_events, &all.writers[i]))
			fail("a thread starts");
	}
	printf("# %u writers on %ld CPUs\n", all.n_writers, n_cpus);
}

static void stop_all(pthread_t changer)
{
	__atomic_store_n(&all.stop, true, __ATOMIC_SEQ_CST);
	for (unsigned int i = 0; i < all.n_writers; i++)
		pthread_join(all.writers[i].thread, NULL);
	__atomic_store_n(&all.stop_changes, true, __ATOMIC_SEQ_CST);
	pthread_join(changer, NULL);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	uint64_t taken = 0, taken_bb = 0, dropped = 0, resets = 0, texts = 0;
	uint64_t begun, done, id = 0;
	struct state state;
	pthread_t changer;
	int raw;

	setvbuf(stdout, NULL, _IOLBF, 0);
	register_event();
	if (!put(EVENT "trigger", TRIGGER))
		fail("the kernel accepts %s: %s", TRIGGER, strerror(errno));
	raw = open(EVENT "hist_raw", O_RDWR);
	if (raw < 0)
		fail("hist_raw opens: %s", strerror(errno));
	start_writers();
	if (pthread_create(&changer, NULL, change_triggers, NULL))
		fail("a thread starts");

	for (unsigned int i = 0; i < rounds; i++) {
		bool reset = i % 4 == 3;

		done = events_done();
		if ((reset ? reset_hist(raw, id) : ioctl(raw, TRACE_HIST_IOCTL_SNAPSHOT)) < 0)
			fail("snapshot %u is taken: %s", i, strerror(errno));
		begun = events_begun();
		raw_state(raw, &state);
		id = state.id;
		check_bounds("a snapshot", taken + dropped + state.sum + state.drops, done, begun);
		if (state.sum_bb != 3 * state.sum && reset)
			fail("the entries of a reset have consistent values");
		if (state.was_reset != reset || state.resets != resets)
			fail("each snapshot has the number of resets");
		if (reset) {
			if (state.hits != state.sum)
				fail("a reset has all of its %llu hits in entries, not %llu",
				     (unsigned long long)state.hits, (unsigned long long)state.sum);
			taken += state.sum;
			taken_bb += state.sum_bb;
			dropped += state.drops;
			resets++;
		}
		if (i % 10 == 0) {
			done = events_done();
			text_state(&state);
			check_bounds("the text", taken + dropped + state.sum + state.drops, done,
				     events_begun());
			texts++;
		}
	}
	stop_all(changer);
	printf("ok each of %u snapshots (%llu resets) and %llu texts counts every finished event\n",
	       rounds, (unsigned long long)resets, (unsigned long long)texts);
	if (all.changes < rounds / 100)
		fail("triggers change often during the snapshots, not %u times", all.changes);
	printf("ok triggers are added, paused and removed during the snapshots\n");
	printf("# %u times\n", all.changes);

	lseek(raw, 0, SEEK_SET);
	if (ioctl(raw, TRACE_HIST_IOCTL_SNAPSHOT) < 0)
		fail("the last snapshot is taken: %s", strerror(errno));
	raw_state(raw, &state);
	taken += state.sum;
	taken_bb += state.sum_bb;
	dropped += state.drops;
	if (taken + dropped != events_done() || taken_bb != 3 * taken)
		fail("the counted (%llu) plus the dropped hits (%llu) are all of %llu events",
		     (unsigned long long)taken, (unsigned long long)dropped,
		     (unsigned long long)events_done());
	printf("ok the sum over all keys plus the dropped hits is the number of events\n");
	printf("# %llu events, %llu dropped\n", (unsigned long long)events_done(),
	       (unsigned long long)dropped);
	if (!put(EVENT "trigger", "!" TRIGGER))
		fail("the trigger is removed: %s", strerror(errno));
	return 0;
}
