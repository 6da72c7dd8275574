// SPDX-License-Identifier: GPL-2.0
/*
 * preset_load.c - do one thing a known number of times, for the tests of presets
 *
 * preset_load ACTION N [FILE]
 *
 * hog, interrupt and lock end before N if FILE exists: a side file of a recording, so that a slow
 * machine gets the time that it needs to capture as many waits.
 *
 * The name of the task is "presetload", so that a histogram can be searched for it. What the
 * program alone knows, such as its CPU time, is printed as "NAME NUMBER".
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PORT 5001

static const char *file = "/tmp/preset-file";
static bool has_file; /* FILE was given */

static void need(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static bool is_enough(void)
{
	return has_file && !access(file, F_OK);
}

static void do_nothing(int n)
{
	(void)n;
}

static long long cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* N milliseconds of CPU time. */
static void spin(int n)
{
	const long long start = cpu_ns();

	while (cpu_ns() - start < n * 1000000LL)
		;
	printf("cpu_ns %lld\n", cpu_ns() - start);
}

static void sleep_often(int n)
{
	while (n--)
		usleep(5000);
}

static long long mono_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/*
 * A new task wakes up N times, at multiples of 10 ms, and prints the time from the first wake-up to
 * the last.  Its name is "presettick".
 */
static void tick(int n)
{
	const long long interval = 10000000;
	long long first = 0, next;
	struct timespec time;
	int i;

	if (fork()) {
		wait(NULL);
		return;
	}
	prctl(PR_SET_NAME, "presettick");
	for (i = 0; i < n; i++) {
		next = (mono_ns() / interval + 1) * interval;
		time = (struct timespec){ .tv_sec = next / 1000000000, .tv_nsec = next % 1000000000 };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
		if (!i)
			first = mono_ns();
	}
	printf("tick_ns %lld\n", mono_ns() - first);
}

static void wait_for_futex(int n)
{
	const struct timespec time = { .tv_nsec = 5000000 };
	static uint32_t word;

	while (n--)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
}

static void send_signals(int n)
{
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, do_nothing);
	while (n--)
		kill(getpid(), SIGUSR2);
}

