// SPDX-License-Identifier: GPL-2.0
/*
 * bare_calls.c - a program without the start of the C library: it calls getppid() 1000 times, then
 * exit_group(), and no other system call
 */
#include <sys/syscall.h>
#include <unistd.h>

void _start(void);

void _start(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		syscall(SYS_getppid);
	for (;;)
		syscall(SYS_exit_group, 0);
}
