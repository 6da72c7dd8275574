// SPDX-License-Identifier: GPL-2.0
/*
 * panel_recordings.cpp - recordings of loads that are made up, always the same
 */
#include <cmath>
#include <cstring>

#include <QFile>
#include <QFileInfo>

#include "panel_fake.hpp"

extern "C" {
#include "../run_fixture.h"
#include "../test_data.h"
}

#define SEC 1000000000ull

namespace {

struct Load {
	uint64_t random = 0x9e3779b97f4a7c15ull;
	run_fixture *f = nullptr;
	int hist = 0;

	double uniform() { return double((test_random(&random) >> 11) + 0.5) / 9007199254740992.0; }
	double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }
	void snapshot(double seconds) { run_fixture_snapshot(f, hist, uint64_t(std::llround(seconds * 1e9))); }
	void count(const run_key *keys, uint64_t a, uint64_t b = 0)
	{
		const uint64_t values[] = { a, b };

		run_fixture_count(f, hist, keys, values);
	}
};

uint64_t log2Of(uint64_t v)
{
	uint64_t n = 0;

	while (v > 1ull << n)
		n++;
	return n;
}

/* Times that wander, with a storm of slow ones in the middle. */
void latency(Load &l)
{
	static const char *const names[] = { "sys_read", "sys_write", "sys_futex" };
	int i, k, n;

	l.hist = run_fixture_define(l.f, "syscalls:latency", "hist:keys=id.syscall,lat_us.log2:vals=lat_us",
				    "mono");
	for (i = 0; i <= 60; i++) {
		for (k = 0; i && k < 3; k++)
			for (n = 0; n < 120 / (k + 1); n++) {
				const double storm = i > 34 && i < 40 && k == 1 ? 60 : 1;
				const uint64_t us = uint64_t(std::llround(
					20 * (k * 3 + 1) * storm * std::exp(0.7 * l.normal() + 0.6 * std::sin(i / 9.0))));
				const run_key keys[] = { { uint64_t(k), names[k] }, { log2Of(us), nullptr } };

				l.count(keys, 1, us);
			}
		l.snapshot(100 + i * 0.5);
	}
}

void mallocs(Load &l)
{
	int i, n;

	l.hist = run_fixture_define(l.f, "kmem:kmalloc", "hist:keys=bytes_req.log2:vals=bytes_req", "mono");
	for (i = 0; i <= 30; i++) {
		if (i == 15)
			run_fixture_clear(l.f, l.hist);
		if (i == 20)
			run_fixture_lose(l.f, l.hist);
		for (n = 0; i && n < 300; n++) {
			/* few are between 512 and 2048 */
			const double mean = l.uniform() < 0.8 ? 60 : 6000;
			const uint64_t bytes = uint64_t(std::llround(mean * std::exp(0.35 * l.normal())));
			const run_key keys[] = { { log2Of(bytes), nullptr } };

			l.count(keys, 1, bytes);
		}
		if (i == 25)
			run_fixture_drop(l.f, l.hist, 42);
		l.snapshot(100 + i);
	}
}

void tasks(Load &l)
{
	static const char *const names[] = { "swapper/0", "kworker/u8:2", "Xorg", "chromium",
					     "a\nb\x01", "\xe2\x80\xae" "gpj", "<b>bold</b>", "bash", "sshd",
					     "a-very-long-name-that-a-comm-cannot-have-but-a-string-can" };
	int i, k;

	l.hist = run_fixture_define(l.f, "sched:sched_switch", "hist:keys=common_pid.execname", "mono");
	for (i = 0; i <= 10; i++) {
		for (k = 0; i && k < 40; k++) {
			const run_key keys[] = { { uint64_t(100 + k), names[k % 10] } };

			l.count(keys, uint64_t(20000 * std::pow(0.75, k) * (1 + 0.3 * l.uniform())) + (k < 30));
		}
		l.snapshot(100 + i);
	}
}

