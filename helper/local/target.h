/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target.h - interface to the tracefs directory of a machine
 *
 * All access to tracefs goes through a target. There are these implementations:
 * - tracecmd/target/target_local.c: the local machine;
 * - tracefs_dir.c: the machine of a helper;
 * - tracecmd/target/target_remote.c: a remote machine with a helper;
 * - tracecmd/target/target_shell.c: a remote machine with only a shell;
 * - tracecmd/target/target_recording.c: the event formats of a trace.dat file, without tracefs;
 * - utest/unit/tracecmd/target/fake_target.c: a directory that can fail, for tests.
 *
 * Paths are relative to the tracefs mount ("events/sched/sched_switch/trigger").
 * Absolute paths and paths with ".." are refused: -EINVAL.  read() also reads the files of
 * target_path_is_machine().
 *
 * Functions return 0 (or a count if documented) or -errno.
 */
#ifndef HELPER_LOCAL_TARGET_H
#define HELPER_LOCAL_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The lists of the CPUs that are plugged in, and of those that are online, such as "0,2-3". */
#define TARGET_CPUS_PRESENT "/sys/devices/system/cpu/present"
#define TARGET_CPUS_ONLINE "/sys/devices/system/cpu/online"

/* Longer paths are refused. */
#define TARGET_PATH_MAX 4096

struct hist_target;
struct undo_report;
struct undo_outcome;

/* More CPUs than any kernel supports. */
#define TARGET_CPUS_MAX 65536

/* Limit for one file. A histogram of 131,072 rows with stacks is smaller. */
#define TARGET_TEXT_MAX (512 << 20)

/* A growing buffer for reads. Initialize with zeros; free(data) at the end. */
struct target_buf {
	char *data; /* a NUL follows the last byte */
	size_t len;
	size_t room;
};

/* Receive one piece. A result other than 0 ends the read and becomes its result. */
typedef int (*target_take)(void *arg, const char *data, size_t len);

struct hist_target_ops {
	/* Read a whole file; replaces the content of @buf. */
	int (*read)(struct hist_target *t, const char *path, struct target_buf *buf);
	/*
	 * Read one file repeatedly. The file stays open and each reread starts at
	 * offset 0, so that the kernel's seq_file buffer keeps its size.
	 */
	int (*open)(struct hist_target *t, const char *path, int *handle);
	int (*reread)(struct hist_target *t, int handle, struct target_buf *buf);
	/* reread(), but pass the text to @take in pieces; only serve.c calls it. */
	int (*reread_pieces)(struct hist_target *t, int handle, target_take take, void *arg);
	/*
	 * Optional: take a new snapshot in an open hist_raw file and read all of it. If
	 * a target lacks this function, callers read the hist text.
	 */
	int (*snapshot)(struct hist_target *t, int handle, struct target_buf *buf);
	void (*close)(struct hist_target *t, int handle);
	/*
	 * Write all @len bytes with one write(2), or without write(2) if @len is 0. A
	 * short write is -EIO. Truncates first (O_TRUNC) unless @append. Without
	 * @append, -EINVAL for the files of target_truncation_harms().
	 */
	int (*write)(struct hist_target *t, const char *path, const char *data, size_t len,
		     bool append);
	/* List a directory: NUL-terminated names, one after the other, in @buf. */
	int (*list)(struct hist_target *t, const char *path, struct target_buf *buf);
	int (*mkdir)(struct hist_target *t, const char *path);
	int (*rmdir)(struct hist_target *t, const char *path);
	int (*exists)(struct hist_target *t, const char *path); /* returns 1, 0 or -errno */
	/*
	 * Get the current time of the trace clock @clock ("mono"), in the unit of this
	 * clock. "realtime" is not a trace clock; its time is in ns since 1970 (UTC).
	 * @instance is an instance directory of the caller ("instances/x") whose
	 * trace_clock is set to @clock (otherwise -EINVAL). If no system call reads
	 * @clock, the function may write a mark into @instance and read the mark back.
	 * This CONSUMES the content of the instance's ring buffer. -ENOTSUP if the time
	 * is not available: @clock is not a clock of clock_gettime(2) and @instance is
	 * NULL, or the mark was lost.
	 */
	int (*clock)(struct hist_target *t, const char *clock, const char *instance,
		     uint64_t *now);
	/*
	 * Implement all three or none. They are for a target that keeps the undo list
	 * itself, and undoes the changes if the connection is lost. The semantics are
	 * those of undo_list.h. Without them, the caller keeps the list.
	 */
	int (*note)(struct hist_target *t, int undo_note_type, const char *path, const char *text);
	int (*cancel)(struct hist_target *t);
	int (*take_back)(struct hist_target *t, const struct undo_report *report,
			 struct undo_outcome *outcome);
	/* Also undo, on the target, the changes that dead recorders left. */
	int (*clean)(struct hist_target *t, bool dry_run, const struct undo_report *report,
		     struct undo_outcome *outcome);
	/* Optional: report to a remote target that the host is still connected. */
	int (*ping)(struct hist_target *t);
	/*
	 * Optional: open the file at @path with O_NONBLOCK, for a caller that reads the
	 * file itself. Returns the file descriptor or -errno.
	 */
	int (*descriptor)(struct hist_target *t, const char *path);
	/*
	 * Optional: get the pages that are ready in @path, a file trace_pipe_raw or
	 * snapshot_raw of one CPU, one after the other. Consumes the pages. Does not wait
	 * for new pages. Ends after about @most bytes, because reading causes new events;
	 * 0: no limit, for snapshot_raw.
	 */
	int (*pages)(struct hist_target *t, const char *path, size_t most,
		     struct target_buf *buf);
	/*
	 * Optional: list the tasks of the target as text in @buf. @cgroup is a directory of
	 * cgroup v2, with or without the path of its mount: the text has the IDs of the threads
	 * of this group and of the groups below it. NULL: the first line is "Self: PID", the
	 * process that serves the target; then each thread has the lines "Tgid: N", "Pid: N" and
	 * "PPid: N" of its status file. -ENOENT: no such group; -EOPNOTSUPP: cgroup v2 is not
	 * mounted.
	 */
	int (*tasks)(struct hist_target *t, const char *cgroup, struct target_buf *buf);
	/* Optional: get the text of /proc/kallsyms of the target. */
	int (*kallsyms)(struct hist_target *t, struct target_buf *buf);
	void (*free)(struct hist_target *t);
};

