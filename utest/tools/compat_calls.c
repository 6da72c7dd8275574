// SPDX-License-Identifier: GPL-2.0
/*
 * compat_calls.c - a 32-bit program: it calls getpid() 1000 times and close(-1) 300 times, then
 * exit(), and no other system call
 *
 * It needs no 32-bit library. The numbers of these calls are those of writev(), lstat() and write()
 * in the 64-bit table of x86-64.
 */
#define CALL_EXIT 1
#define CALL_CLOSE 6
#define CALL_GETPID 20

void _start(void);

static int call(int number, int arg)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(arg) : "memory");
	return result;
}

void _start(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		call(CALL_GETPID, 0);
	for (i = 0; i < 300; i++)
		call(CALL_CLOSE, -1);
	for (;;)
		call(CALL_EXIT, 0);
}