static void make_children(int n)
{
	pid_t pid;

	while (n--) {
		pid = fork();
		need(pid >= 0, "fork");
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static void execute(int n)
{
	pid_t pid;

	while (n--) {
		pid = fork();
		need(pid >= 0, "fork");
		if (!pid) {
			execl(file, file, "nothing", "1", NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
}

static void call_stat(int n)
{
	struct stat st;

	while (n--)
		need(!stat(file, &st), file);
}

static void open_files(int n)
{
	int fd;

	while (n--) {
		fd = open(file, O_RDONLY);
		need(fd >= 0, file);
		close(fd);
	}
}

static void fail(int n)
{
	while (n--)
		need(rmdir("/nonexistent/directory") && errno == ENOENT, "rmdir");
}

/* N reads of 100 bytes, and 2 * N writes of 300 bytes. */
static void read_and_write(int n)
{
	char data[300] = "";
	int fd = open(file, O_RDWR | O_CREAT, 0600), i;

	need(fd >= 0, file);
	for (i = 0; i < 2 * n; i++)
		need(write(fd, data, 300) == 300, "write");
	lseek(fd, 0, SEEK_SET);
	for (i = 0; i < n; i++)
		need(read(fd, data, 100) == 100, "read");
	close(fd);
}

/* N fsync(), 2 * N fdatasync(), one sync(), each of a file that changed. */
static void sync_files(int n)
{
	int fd = open(file, O_RDWR | O_CREAT, 0600), i;

	need(fd >= 0, file);
	for (i = 0; i < 3 * n; i++) {
		need(write(fd, "x", 1) == 1, "write");
		need(!(i < n ? fsync(fd) : fdatasync(fd)), "fsync");
	}
	need(write(fd, "x", 1) == 1, "write");
	sync();
	close(fd);
	unlink(file);
}

/* The check of CAP_SYS_ADMIN is the only one. */
static void check_capability(int n)
{
	char name[64];

	gethostname(name, sizeof(name));
	while (n--)
		need(!sethostname(name, strlen(name)), "sethostname");
}

static void migrate(int n)
{
	cpu_set_t set;
	int i;

	for (i = 0; i <= n; i++) {
		CPU_ZERO(&set);
		CPU_SET(i % 2, &set);
		need(!sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
	}
}

static struct sockaddr_in address(const char *host)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	inet_pton(AF_INET, host, &a.sin_addr);
	return a;
}

/* N connections; the client sends 1000 bytes in each. */
static void connect_often(int n)
{
	struct sockaddr_in to = address("127.0.0.1");
	int one = 1, i, fd, in, all = socket(AF_INET, SOCK_STREAM, 0);
	char data[1000] = "";
	ssize_t got;
	pid_t pid;

	setsockopt(all, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	need(!bind(all, (struct sockaddr *)&to, sizeof(to)) && !listen(all, 8), "listen");
	pid = fork();
	for (i = 0; i < n; i++) {
		if (!pid) {
			fd = socket(AF_INET, SOCK_STREAM, 0);
			need(!connect(fd, (struct sockaddr *)&to, sizeof(to)), "connect");
			need(write(fd, data, sizeof(data)) == sizeof(data), "write");
			usleep(20000);
			close(fd);
			continue;
		}
		in = accept(all, NULL, NULL);
		need(in >= 0, "accept");
		do
			got = read(in, data, sizeof(data));
		while (got > 0);
		close(in);
	}
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

/* One connection that nobody answers, until N retransmits. */
static void retransmit(int n)
{
	struct sockaddr_in to = address(file);
	struct tcp_info info = { 0 };
	socklen_t len;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	need(connect(fd, (struct sockaddr *)&to, sizeof(to)) && errno == EINPROGRESS, "connect");
	do {
		usleep(50000);
		len = sizeof(info);
		need(!getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len), "TCP_INFO");
	} while (info.tcpi_total_retrans < (unsigned int)n);
	printf("retransmits %u\n", info.tcpi_total_retrans);
	close(fd);
}

/* N packets of 1000 bytes that no socket receives. */
static void send_packets(int n)
{
	struct sockaddr_in to = address("127.0.0.1");
	char data[1000] = "";
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	while (n--)
		sendto(fd, data, sizeof(data), 0, (struct sockaddr *)&to, sizeof(to));
	close(fd);
}

/* N eventfds, of which a child keeps the second half open. */
static void leak(int n)
{
	int *fds = calloc(n, sizeof(*fds)), i;

	for (i = 0; i < n; i++) {
		fds[i] = eventfd(0, 0);
		need(fds[i] >= 0, "eventfd");
	}
	for (i = 0; i < n / 2; i++)
		close(fds[i]);
	if (!fork()) {
		setsid();
		pause();
	}
	free(fds);
}

/* N anonymous pages, of which a child keeps the second half. */
static void leak_pages(int n)
{
	size_t size = (size_t)n * 4096;
	char *all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(all != MAP_FAILED && !madvise(all, size, MADV_NOHUGEPAGE), "mmap");
	for (int i = 0; i < n; i++)
		all[(size_t)i * 4096] = 1;
	munmap(all, size / 2);
	if (!fork()) {
		setsid();
		pause();
	}
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	need(!sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
}

/* Up to N times: a task "hog" with SCHED_FIFO takes CPU 0 for 120 ms, while this task wants to run. */
static void be_hogged(int n)
{
	const struct sched_param fifo = { .sched_priority = 50 };
	long long begin;
	pid_t pid;

	pin(0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "hog");
		need(!sched_setscheduler(0, SCHED_FIFO, &fifo), "sched_setscheduler");
		while (n-- && !is_enough()) {
			usleep(250000);
			begin = cpu_ns();
			while (cpu_ns() - begin < 120 * 1000000LL)
				;
		}
		_exit(0);
	}
	while (!waitpid(pid, NULL, WNOHANG))
		usleep(2000);
}

static long long monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Timers that expire at the moment at which this task wants to run. */
#define TIMERS 4000

/*
 * Up to N times: the timer interrupt of CPU 0 wakes this task, and then handles TIMERS more timers before
 * the task can run.
 */
static void be_interrupted(int n)
{
	const struct rlimit files = { TIMERS + 64, TIMERS + 64 };
	static int timers[TIMERS];
	long long lead = 200 * 1000000LL, at;
	struct itimerspec when = { 0 };
	struct timespec before;
	int i;

	pin(0);
	need(!setrlimit(RLIMIT_NOFILE, &files), "setrlimit");
	need(!prctl(PR_SET_TIMERSLACK, 1), "PR_SET_TIMERSLACK");
	for (i = 0; i < TIMERS; i++) {
		timers[i] = timerfd_create(CLOCK_MONOTONIC, 0);
		need(timers[i] >= 0, "timerfd_create");
	}
	while (n && !is_enough()) {
		at = monotonic_ns() + lead;
		when.it_value = (struct timespec){ at / 1000000000, at % 1000000000 };
		/* the first one of the interrupt */
		before = (struct timespec){ (at - 2000) / 1000000000, (at - 2000) % 1000000000 };
		for (i = 0; i < TIMERS; i++)
			need(!timerfd_settime(timers[i], TFD_TIMER_ABSTIME, &when, NULL), "timerfd_settime");
		/* too late: this machine is slow */
		if (monotonic_ns() > at - lead / 4) {
			lead *= 2;
			continue;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &before, NULL);
		n--;
	}
}

/* What two processes share. */
struct shared_lock {
	uint32_t word; /* 1: held, 0: free */
	uint32_t ended; /* 1: the other process takes it no more */
	uint32_t turn; /* odd: it was taken, even: the other process is through with it */
};

static void lock_wait(uint32_t *word, uint32_t value)
{
	while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value)
		syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void lock_set(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Up to N times: a task "holder" on CPU 1 computes for 300 ms with a lock that this task waits for. */
static void wait_for_lock(int n)
{
	struct shared_lock *lock = mmap(NULL, sizeof(*lock), PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long long begin;
	uint32_t i;
	pid_t pid;

	need(lock != MAP_FAILED, "mmap");
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "holder");
		pin(1);
		for (i = 0; i < (uint32_t)n && !is_enough(); i++) {
			/* the recorder needs time for the wait before; this one is below the threshold */
			usleep(150000);
			lock->word = 1;
			lock_set(&lock->turn, 2 * i + 1);
			begin = cpu_ns();
			while (cpu_ns() - begin < 300 * 1000000LL)
				;
			lock_set(&lock->word, 0);
			lock_wait(&lock->turn, 2 * i + 1);
		}
		lock->ended = 1;
		lock_set(&lock->turn, 2 * i + 1);
		_exit(0);
	}
	pin(0);
	for (i = 0;; i++) {
		lock_wait(&lock->turn, 2 * i);
		if (lock->ended)
			break;
		lock_wait(&lock->word, 1);
		lock_set(&lock->turn, 2 * i + 2);
	}
	waitpid(pid, NULL, 0);
}

static const struct {
	const char *name;
	void (*run)(int n);
} actions[] = {
	{ "nothing", do_nothing }, { "spin", spin }, { "sleep", sleep_often }, { "tick", tick },
	{ "futex", wait_for_futex }, { "signal", send_signals }, { "fork", make_children },
	{ "exec", execute }, { "stat", call_stat }, { "open", open_files }, { "fail", fail },
	{ "rw", read_and_write }, { "sync", sync_files }, { "capable", check_capability },
	{ "migrate", migrate }, { "tcp", connect_often }, { "retransmit", retransmit },
	{ "udp", send_packets }, { "leak", leak }, { "pages", leak_pages },
	{ "hog", be_hogged }, { "interrupt", be_interrupted }, { "lock", wait_for_lock },
};

int main(int argc, char **argv)
{
	size_t i;

	has_file = argc > 3;
	if (has_file)
		file = argv[3];
	prctl(PR_SET_NAME, "presetload");
	for (i = 0; argc > 2 && i < sizeof(actions) / sizeof(*actions); i++) {
		if (strcmp(actions[i].name, argv[1]))
			continue;
		actions[i].run(atoi(argv[2]));
		return 0;
	}
	fprintf(stderr, "usage: preset_load ACTION N [FILE]\n");
	return 2;
}