struct hist_target {
	const struct hist_target_ops *ops;
	char *uname;   /* "Linux host 6.12.. x86_64" */
	char *host;    /* node name */
	unsigned int cpus; /* those that can come online: see target_count_cpus() */
	unsigned int page_size;
	unsigned int long_size;
	bool big_endian;
	/*
	 * duration of the last reread() on the target, in ns; 0: the caller measures
	 * the duration
	 */
	uint64_t reread_ns;
	long pid; /* on the target: the process whose children do the work; 0: unknown */
};

/* @target may be NULL. */
void target_free(struct hist_target *target);

int target_write_str(struct hist_target *t, const char *path, const char *text, bool append);

/* Ensure room for at least @room bytes; grows by doubling. 0 or -ENOMEM (@buf unchanged). */
int target_buf_reserve(struct target_buf *buf, size_t room);
/* Append @text, and a NUL that does not count.  0 or -ENOMEM, and @buf keeps what it has. */
int target_buf_append(struct target_buf *buf, const void *text, size_t len);

/*
 * target_count_cpus - the number of CPUs for which tracefs has a directory in per_cpu/
 * These are all that can ever be online, from 0 up to the last one; 1 if it is not known.
 */
unsigned int target_count_cpus(struct hist_target *t);

/* Names in the directory @dir, in the format of list(). */
int target_list_names(int dir, struct target_buf *names);
/* The same for the directory @path in the directory @at, which may be an O_PATH descriptor. */
int target_list_dir(int at, const char *path, struct target_buf *names);

/* Read a file from its current offset to its end; replaces the content of @buf. */
int target_read_all(int fd, struct target_buf *buf);
/* Read the file of this machine at @path, such as "/proc/mounts". */
int target_read_file(const char *path, struct target_buf *buf);

/* True if @path is relative, not empty, without "..", and shorter than TARGET_PATH_MAX. */
bool target_path_is_valid(const char *path);

/*
 * True for the files of /proc that names of numbers come from: "/proc/interrupts",
 * "/proc/diskstats" and "/proc/1/maps"; and for TARGET_CPUS_PRESENT and TARGET_CPUS_ONLINE.
 */
bool target_path_is_machine(const char *path);

/* True for the files of ops.pages(): "trace_pipe_raw" and "snapshot_raw", in any directory. */
bool target_path_has_pages(const char *path);

/*
 * True for files where O_TRUNC removes the triggers, probes or synthetic events of all
 * users. Such files must be written with append.
 */
bool target_truncation_harms(const char *path);

/* The clock in brackets of "local [global] counter": malloc'ed, or NULL. */
char *target_parse_clock(const char *trace_clock_text);

/*
 * target_find_mount - find the first mount of a file system, such as "tracefs"
 * 0: *@found is its malloc'ed path, or NULL; or -errno. Skips names with escapes (\040).
 */
int target_find_mount(const char *type, char **found);

#endif
