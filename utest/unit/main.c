// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - run the unit tests
 *
 *	unit-tests [MODULE...]
 *	unit-tests -l
 *
 * Without a name all of them; -l lists the names.  Exit status 0 only when every assertion held.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/tests.h"

static const struct module {
	const char *name;
	int (*add)(void);
} modules[] = {
	{ "axis", axis_tests },
	{ "blocks", blocks_tests },
	{ "check", check_tests },
	{ "context", context_tests },
	{ "delta", delta_tests },
	{ "distinct", distinct_tests },
	{ "engine-action", engine_action_tests },
	{ "engine-filter", engine_filter_tests },
	{ "engine-key", engine_key_tests },
	{ "engine-run", engine_run_tests },
	{ "engine-stack", engine_stack_tests },
	{ "event", event_tests },
	{ "events", events_tests },
	{ "events-names", events_names_tests },
	{ "events-damage", events_damage_tests },
	{ "explain", explain_tests },
	{ "compare", compare_tests },
	{ "expr", expr_tests },
	{ "expression", expression_tests },
	{ "expr_tree", expr_tree_tests },
	{ "filter", filter_tests },
	{ "figures", figures_tests },
	{ "figures_fail", figures_fail_tests },
	{ "figures_notes", figures_notes_tests },
	{ "figures_search", figures_search_tests },
	{ "figures_sums", figures_sums_tests },
	{ "fit", fit_tests },
	{ "heads", heads_tests },
	{ "heat_cells", heat_cells_tests },
	{ "heatmap", heatmap_tests },
	{ "json_writer", json_writer_tests },
	{ "judge", judge_tests },
	{ "judge_model", judge_model_tests },
	{ "judge_quantile", judge_quantile_tests },
	{ "key_filter", key_filter_tests },
	{ "key_filter_text", key_filter_text_tests },
	{ "key", key_tests },
	{ "label", label_tests },
	{ "latency", latency_tests },
	{ "list", list_tests },
	{ "match", match_tests },
	{ "net_address", net_address_tests },
	{ "object", object_tests },
	{ "page", page_tests },
	{ "panel", panel_tests },
	{ "percentiles", percentiles_tests },
	{ "preset", preset_tests },
	{ "probe", probe_tests },
	{ "probe_misses", probe_misses_tests },
	{ "push", push_tests },
	{ "quantile", quantile_tests },
	{ "report", report_tests },
	{ "report_percentiles", report_percentiles_tests },
	{ "report_file", report_file_tests },
	{ "report_views", report_views_tests },
	{ "report_hostile", report_hostile_tests },
	{ "report_files", report_files_tests },
	{ "writers_fail", writers_fail_tests },
	{ "raw", raw_tests },
	{ "relay", relay_tests },
	{ "rows", rows_tests },
	{ "schema", schema_tests },
	{ "scope", scope_tests },
	{ "series", series_tests },
	{ "series_damage", series_damage_tests },
	{ "serve", serve_tests },
	{ "source_raw", source_raw_tests },
	{ "sql", sql_tests },
	{ "stats", stats_tests },
	{ "syscalls", syscalls_tests },
	{ "suggest", suggest_tests },
	{ "synth", synth_tests },
	{ "table", table_tests },
	{ "text", text_tests },
	{ "thresholds", thresholds_tests },
	{ "text_hostile", text_hostile_tests },
	{ "tracedat", tracedat_tests },
	{ "tracedat_top", tracedat_top_tests },
	{ "top", top_tests },
	{ "top_canvas", top_canvas_tests },
	{ "trigger", trigger_tests },
	{ "target_url", target_url_tests },
	{ "undo", undo_tests },
	{ "undo_journal", undo_journal_tests },
	{ "unit", unit_tests },
	{ "view_diff", view_diff_tests },
	{ "views", views_tests },
	{ "walk", walk_tests },
	{ "wide", wide_tests },
	{ "wire", wire_tests },
};

#define MODULES (sizeof(modules) / sizeof(modules[0]))

static bool wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], name))
			return true;
	}
	return argc < 2;
}

/*
 * tracefs_tracing_dir() of libtracefs looks for the directory anew, and forgets the name it had,
 * each time that it is asked by a user who may not read it.
 */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtracefs.so";
}

int main(int argc, char **argv)
{
	unsigned int i, added = 0, failures;

	if (argc == 2 && !strcmp(argv[1], "-l")) {
		for (i = 0; i < MODULES; i++)
			puts(modules[i].name);
		return 0;
	}
	if (CU_initialize_registry() != CUE_SUCCESS) {
		fprintf(stderr, "unit-tests: %s\n", CU_get_error_msg());
		return 2;
	}
	for (i = 0; i < MODULES; i++) {
		if (!wanted(modules[i].name, argc, argv))
			continue;
		if (modules[i].add()) {
			fprintf(stderr, "unit-tests: %s: %s\n", modules[i].name, CU_get_error_msg());
			return 2;
		}
		added++;
	}
	if (!added || (argc > 1 && (int)added != argc - 1)) {
		fprintf(stderr, "unit-tests: no such module among:");
		for (i = 0; i < MODULES; i++)
			fprintf(stderr, " %s", modules[i].name);
		fputc('\n', stderr);
		return 2;
	}
	CU_basic_set_mode(CU_BRM_NORMAL);
	if (CU_basic_run_tests() != CUE_SUCCESS) {
		fprintf(stderr, "unit-tests: %s\n", CU_get_error_msg());
		return 2;
	}
	failures = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
	CU_cleanup_registry();
	return failures != 0;
}
