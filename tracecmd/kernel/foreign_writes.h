/* SPDX-License-Identifier: GPL-2.0 */
/*
 * foreign_writes.h - notice that another program changes what a recording depends on
 *
 * Another program can stop the events of a recording and continue them before the next snapshot.
 * The files of tracefs then have the same content as before, so inotify(7) reports each write to
 * them. It works in tracefs for all writes of programs, also through debugfs, but not for changes
 * by the kernel itself. Those last, and the counter looks for them at each snapshot. A program that
 * reads trace_pipe takes events away: inotify reports that it was opened.
 *
 * The recorder's own writes are before foreign_writes_begin() or after foreign_writes_end(). Only
 * snapshot markers, which do not matter, and lists of tasks (@own) are written between them.
 */
#ifndef TRACECMD_KERNEL_FOREIGN_WRITES_H
#define TRACECMD_KERNEL_FOREIGN_WRITES_H

#include "helper/local/target.h"

/* To which recordings a file matters. */
#define FOREIGN_KERNEL 0x1 /* of hist triggers */
#define FOREIGN_USER 0x2   /* of the user-space engine */
#define FOREIGN_FORKS 0x4  /* of tasks and their children */
#define FOREIGN_PROBES 0x8 /* of kernel functions */

struct foreign_writes {
	struct hist_target *target;
	int *files; /* inotify, then the directories: eventfs makes new inodes for closed ones */
	unsigned int nfiles;  /* 0: nothing is watched */
	unsigned int matters; /* FOREIGN_KERNEL, ... */
	unsigned int count;   /* of changes that were noticed */
	bool lasts;	      /* one of them may still have an effect */
	char name[32];	      /* of the first file that was changed, or "" */
};

/*
 * foreign_writes_begin - prepare to watch files of @target, as far as they matter
 * foreign_writes_watch_instance - watch the files of the instance at @dir
 * foreign_writes_watch_event - watch the files of an event in this instance; it need not exist
 * foreign_writes_watch_switches - watch the switches of all probes, if the recording has probes
 * They do nothing for a remote target. 0, or -errno without a message.
 */
int foreign_writes_begin(struct foreign_writes *f, struct hist_target *target,
			 unsigned int matters);
int foreign_writes_watch_instance(struct foreign_writes *f, const char *dir);
int foreign_writes_watch_event(struct foreign_writes *f, const char *dir, const char *system,
			       const char *name);
int foreign_writes_watch_switches(struct foreign_writes *f);

/*
 * foreign_writes_look - add the writes since the last look
 * @own: the recorder itself has written to lists of tasks since then.
 */
void foreign_writes_look(struct foreign_writes *f, bool own);

/* Add a change of the file @name that was noticed otherwise. */
void foreign_writes_add(struct foreign_writes *f, const char *name);

/* Look for the last time, and stop watching. */
void foreign_writes_end(struct foreign_writes *f);

#endif