/* Names that look like HTML, everywhere; with numbers for views that need them. */
void tags(Load &l, const char *trigger)
{
	static const char *const names[] = { "<img src=x>one", "<img src=x>two", "<b>three</b>" };
	int i, k;

	l.hist = run_fixture_define(l.f, "sched:latency", trigger, "mono");
	for (i = 0; i <= 10; i++) {
		for (k = 0; i && k < 3; k++) {
			const run_key keys[] = { { 0, names[k] }, { uint64_t(i % 4), nullptr } };

			l.count(keys, uint64_t(200 - 50 * k));
		}
		l.snapshot(100 + i);
	}
}

void tagBars(Load &l)
{
	tags(l, "hist:keys=next_comm if next_comm != \"<img src=x>\"");
}

void tagHeat(Load &l)
{
	tags(l, "hist:keys=next_comm,lat_us.log2 if next_comm != \"<img src=x>\"");
}

void many(Load &l)
{
	int i, n;

	l.hist = run_fixture_define(l.f, "sched:latency", "hist:keys=next_comm,lat_us.log2", "mono");
	for (i = 0; i < 5000; i++) {
		for (n = 0; i && n < 12; n++) {
			const uint64_t us = uint64_t(30 * std::exp(1.2 * l.normal() + std::sin(i / 400.0)));
			const run_key keys[] = { { 0, n % 3 ? "rcu_preempt" : "bash" }, { log2Of(us), nullptr } };

			l.count(keys, 1);
		}
		l.snapshot(100 + i * 0.01);
	}
}

void cycles(Load &l)
{
	int i;

	l.hist = run_fixture_define(l.f, "kmem:kfree", "hist:keys=cpu_id", "counter");
	for (i = 0; i < 4; i++) {
		const run_key keys[] = { { uint64_t(i % 2), nullptr } };

		l.count(keys, 5);
		run_fixture_snapshot(l.f, l.hist, uint64_t(1000 + 10 * i));
	}
}

void single(Load &l)
{
	const run_key keys[] = { { 4, nullptr } };

	l.hist = run_fixture_define(l.f, "kmem:kmalloc", "hist:keys=bytes_req.log2", "mono");
	l.count(keys, 3);
	l.snapshot(100);
}

void wide(Load &l)
{
	uint64_t k;
	int i;

	l.hist = run_fixture_define(l.f, "raw_syscalls:sys_enter", "hist:keys=args_0", "mono");
	for (i = 0; i < 2; i++) {
		for (k = 0; i && k < 16384; k++) {
			const run_key keys[] = { { k * 977 % 16384, nullptr } };

			l.count(keys, 1 + k % 1000);
		}
		l.snapshot(100 + i);
	}
}

void busy(Load &l)
{
	uint64_t k;
	int i;

	l.hist = run_fixture_define(l.f, "irq:latency", "hist:keys=lat_us.log2", "mono");
	for (i = 0; i <= 1000; i++) {
		for (k = 1; i && k <= 63; k++) {
			const run_key keys[] = { { k, nullptr } };

			l.count(keys, 1 + (uint64_t(i) * k) % 97);
		}
		l.snapshot(100 + i * 0.5);
	}
}

}

QString panelRecording(const QString &dir, const QString &kind)
{
	static const struct {
		const char *kind;
		void (*make)(Load &l);
	} kinds[] = {
		{ "latency", latency }, { "mallocs", mallocs }, { "tasks", tasks },
		{ "many", many },	{ "cycles", cycles },	{ "single", single },
		{ "wide", wide },	{ "busy", busy },
		{ "tag-bars", tagBars }, { "tag-heat", tagHeat },
	};
	const QString path = dir + QLatin1Char('/') + kind + QLatin1String(".dat");
	Load l;

	if (QFileInfo::exists(path))
		return path;
	l.f = run_fixture_new(QFile::encodeName(path).constData(), "Linux 6.12.0-test x86_64", "box");
	for (const auto &k : kinds)
		if (kind == QLatin1String(k.kind))
			k.make(l);
	run_fixture_close(l.f, kind != QLatin1String("mallocs"));
	return path;
}
