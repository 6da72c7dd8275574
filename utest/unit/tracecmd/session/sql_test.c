// SPDX-License-Identifier: GPL-2.0
/*
 * sql_test.c - --sql, from its text to the lines that the kernel gets
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "lib/query/sql.h"
#include "tracecmd/session/plan_source.h"
#include "tracecmd/session/sql.h"
#include "tracecmd/trigger/dynevent.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/lib/query/grammar.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/plan/plan_fixture.h"

#define RANDOM_QUERIES 200

#define JOIN(what) \
	"SELECT " what " FROM sys_enter AS start JOIN sys_exit AS end " \
	"ON start.common_pid = end.common_pid"
#define LATENCY "(end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS lat"

/* A machine with some events. */
static void machine(void)
{
	fresh();
	plan_events_put(fake);
	fake->target.long_size = 8;
	fake->target.page_size = 4096;
	if (fake_target_put(fake, "synthetic_events", "") || fake_target_put(fake, "log", ""))
		abort();
}

/* The expansion, and what it says on stderr in @said. */
static int expand(struct plan *plan, const char *query, const struct query_hist *hist, char *said,
		  size_t len)
{
	struct query_hist copy = *hist;
	struct query_event event = { .kind = QUERY_SQL, .name = query, .hists = &copy,
				    .nhists = hist->keys || hist->raw };
	const struct hist_kernel kernel = { .literals = true };
	struct query_source source = { .clock = "boot", .kernel = &kernel };
	struct hist_error refusal = { 0 };
	struct sql_source sql;
	FILE *file = tmpfile();
	int saved, ret;
	size_t n;

	fflush(stderr);
	saved = dup(2);
	dup2(fileno(file), 2);
	sql_source_init(&sql, &fake->target);
	source.sql = &sql.sql;
	ret = plan_source_report(sql_expand(&plan->query, &event, "1_2", &source, &refusal), &refusal);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	rewind(file);
	n = fread(said, 1, len - 1, file);
	said[n] = '\0';
	fclose(file);
	return ret;
}

#define TAIL(filter) ":size=16384:clock=boot" filter " []\n"
#define ENTER "-raw_syscalls:sys_enter hist:keys=common_pid:"
#define EXIT "-raw_syscalls:sys_exit hist:keys=common_pid:"
#define MATCH ":onmatch(raw_syscalls.sys_enter).trace(trace_cmd_hist_1_2,"
#define ENDS(filter) "-raw_syscalls:sys_exit hist:name=ends_1_2:keys=common_type:size=128" filter " []\n"
#define GUARD "lat < 9007199254741"
/* and what counts the times that the guard leaves out */
#define VISIBLE(what) "synthetic:trace_cmd_hist_1_2 " what " [sql:sys_enter..sys_exit]\n" \
	"-synthetic:trace_cmd_hist_1_2 hist:name=below_1_2:keys=common_type:size=128 " \
	"if lat >= 9007199254741 [sql:sys_enter..sys_exit]\n"

