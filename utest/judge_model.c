// SPDX-License-Identifier: GPL-2.0
/*
 * judge_model.c - runs of a made-up load
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tracehist/blocks.h>

#include "judge_model.h"
#include "test_data.h"

#define LARGEST (1u << 17)

double model_unit(uint64_t *random)
{
	return (test_random(random) >> 11) * 0x1p-53;
}

double model_normal(uint64_t *random)
{
	double radius = sqrt(-2 * log(1 - model_unit(random)));

	return radius * cos(2 * M_PI * model_unit(random));
}

/* Buckets as the kernel makes them: .buckets=WIDTH from multiples on, .log2 up to a power of 2. */
static unsigned int cell_of(unsigned int width, uint64_t number)
{
	unsigned int cell = 0;

	if (width)
		return number / width;
	while (number > 1ull << cell)
		cell++;
	return cell;
}

static struct hist_bucket cell_bucket(unsigned int width, unsigned int cell)
{
	if (width)
		return (struct hist_bucket){ (uint64_t)cell * width,
					     (uint64_t)cell * width + width - 1, 0 };
	return (struct hist_bucket){ cell ? (1ull << (cell - 1)) + 1 : 0, 1ull << cell, 0 };
}

static void add_events(struct model_run *run, uint64_t *cells, const struct model *m,
		       double median, unsigned int events, double seconds,
		       uint64_t *random)
{
	unsigned int i;

	for (i = 0; i < events; i++) {
		double number = floor(median * exp(m->sigma * model_normal(random)));

		if (number >= LARGEST)
			number = LARGEST - 1;
		run->mean.low += number;
		cells[cell_of(m->width, number)]++;
	}
	run->rate.weight += seconds;
	run->rate.events += events;
}

static void finish(struct model_run *run, uint64_t *cells, const struct model *m)
{
	unsigned int cell, n = m->width ? LARGEST / m->width + 1 : 64;

	for (cell = 0; cell < n; cell++)
		run->d.room += cells[cell] > 0;
	run->d.buckets = calloc(run->d.room + 1, sizeof(*run->d.buckets));
	for (cell = 0; cell < n; cell++) {
		struct hist_bucket *bucket = &run->d.buckets[run->d.n];

		if (!cells[cell])
			continue;
		*bucket = cell_bucket(m->width, cell);
		bucket->count = cells[cell];
		run->d.n++;
		run->d.total += cells[cell];
	}
	run->rate.low = run->rate.high = run->rate.events / run->rate.weight;
	run->mean.weight = run->rate.events;
	run->mean.low = run->mean.high = run->mean.low / run->mean.weight;
}

static uint64_t *cells_new(const struct model *m)
{
	return calloc(m->width ? LARGEST / m->width + 1 : 64, sizeof(uint64_t));
}

static double scattered(double around, double sigma, uint64_t *random)
{
	return around * exp(sigma * model_normal(random));
}

void model_run(struct model_run *run, const struct model *m, uint64_t *random)
{
	uint64_t *cells = cells_new(m);
	double median = scattered(m->median, m->run_sigma, random);
	unsigned int events = scattered(m->events, m->rate_sigma, random) + 1;

	memset(run, 0, sizeof(*run));
	add_events(run, cells, m, median, events, 10, random);
	finish(run, cells, m);
	free(cells);
}

unsigned int model_blocks(struct model_run *runs, unsigned int intervals, const struct model *m,
			  uint64_t *random)
{
	double *drift = calloc(intervals, sizeof(*drift)), each = (double)m->events / intervals;
	double keep = sqrt(1 - m->phi * m->phi);
	unsigned int nblocks, block, i;

	for (i = 0; i < intervals; i++)
		drift[i] = i ? m->phi * drift[i - 1] + keep * model_normal(random) :
			       model_normal(random);
	nblocks = hist_blocks(drift, intervals);
	memset(runs, 0, nblocks * sizeof(*runs));
	for (block = 0; block < nblocks; block++) {
		uint64_t *cells = cells_new(m);

		for (i = hist_block_begin(intervals, nblocks, block);
		     i < hist_block_begin(intervals, nblocks, block + 1); i++)
			add_events(&runs[block], cells, m,
				   m->median * exp(m->drift_sigma * drift[i]),
				   scattered(each, m->rate_sigma, random) + 1, 1, random);
		finish(&runs[block], cells, m);
		free(cells);
	}
	free(drift);
	return nblocks;
}

void model_free_runs(struct model_run *runs, unsigned int n)
{
	while (n--)
		free(runs[n].d.buckets);
}

/* The runs' distributions as a vector; the buckets stay theirs. */
static struct hist_distribution *distributions(const struct model_run *runs, unsigned int n)
{
	struct hist_distribution *d = calloc(n, sizeof(*d));
	unsigned int i;

	for (i = 0; i < n; i++)
		d[i] = runs[i].d;
	return d;
}

void model_judge(struct hist_change *changes, const struct model_run *base, unsigned int nbase,
		 const struct model_run *new_, unsigned int nnew,
		 const struct hist_judge_options *options)
{
	static const uint32_t quantiles[] = { 500000, 900000, 990000 };
	struct hist_distribution *b = distributions(base, nbase), *n = distributions(new_, nnew);
	struct hist_replicate r[2][64], mean[2][64];
	unsigned int i;

	for (i = 0; i < nbase; i++) {
		r[0][i] = base[i].rate;
		mean[0][i] = base[i].mean;
	}
	for (i = 0; i < nnew; i++) {
		r[1][i] = new_[i].rate;
		mean[1][i] = new_[i].mean;
	}
	memset(changes, 0, MODEL_METRICS * sizeof(*changes));
	hist_judge_change(&changes[0], r[0], nbase, r[1], nnew, options);
	hist_judge_change(&changes[1], mean[0], nbase, mean[1], nnew, options);
	for (i = 0; i < 3; i++)
		hist_judge_quantile(&changes[2 + i], b, nbase, n, nnew, quantiles[i], options);
	free(b);
	free(n);
}
