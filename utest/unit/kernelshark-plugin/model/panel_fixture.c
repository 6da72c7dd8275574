// SPDX-License-Identifier: GPL-2.0
/*
 * panel_fixture.c - recordings for the tests of KernelShark's panel
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "utest/unit/kernelshark-plugin/model/panel_fixture.h"
#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tracecmd/report/report_run.h"

static const char *const comms[] = { "sh", "kworker/0:1", "a b", "Xorg" };

static void make_panel(void)
{
	struct run_fixture *f = run_fixture_new("panel.dat", "Linux box 6.12.0", "box");
	uint64_t state = 4711, i, n;
	int lat, pid, tick, name, sym;

	lat = run_fixture_define(f, "t:lat", "hist:keys=comm,lat.log2:vals=lat", "mono");
	pid = run_fixture_define(f, "t:pid", "hist:keys=pid", "mono");
	tick = run_fixture_define(f, "t:tick", "hist:keys=size.buckets=10", "counter");
	name = run_fixture_define(f, "t:name", "hist:keys=comm:sort=comm", "mono");
	sym = run_fixture_define(f, "sched:sched_stat_runtime",
				 "hist:keys=call_site.sym,runtime.log2:vals=runtime", "mono");
	for (i = 0; i < PANEL_SNAPSHOTS; i++) {
		run_fixture_count(f, sym, (struct run_key[]){ { 0x1000 + i % 3, i % 3 < 2 ? "twin" : "other" },
							      { 6, NULL } },
				  (uint64_t[]){ 1, 40 });
		for (n = test_random(&state) % 9; n; n--) {
			struct run_key key[2] = { { 0, comms[test_random(&state) % 4] },
						  { test_random(&state) % 20, NULL } };

			run_fixture_count(f, lat, key, (uint64_t[]){ 1 + n % 3, 7 * n });
			run_fixture_count(f, pid, &(struct run_key){ 1 + test_random(&state) % 30, NULL },
					  &(uint64_t){ n });
			run_fixture_count(f, tick, &(struct run_key){ test_random(&state) % 9 * 10, NULL },
					  &(uint64_t){ 1 });
		}
		run_fixture_count(f, name, &(struct run_key){ 0, comms[i & 1] }, &(uint64_t){ i + 1 });
		if (i == 7)
			run_fixture_clear(f, pid);
		if (i == 7)
			run_fixture_count(f, pid, &(struct run_key){ 99, NULL }, &(uint64_t){ 5 });
		if (i == 20)
			run_fixture_drop(f, pid, 3);
		run_fixture_snapshot(f, lat, (100 + i) * PANEL_SEC);
		if (i == 10 || i == 11)
			run_fixture_lose(f, pid);
		else
			run_fixture_snapshot(f, pid, (100 + i) * PANEL_SEC);
		run_fixture_snapshot(f, tick, 1000 + 100 * i);
		run_fixture_snapshot(f, name, (100 + i) * PANEL_SEC);
		run_fixture_snapshot(f, sym, (100 + i) * PANEL_SEC);
	}
	run_fixture_close(f, true);
}

int panel_set_up(void)
{
	if (report_set_up())
		return -1;
	make_panel();
	return 0;
}

int panel_tear_down(void)
{
	unlink("panel.dat");
	unlink("many.dat");
	unlink("back.dat");
	unlink("written");
	return report_tear_down();
}

void panel_many(uint32_t n)
{
	struct run_fixture *f = run_fixture_new("many.dat", "Linux box 6.12.0", "box");
	int hist = run_fixture_define(f, "t:many", "hist:keys=lat.log2", "mono");
	uint32_t i;

	for (i = 0; i < n; i++) {
		run_fixture_count(f, hist, &(struct run_key){ i % 40, NULL }, &(uint64_t){ 1 });
		run_fixture_snapshot(f, hist, PANEL_SEC + i * UINT64_C(1000000));
	}
	run_fixture_close(f, true);
}

void panel_times(const uint64_t *times, uint32_t n)
{
	struct run_fixture *f = run_fixture_new("back.dat", "Linux box 6.12.0", "box");
	int hist = run_fixture_define(f, "t:back", "hist:keys=pid", "mono");
	uint32_t i;

	for (i = 0; i < n; i++) {
		run_fixture_count(f, hist, &(struct run_key){ 1, NULL }, &(uint64_t){ i + 1 });
		run_fixture_snapshot(f, hist, times[i]);
	}
	run_fixture_close(f, true);
}

void panel_damage(unsigned int hist, uint32_t seq)
{
	size_t len, i;
	char *file = test_read_file("panel.dat", &len);
	FILE *f = fopen("bad.dat", "w");

	/* "HREC", version, type (2: full, 3: difference), histogram, seq, flags ... then the body */
	for (i = 0; i + 48 < len; i++)
		if (!memcmp(file + i, "HREC\1", 5) && (file[i + 5] == 2 || file[i + 5] == 3) &&
		    file[i + 6] == (char)hist && file[i + 8] == (char)seq)
			break;
	if (!f || i + 48 >= len) {
		fprintf(stderr, "panel_fixture: no snapshot %u\n", seq);
		exit(2);
	}
	file[i + 42] ^= 1;
	fwrite(file, 1, len, f);
	fclose(f);
	free(file);
}