/* libtracefs makes variables of a name, a random number, and a count: here R. */
static const struct {
	const char *query;
	struct query_hist hist;
	const char *lines;
} good[] = {
	/* what is selected are the keys, times in buckets of 12.5 % */
	{ JOIN("end.id, " LATENCY), { 0 },
	  "trace_cmd_hist_1_2 s64 id; u64 lat;\n"
	  ENTER "__arg_R_2=common_timestamp.usecs" TAIL("")
	  EXIT "__arg_R_1=id,__lat_R_3=common_timestamp.usecs-$__arg_R_2"
	  MATCH "$__arg_R_1,$__lat_R_3)" TAIL("") ENDS("")
	  VISIBLE("id,lat.log2=3 f=" GUARD " m=size=8192") },
	/* -k and the like, and what is no blank */
	{ JOIN("start.id AS call,\n\tend.ret, " LATENCY),
	  { .keys = "call.syscall", .values = "lat", .sort = "lat", .filter = "ret < 0" },
	  "trace_cmd_hist_1_2 s64 call; s64 ret; u64 lat;\n"
	  ENTER "__arg_R_2=id,__arg_R_4=common_timestamp.usecs" TAIL("")
	  EXIT "__call_R_1=$__arg_R_2,__arg_R_3=ret,__lat_R_5=common_timestamp.usecs-$__arg_R_4"
	  MATCH "$__call_R_1,$__arg_R_3,$__lat_R_5)" TAIL("") ENDS("")
	  VISIBLE("call.syscall v=lat s=lat f=(ret < 0) && " GUARD) },
	{ JOIN("start.id, end.ret, end.common_pid, " LATENCY), { .keys = "lat" },
	  "trace_cmd_hist_1_2 s64 id; s64 ret; s32 common_pid; u64 lat;\n"
	  ENTER "__arg_R_2=id,__arg_R_5=common_timestamp.usecs" TAIL("")
	  EXIT "__id_R_1=$__arg_R_2,__arg_R_3=ret,__arg_R_4=common_pid,"
	  "__lat_R_6=common_timestamp.usecs-$__arg_R_5"
	  MATCH "$__id_R_1,$__arg_R_3,$__arg_R_4,$__lat_R_6)" TAIL("") ENDS("")
	  VISIBLE("lat f=" GUARD) },
	/* filters of both sides */
	{ JOIN(LATENCY) " WHERE start.id = 1 && end.ret < 0", { 0 },
	  "trace_cmd_hist_1_2 u64 lat;\n"
	  ENTER "__arg_R_1=common_timestamp.usecs" TAIL(" if id == 1")
	  EXIT "__lat_R_2=common_timestamp.usecs-$__arg_R_1" MATCH "$__lat_R_2)" TAIL(" if ret < 0")
	  ENDS(" if ret < 0") VISIBLE("lat.log2=3 f=" GUARD) },
	/* only the condition is added to -R */
	{ JOIN(LATENCY), { .raw = "hist:keys=lat" },
	  "trace_cmd_hist_1_2 u64 lat;\n"
	  ENTER "__arg_R_1=common_timestamp.usecs" TAIL("")
	  EXIT "__lat_R_2=common_timestamp.usecs-$__arg_R_1" MATCH "$__lat_R_2)" TAIL("")
	  ENDS("") VISIBLE("hist:keys=lat if " GUARD) },
	/* without JOIN: no synthetic event */
	{ "SELECT CAST(id AS syscall), CAST(common_pid AS comm) FROM sys_enter WHERE id = 1", { 0 },
	  "raw_syscalls:sys_enter hist:keys=id.syscall,common_pid.execname if id == 1 []\n" },
	{ "SELECT call_site, bytes_req, CAST(bytes_alloc AS _COUNTER_) FROM kmalloc", { 0 },
	  "kmem:kmalloc hist:keys=call_site,bytes_req:vals=bytes_alloc []\n" },
	/* values first, which libtracefs does not survive; and a field that is both */
	{ "SELECT CAST(bytes_alloc AS _COUNTER_), call_site FROM kmalloc", { 0 },
	  "kmem:kmalloc hist:keys=call_site:vals=bytes_alloc []\n" },
	{ "SELECT next_pid, CAST(sched_switch.next_pid AS _COUNTER_) FROM sched_switch", { 0 },
	  "sched:sched_switch hist:keys=next_pid:vals=next_pid []\n" },
	/* what looks like the end of a command, and like an event */
	{ "SELECT next_pid FROM sched_switch WHERE next_comm = \"a' > b\"", { 0 },
	  "sched:sched_switch hist:keys=next_pid if next_comm == \"a' > b\" []\n" },
	{ "SELECT next_pid FROM sched_switch WHERE next_comm = 'a > sys_enter'", { 0 },
	  "sched:sched_switch hist:keys=next_pid if next_comm == \"a > sys_enter\" []\n" },
	{ "SELECT end.next_prio FROM sched_switch AS start JOIN sched_switch AS end ON "
	  "start.next_pid = end.prev_pid WHERE start.next_comm = \"it's).trace_cmd_hist_1_2(' >\"", { 0 },
	  "trace_cmd_hist_1_2 s32 next_prio;\n"
	  "-sched:sched_switch hist:keys=next_pid:size=16384:clock=boot if next_comm == "
	  "\"it's).trace_cmd_hist_1_2(' >\" []\n"
	  "-sched:sched_switch hist:keys=prev_pid:__arg_R_1=next_prio:onmatch(sched.sched_switch)."
	  "trace(trace_cmd_hist_1_2,$__arg_R_1)" TAIL("")
	  "synthetic:trace_cmd_hist_1_2 next_prio [sql:sched_switch..sched_switch]\n" },
	{ "SELECT next_pid FROM sched.sched_switch", { 0 },
	  "sched:sched_switch hist:keys=next_pid []\n" },
};

