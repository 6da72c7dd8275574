/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tests.h - what main.c runs: each module's tests, which it registers with
 * CUnit.  They return 0, or CUnit's error.
 */
#ifndef UTEST_TESTS_H
#define UTEST_TESTS_H

int axis_tests(void);
int blocks_tests(void);
int check_tests(void);
int context_tests(void);
int delta_tests(void);
int engine_action_tests(void);
int engine_filter_tests(void);
int engine_key_tests(void);
int engine_run_tests(void);
int event_tests(void);
int events_tests(void);
int explain_tests(void);
int compare_tests(void);
int expr_tests(void);
int expr_tree_tests(void);
int filter_tests(void);
int figures_fail_tests(void);
int figures_notes_tests(void);
int figures_search_tests(void);
int figures_sums_tests(void);
int figures_tests(void);
int fit_tests(void);
int heads_tests(void);
int heatmap_tests(void);
int heat_cells_tests(void);
int json_writer_tests(void);
int judge_model_tests(void);
int judge_quantile_tests(void);
int judge_tests(void);
int key_filter_tests(void);
int key_filter_text_tests(void);
int key_tests(void);
int distinct_tests(void);
int label_tests(void);
int latency_tests(void);
int list_tests(void);
int match_tests(void);
int net_address_tests(void);
int object_tests(void);
int page_tests(void);
int panel_tests(void);
int percentiles_tests(void);
int preset_tests(void);
int probe_tests(void);
int push_tests(void);
int quantile_tests(void);
int report_percentiles_tests(void);
int report_tests(void);
int report_file_tests(void);
int report_views_tests(void);
int report_files_tests(void);
int writers_fail_tests(void);
int raw_tests(void);
int rows_tests(void);
int schema_tests(void);
int scope_tests(void);
int series_tests(void);
int series_damage_tests(void);
int serve_tests(void);
int sql_tests(void);
int stats_tests(void);
int synth_tests(void);
int table_tests(void);
int text_tests(void);
int thresholds_tests(void);
int text_hostile_tests(void);
int tracedat_tests(void);
int tracedat_top_tests(void);
int top_tests(void);
int top_canvas_tests(void);
int trigger_tests(void);
int target_url_tests(void);
int undo_tests(void);
int undo_journal_tests(void);
int unit_tests(void);
int view_diff_tests(void);
int views_tests(void);
int wire_tests(void);

#endif
