// SPDX-License-Identifier: GPL-2.0
/*
 * probe_victim_twin.c - a second local function of a name
 */
int victim_other(int a);

__attribute__((noinline, used)) static int victim_twin(int a)
{
	__asm__ volatile("");
	return 2 * a;
}

int victim_other(int a)
{
	return victim_twin(a);
}