#define WRONG "trace-cmd hist: error: --sql: the query has an error:\n"
#define NOTHING "trace-cmd hist: error: --sql: libtracefs cannot parse the query, or the query "
#define PLAIN "trace-cmd hist: error: --sql: only a query with JOIN can be combined with "
#define JOINLESS "-k, -v, -s, -f and -R\nhint: select the keys in the query\n"
#define SAME "trace-cmd hist: error: --sql: both events of the JOIN are raw_syscalls:sys_enter, so each time "
#define MANY "trace-cmd hist: error: --sql: the query selects more than three fields\n"

/* How it begins, and what stands in it: the rest are libtracefs's own words. */
static const struct {
	const char *query;
	struct query_hist hist;
	const char *begins, *has;
} bad[] = {
	{ "", { 0 }, WRONG, "" },
	{ "SELECT", { 0 }, WRONG, "\nSELECT\n" },
	{ "SELECT id FROM", { 0 }, WRONG, "\nSELECT id FROM\n" },
	{ "SELECT id FROM sys_entr", { 0 }, WRONG, "'sys_entr'" },
	{ "SELECT id FROM raw_syscalls.nosuch", { 0 }, WRONG, "'raw_syscalls.nosuch'" },
	{ "SELECT nosuch FROM sys_enter", { 0 }, NOTHING,
	  "names an event or field that does not exist\nhint: see tracefs_sql(3)\n" },
	{ "SELECT id FROM sys_enter WHERE nosuch = 1", { 0 }, WRONG, "'nosuch'" },
	{ "SELECT id, FROM sys_enter", { 0 }, WRONG, "'FROM'" },
	{ "SELECT id,id FROM sys_enter", { 0 },
	  "trace-cmd hist: error: --sql: id is selected twice\nhint: select it once\n", "" },
	{ JOIN("start.id, end.ret, start.id"), { 0 },
	  "trace-cmd hist: error: --sql: start.id is selected twice\nhint: select it once\n", "" },
	{ "SELECT \033[2J FROM sys_enter", { 0 }, WRONG, "\nSELECT \\x1b[2J FROM sys_enter\n" },
	{ "SELECT id FROM sys_enter", { .keys = "id" }, PLAIN, JOINLESS },
	{ "SELECT id FROM sys_enter", { .raw = "hist:keys=id" }, PLAIN, JOINLESS },
	{ "SELECT " LATENCY " FROM sys_enter AS start JOIN sys_enter AS end ON "
	  "start.common_pid = end.common_pid", { 0 }, SAME,
	  "hint: use --latency raw_syscalls:sys_enter:KEY..raw_syscalls:sys_enter:KEY" },
	{ JOIN("start.nosuch"), { 0 }, WRONG, "'start.nosuch'" },
	{ JOIN("end.id, end.ret, start.id AS i, " LATENCY), { 0 }, MANY,
	  "hint: select up to three of them as keys with -k\n" },
};

