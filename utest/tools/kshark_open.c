// SPDX-License-Identifier: GPL-2.0
/*
 * kshark_open.c - open a file as KernelShark does, through its own library
 *
 * Prints "STREAMS ENTRIES"; a stream is one buffer of events.  Status 1: the
 * library did not take the file.
 */
#include <stdio.h>
#include <stdlib.h>

#include <libkshark.h>

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **entries = NULL;
	ssize_t n, total = 0, i;
	int *streams = NULL;
	int first, s, status = 1;

	if (argc != 2) {
		fprintf(stderr, "usage: kshark_open FILE\n");
		return 2;
	}
	if (!kshark_instance(&context)) {
		fprintf(stderr, "kshark_open: no memory\n");
		return 1;
	}
	first = kshark_open(context, argv[1]);
	if (first < 0) {
		fprintf(stderr, "kshark_open: %s: not opened: %d\n", argv[1], first);
		goto out;
	}
	streams = kshark_all_streams(context);
	for (s = 0; s < context->n_streams; s++) {
		n = kshark_load_entries(context, streams[s], &entries);
		if (n < 0) {
			fprintf(stderr, "kshark_open: %s: not loaded: %zd\n", argv[1], n);
			goto out;
		}
		for (i = 0; i < n; i++)
			free(entries[i]);
		free(entries);
		entries = NULL;
		total += n;
	}
	printf("%d %zd\n", context->n_streams, total);
	status = 0;
out:
	free(streams);
	kshark_close_all(context);
	kshark_free(context);
	return status;
}
