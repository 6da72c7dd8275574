// SPDX-License-Identifier: GPL-2.0
/*
 * serve_fixture.c - a helper in a child, and the scratch directory it serves
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "helper/local/task_list.h"
#include "helper/local/tracefs_dir.h"
#include "helper/serve/serve.h"
#include "tracecmd/target/target_link.h"
#include "tracecmd/target/target_remote.h"
#include "utest/unit/helper/serve/serve_fixture.h"

static char base[64];

/* --- files of the scratch directory --- */

const char *scratch_path(const char *path)
{
	static char full[512];

	snprintf(full, sizeof(full), "%s/%s", base, path);
	return full;
}

void scratch_put(const char *path, const char *text)
{
	FILE *f = fopen(scratch_path(path), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs(text, f);
	fclose(f);
}

char *scratch_get(const char *path)
{
	static char text[4096];
	FILE *f = fopen(scratch_path(path), "r");
	size_t len = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	text[len] = '\0';
	return text;
}

bool scratch_has(const char *path)
{
	struct stat st;

	return !lstat(scratch_path(path), &st);
}

int scratch_set_up(void)
{
	char command[512];

	snprintf(base, sizeof(base), "/tmp/serve-test-XXXXXX");
	if (!mkdtemp(base))
		return -1;
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p tracefs/instances tracefs/events/a journals && "
		 "chmod 700 journals && echo secret >outside && mkdir outdir && "
		 "ln -s ../outside tracefs/link && ln -s ../outdir tracefs/dirlink && "
		 "ln -s %s/outside tracefs/abslink", base, base);
	return system(command);
}

int scratch_tear_down(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", base);
	return system(command);
}

/* --- the two ends --- */

static int end_read(void *arg, void *to, size_t len)
{
	ssize_t n = recv(((struct end *)arg)->fd, to, len, 0);

	return n < 0 ? -errno : n;
}

static int end_write(void *arg, const void *from, size_t len)
{
	ssize_t n = send(((struct end *)arg)->fd, from, len, MSG_NOSIGNAL);

	return n < 0 ? -errno : n;
}

static int end_wait(void *arg, short events, int ms)
{
	struct pollfd fd = { .fd = ((struct end *)arg)->fd, .events = events };

	return poll(&fd, 1, ms >= 0 && ms < 20000 ? ms : 20000) == 1 ? 0 : -ETIMEDOUT;
}

static void end_explain(void *arg, int err, struct hist_error *error)
{
	(void)arg;
	hist_error_set(error, err, "test: lost: %s", strerror(-err));
}

static void end_close(void *arg)
{
	struct end *end = arg;

	if (end->fd >= 0)
		close(end->fd);
	end->fd = -1;
}

static const struct hist_target_ops scratch_ops = {
	.read = tracefs_dir_read,
	.open = tracefs_dir_open_file,
	.reread = tracefs_dir_reread,
	.reread_pieces = tracefs_dir_reread_pieces,
	.close = tracefs_dir_close_file,
	.write = tracefs_dir_write,
	.list = tracefs_dir_list,
	.mkdir = tracefs_dir_mkdir,
	.rmdir = tracefs_dir_rmdir,
	.exists = tracefs_dir_path_exists,
	.clock = tracefs_dir_clock,
	.pages = tracefs_dir_pages,
	.tasks = task_list_read,
};

bool helper_on_old_kernel;

/* qemu-user 7.2 has neither openat2(2) nor seccomp(2): its programs are on an old kernel. */
static bool machine_has_openat2(void)
{
	return syscall(SYS_openat2, AT_FDCWD, "/", NULL, 0) != -1 || errno != ENOSYS;
}

bool helper_has_openat2(void)
{
	return !helper_on_old_kernel && machine_has_openat2();
}

/* As before Linux 5.6: no openat2(2). */
static void forget_openat2(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = filter };

	if (!machine_has_openat2())
		return;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) || machine_has_openat2())
		_exit(99);
}

/* The exit status: what serve() gave, and 100 if something was left. */
static void child(int fd, bool journal)
{
	struct end end = { .fd = fd };
	struct wire_io io = { end_read, end_write, end_wait, &end };
	struct tracefs_dir c = { 0 };
	struct wire *w = wire_new(&io);
	unsigned int left = 0;
	int ret;

	if (helper_on_old_kernel)
		forget_openat2();
	ret = tracefs_dir_open(&c, &scratch_ops,
			       open(scratch_path("tracefs"), O_RDONLY | O_DIRECTORY));
	if (!ret)
		ret = serve(w, &c.target, journal ? open(scratch_path("journals"), O_RDONLY | O_DIRECTORY) : -1,
			    "0.0-test", 0, &left);
	tracefs_dir_close(&c);
	free(w);
	_exit(left ? 100 : ret ? 1 : 0);
}

void helper_start(struct end *end, bool journal)
{
	int fds[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	fflush(NULL);
	end->child = fork();
	if (!end->child) {
		close(fds[0]);
		child(fds[1], journal);
	}
	close(fds[1]);
	end->fd = fds[0];
}

/* Closes our end; the exit status of the helper. */
int helper_stop(struct end *end)
{
	int status;

	end_close(end);
	waitpid(end->child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

struct wire *helper_greet(struct end *end)
{
	struct wire_io io = { end_read, end_write, end_wait, end };
	struct wire *w = wire_new(&io);
	enum bootstrap_kind kind;
	unsigned int version;
	struct hist_error error = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_EQUAL_FATAL(bootstrap(w, false, &kind, &version, &error), 0);
	CU_ASSERT_EQUAL(kind, BOOTSTRAP_HELPER);
	CU_ASSERT_EQUAL(version, WIRE_NEWEST);
	return w;
}

static struct hist_target *helper_target(struct end *end, unsigned int version)
{
	struct remote_link link = { end_explain, end_close, end };
	struct hist_target *t = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(target_remote_new(&t, helper_greet(end), version, &link, &error), 0);
	return t;
}

struct hist_target *helper_host(struct end *end, bool journal)
{
	helper_start(end, journal);
	return helper_target(end, WIRE_NEWEST);
}

struct hist_target *helper_host_version(struct end *end, unsigned int version)
{
	helper_start(end, false);
	return helper_target(end, version);
}