/* The number in "__NAME_NUMBER_COUNT" becomes R. */
static void leave_out_random(char *text)
{
	char *at = text, *number, *end;

	while ((at = strstr(at, "__"))) {
		at += 2;
		number = at + strcspn(at, "_") + 1;
		/* a name may have a "_" of its own */
		while (strspn(number, "0123456789") == 0 && strchr(number, '_'))
			number = strchr(number, '_') + 1;
		end = number + strspn(number, "0123456789");
		memmove(number + 1, end, strlen(end) + 1);
		*number = 'R';
	}
}

static void test_good(void)
{
	char got[4096], said[1024];
	struct plan plan;
	size_t i;

	machine();
	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		memset(&plan, 0, sizeof(plan));
		CU_ASSERT_EQUAL(expand(&plan, good[i].query, &good[i].hist, said, sizeof(said)), 0);
		CU_ASSERT_STRING_EQUAL(said, "");
		plan_lines(&plan, got, sizeof(got));
		leave_out_random(got);
		if (strcmp(got, good[i].lines))
			fprintf(stderr, "%s:\n%s%s", good[i].query, got, said);
		CU_ASSERT_STRING_EQUAL(got, good[i].lines);
		plan_clear(&plan);
	}
}

static void test_bad(void)
{
	struct plan plan;
	char said[1024];
	bool right;
	size_t i;

	machine();
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&plan, 0, sizeof(plan));
		CU_ASSERT_EQUAL(expand(&plan, bad[i].query, &bad[i].hist, said, sizeof(said)),
				-EINVAL);
		right = !strncmp(said, bad[i].begins, strlen(bad[i].begins)) &&
			strstr(said, bad[i].has) && !strchr(said, '\033') && !plan.query.ndynevents &&
			!plan.query.nevents;
		CU_ASSERT_TRUE(right);
		if (!right)
			fprintf(stderr, "%s:\n%s", bad[i].query, said);
		plan_clear(&plan);
	}
}

/*
 * Queries of a grammar: each is expanded, or refused with a reason, and the program goes on.  The text
 * of a reason is bounded.
 */
static void test_random(void)
{
	static const struct query_hist none = { 0 };
	unsigned int i, k, good = 0, state = 1;
	struct hist_strbuf text;
	struct plan plan;
	uint8_t bytes[64];
	char said[8192];
	char *query;
	int ret;

	machine();
	for (i = 0; i < RANDOM_QUERIES; i++) {
		for (k = 0; k < sizeof(bytes); k++) {
			state = state * 1103515245 + 12345;
			bytes[k] = state >> 16;
		}
		text = (struct hist_strbuf){ 0 };
		grammar_add_sql(&(struct grammar){ bytes, sizeof(bytes), 0 }, &text);
		query = hist_strbuf_string(&text);
		CU_ASSERT_PTR_NOT_NULL_FATAL(query);
		memset(&plan, 0, sizeof(plan));
		ret = expand(&plan, query, &none, said, sizeof(said));
		CU_ASSERT_EQUAL(!ret, !*said);
		CU_ASSERT_TRUE(strlen(said) < sizeof(said) - 1);
		CU_ASSERT_EQUAL(!ret, plan.query.nevents != 0);
		if (!ret != !*said)
			fprintf(stderr, "%d: %s\n%s", ret, query, said);
		good += !ret;
		plan_clear(&plan);
		free(query);
	}
	CU_ASSERT_TRUE(good >= RANDOM_QUERIES / 50);
	CU_ASSERT_TRUE(waitpid(-1, NULL, WNOHANG) < 0);
}

