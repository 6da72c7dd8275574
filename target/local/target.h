/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target.h - the one door to a machine whose kernel traces
 *
 * Everything that a verb wants of tracefs goes through a target: the local
 * machine (target_local.c), a remote one with a helper (target_remote.c) or
 * with nothing but a shell (target_shell.c), a faulty one in tests.  Paths are relative to the tracefs mount ("events/sched/sched_switch/
 * trigger"), never absolute, never with "..": -EINVAL.
 *
 * Functions return 0 (or a count, where said) or -errno.
 */
#ifndef TARGET_LOCAL_TARGET_H
#define TARGET_LOCAL_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer paths are refused. */
#define TARGET_PATH_MAX 4096

struct hist_target;
struct undo_report;
struct undo_outcome;

/* Of one file: a histogram of 131,072 rows with stacks has less. */
#define TARGET_TEXT_MAX (512 << 20)

/* A growing buffer for reads; zero it to begin, free(data) at the end. */
struct target_buf {
	char *data; /* NUL behind len */
	size_t len;
	size_t room;
};

/* What it returns other than 0 ends the reading and is passed on. */
typedef int (*target_take)(void *arg, const char *data, size_t len);

struct hist_target_ops {
	/* Whole file; replaces what is in @buf. */
	int (*read)(struct hist_target *t, const char *path, struct target_buf *buf);
	/*
	 * A file that is read again and again: kept open, read from the start
	 * each time, so that the kernel's seq_file buffer keeps its size.
	 */
	int (*open)(struct hist_target *t, const char *path, int *handle);
	int (*reread)(struct hist_target *t, int handle, struct target_buf *buf);
	/* Optional: the same for one who needs no more than a piece at a time. */
	int (*reread_pieces)(struct hist_target *t, int handle, target_take take, void *arg);
	/*
	 * Optional: takes a new snapshot in an open hist_raw file, and reads all of
	 * it.  Machines without it are read by their text.
	 */
	int (*snapshot)(struct hist_target *t, int handle, struct target_buf *buf);
	void (*close)(struct hist_target *t, int handle);
	/*
	 * One write(2) of all @len bytes (none when 0); a short one is -EIO.
	 * Truncates first (O_TRUNC) unless @append.  -EINVAL without @append on
	 * the files of target_truncation_harms().
	 */
	int (*write)(struct hist_target *t, const char *path, const char *data, size_t len,
		     bool append);
	/* Names in a directory, NUL-terminated, one behind the other, in @buf. */
	int (*list)(struct hist_target *t, const char *path, struct target_buf *buf);
	int (*mkdir)(struct hist_target *t, const char *path);
	int (*rmdir)(struct hist_target *t, const char *path);
	int (*exists)(struct hist_target *t, const char *path); /* 1, 0 or -errno */
	/*
	 * Now, on the trace clock @clock ("mono"), in its unit; or for
	 * "realtime", which is none, in ns since 1970 (UTC).  @instance: an
	 * instance directory of ours ("instances/x"), its trace_clock set to
	 * @clock (else -EINVAL), in which a mark may be written and read back
	 * where no system call knows the clock.  That CONSUMES what is in its
	 * ring buffer.  -ENOTSUP where the time can't be had (@instance NULL
	 * and not a clock of clock_gettime(2), or the mark was lost).
	 */
	int (*clock)(struct hist_target *t, const char *clock, const char *instance,
		     uint64_t *now);
	/*
	 * All or none: a target that keeps the list of what is to be taken back
	 * itself, and does so when the connection is lost.  As in undo_list.h;
	 * without them the list is kept here.
	 */
	int (*note)(struct hist_target *t, int note_type, const char *path, const char *text);
	int (*cancel)(struct hist_target *t);
	int (*take_back)(struct hist_target *t, const struct undo_report *report,
			 struct undo_outcome *outcome);
	/* Also takes back what was left by dead ones, there. */
	int (*clean)(struct hist_target *t, bool dry_run, const struct undo_report *report,
		     struct undo_outcome *outcome);
	/* Optional: tells a target that is elsewhere that we are still there. */
	int (*ping)(struct hist_target *t);
	/*
	 * Optional: a descriptor to read the file at @path by oneself, open with
	 * O_NONBLOCK; -errno.
	 */
	int (*descriptor)(struct hist_target *t, const char *path);
	/*
	 * Optional, where there is no descriptor: the pages that have come into
	 * @instance/per_cpu/cpu@cpu/trace_pipe_raw, one behind the other; they are
	 * consumed.  Waits for none.
	 */
	int (*pages)(struct hist_target *t, const char *instance, unsigned int cpu,
		     struct target_buf *buf);
	/* Optional: the text of /proc/kallsyms there. */
	int (*kallsyms)(struct hist_target *t, struct target_buf *buf);
	void (*free)(struct hist_target *t);
};

struct hist_target {
	const struct hist_target_ops *ops;
	char *uname;   /* "Linux host 6.12.. x86_64" */
	char *host;    /* node name */
	unsigned int cpus;
	unsigned int page_size;
	unsigned int long_size;
	bool big_endian;
	/* how long the last reread() took there, in ns; 0: take the time here */
	uint64_t reread_ns;
	long pid; /* there, of the one whose children work for us; 0: unknown */
};

/*
 * target_local_new - this machine
 * Finds tracefs, mounting it where libtracefs can.  On failure @why says what
 * and what to do: -ENODEV no tracefs, -EACCES not permitted, -ENOMEM.
 */
int target_local_new(struct hist_target **target, char *why, size_t why_len);

/*
 * target_open - the machine that @url names; NULL: this one
 * target_url.h has the forms.  As target_local_new().
 */
int target_open(struct hist_target **target, const char *url, char *why, size_t why_len);

/* NULL is fine. */
void target_free(struct hist_target *target);

/* Convenience over the ops; path made by printf. -ENAMETOOLONG when longer. */
int target_readf(struct hist_target *t, struct target_buf *buf, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int target_write_str(struct hist_target *t, const char *path, const char *text, bool append);
int target_existsf(struct hist_target *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Room for at least @room bytes, grown by doubling. 0 or -ENOMEM (@buf unchanged). */
int target_buf_reserve(struct target_buf *buf, size_t room);

/*
 * For the loop of one who waits long: how long poll() may sleep, in ms (-1: for
 * ever), until target_stay() tells the target that we are still there; -errno
 * when it is gone.
 */
int target_stay_ms(const struct hist_target *t);
int target_stay(struct hist_target *t);

/* Names in the directory @dir, as list() gives them. */
int target_list_names(int dir, struct target_buf *names);

/* The whole of a file from where it is; replaces what is in @buf. */
int target_read_all(int fd, struct target_buf *buf);

/* Relative, not empty, no "..", shorter than TARGET_PATH_MAX. */
bool target_path_ok(const char *path);

/*
 * True for files where opening with O_TRUNC removes everybody's triggers,
 * probes or synthetic events: they must be written with append.
 */
bool target_truncation_harms(const char *path);

/* The clock in "local [global] counter": malloc'ed, or NULL. */
char *target_current_clock(const char *trace_clock_text);

#endif