/* What stands in the target's files is not always whole, or there at all. */
static void test_target(void)
{
	static const struct query_hist none = { 0 };
	static const char query[] = "SELECT id FROM sys_enter";
	struct plan plan = { 0 };
	char said[1024];

	machine();
	fail_on("read", "available_events", 1, -EACCES);
	CU_ASSERT_EQUAL(expand(&plan, query, &none, said, sizeof(said)), -EACCES);
	CU_ASSERT_STRING_EQUAL(said, "trace-cmd hist: error: --sql: available_events: Permission denied\n");
	fail_on("read", "events/raw_syscalls/sys_enter/format", 1, -EIO);
	CU_ASSERT_EQUAL(expand(&plan, query, &none, said, sizeof(said)), -EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, "cannot read the format file of raw_syscalls:sys_enter"));
	/* events that the query does not name are not read */
	fail_on("read", "events/raw_syscalls/sys_exit/format", 1, -EIO);
	CU_ASSERT_EQUAL(expand(&plan, query, &none, said, sizeof(said)), 0);
	fail_on(NULL, NULL, 0, 0);
	plan_clear(&plan);
	CU_ASSERT_EQUAL(fake_target_put(fake, "events/raw_syscalls/sys_enter/format", "name: x\n"), 0);
	CU_ASSERT_EQUAL(expand(&plan, query, &none, said, sizeof(said)), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, "cannot read the format file of "));
	plan_clear(&plan);
}

/* Sets the trigger of one histogram of the plan, as traced_event.c does. */
static void set(struct undo *undo, const struct query_event *event)
{
	const char *colon = strchr(event->name, ':');
	char path[128];

	snprintf(path, sizeof(path), "instances/h/events/%.*s/%s/trigger",
		 (int)(colon - event->name), event->name, colon + 1);
	CU_ASSERT_EQUAL(fake_target_put(fake, path, ""), 0);
	add_trigger(undo, path, event->hists[0].raw);
}

/* The trigger that others hang on goes last, and the synthetic event after all. */
static void test_tear_down(void)
{
	static const struct query_hist hist = { .raw = "hist:keys=lat" };
	struct plan plan = { 0 };
	char said[1024], *log, *line, *rest, all[1024] = "";
	struct undo *undo;
	struct dynevent o;
	unsigned int e;

	machine();
	CU_ASSERT_EQUAL_FATAL(expand(&plan, JOIN(LATENCY), &hist, said, sizeof(said)), 0);
	CU_ASSERT_EQUAL_FATAL(plan.query.ndynevents, 1);
	CU_ASSERT_EQUAL_FATAL(plan.query.nevents, 3);
	undo = new_undo();
	CU_ASSERT_EQUAL_FATAL(dynevent_check(&o, &fake->target, &plan.query.dynevents[0], false), 0);
	CU_ASSERT_EQUAL(dynevent_create(&o, &fake->target, undo), 0);
	dynevent_clear(&o);
	add_instance(undo);
	for (e = 0; e < plan.query.nevents; e++)
		set(undo, &plan.query.events[e]);
	free(fake_target_log(fake));
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	undo_free(undo);
	log = fake_target_log(fake);
	for (rest = log; (line = strsep(&rest, "\n"));) {
		/* without the text behind "keys=...:" */
		line[strcspn(line, "=")] = '\0';
		strcat(strcat(all, line), *line ? "\n" : "");
	}
	CU_ASSERT_STRING_EQUAL(all,
		"append instances/h/events/synthetic/trace_cmd_hist_1_2/trigger !hist:keys\n"
		"append instances/h/events/raw_syscalls/sys_exit/trigger !hist:keys\n"
		"append instances/h/events/raw_syscalls/sys_enter/trigger !hist:keys\n"
		"rmdir instances/h\n"
		"append synthetic_events !trace_cmd_hist_1_2\n");
	free(log);
	plan_clear(&plan);
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "the program survives any --sql query", test_random },
	{ "--sql expands to the events and triggers that its query describes", test_good },
	{ "--sql refuses a wrong query with the reason and leaves the plan empty", test_bad },
	{ "--sql reports an unreadable file of the target only if the query needs it",
	  test_target },
	{ "the triggers of a query are removed in reverse order, then its synthetic event",
	  test_tear_down });
