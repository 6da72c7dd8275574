// SPDX-License-Identifier: GPL-2.0
/*
 * preset_test.c - recipes: their text, the search for them, their options in a plan
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/base/error.h"
#include "lib/base/text_file.h"
#include "lib/preset/preset.h"
#include "lib/preset/preset_find.h"
#include "lib/preset/recipe.h"
#include "lib/query/query_option.h"
#include "tracecmd/kernel/kernel_needs.h"
#include "tracecmd/session/plan_source.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/target/fake_target.h"

static const char whole[] =
	"# SPDX-License-Identifier: GPL-2.0\n"
	"# What it is\n"
	"#\n"
	"#  It explains,\n"
	"# in two lines.\n"
	"argument: TASK = *sh \n"
	"alias: other-tool (bcc, bpftrace)\n"
	"alias: thing\n"
	"needs: event sched:sched_switch\n"
	"\n"
	"needs: hist\n"
	"capture: irq:softirq_raise\n"
	"unmatched: end\n"
	"since: 4.17\n"
	"\t-e   sched:sched_switch\n"
	"# not part of the explanation\n"
	"-k prev_comm\n"
	"? -f prev_comm ~ \"$ARG\" && $1 $lat $\n"
	"-s hitcount";

static void test_recipe(void)
{
	struct recipe *r = NULL;
	struct hist_error error = { 0 };
	char *value;

	CU_ASSERT_EQUAL_FATAL(recipe_parse(&r, whole, strlen(whole), &error), 0);
	CU_ASSERT_STRING_EQUAL(r->summary, "What it is");
	CU_ASSERT_STRING_EQUAL(r->explanation, "It explains,\nin two lines.");
	CU_ASSERT_STRING_EQUAL(r->argument, "TASK");
	CU_ASSERT_STRING_EQUAL(r->argument_default, "*sh");
	CU_ASSERT_STRING_EQUAL(r->since, "4.17");
	CU_ASSERT_EQUAL_FATAL(r->needs.n, 2);
	CU_ASSERT_STRING_EQUAL(r->needs.names[0], "event sched:sched_switch");
	CU_ASSERT_STRING_EQUAL(r->needs.names[1], "hist");
	CU_ASSERT_EQUAL_FATAL(r->noptions, 4);
	CU_ASSERT_STRING_EQUAL(r->options[0].name, "-e");
	CU_ASSERT_STRING_EQUAL(r->options[0].value, "sched:sched_switch");
	CU_ASSERT_EQUAL(r->options[0].line, 15);
	CU_ASSERT_FALSE(r->unmatched_starts);
	CU_ASSERT_TRUE(r->unmatched_ends);
	CU_ASSERT_EQUAL_FATAL(r->captured.n, 1);
	CU_ASSERT_STRING_EQUAL(r->captured.names[0], "irq:softirq_raise");
	CU_ASSERT_EQUAL_FATAL(r->naliases, 2);
	CU_ASSERT_STRING_EQUAL(r->aliases[0].name, "other-tool");
	CU_ASSERT_STRING_EQUAL(r->aliases[0].tools, "bcc, bpftrace");
	CU_ASSERT_STRING_EQUAL(r->aliases[1].name, "thing");
	CU_ASSERT_PTR_NULL(r->aliases[1].tools);
	CU_ASSERT_FALSE(r->options[1].with_argument);
	CU_ASSERT_TRUE(r->options[2].with_argument);
	/* other dollars are the kernel's variables */
	CU_ASSERT_EQUAL_FATAL(recipe_expand_value(&value, r, &r->options[2], "vi"), 0);
	CU_ASSERT_STRING_EQUAL(value, "prev_comm ~ \"vi\" && vi $lat $");
	free(value);
	CU_ASSERT_EQUAL_FATAL(recipe_expand_value(&value, r, &r->options[2], NULL), 0);
	CU_ASSERT_STRING_EQUAL(value, "prev_comm ~ \"*sh\" && *sh $lat $");
	free(value);
	recipe_free(r);
	recipe_free(NULL);
}

/* Text of @n times @word, malloc'ed. */
static char *repeat(const char *word, size_t n)
{
	size_t len = strlen(word);
	char *text = malloc(n * len + 1), *at = text;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	while (n--)
		at = mempcpy(at, word, len);
	*at = '\0';
	return text;
}

/* A kernel takes 4095 bytes; a small file cannot make more of them. */
static void test_long_values(void)
{
	static const struct {
		size_t uses, len; /* of the argument */
		int ret;
	} cases[] = { { 1, 4095, 0 }, { 1, 4096, -E2BIG }, { 4095, 1, 0 }, { 4096, 1, -E2BIG },
		      { 63, 65, 0 }, { 64, 64, -E2BIG }, { 20000, 20000, -E2BIG } };
	struct recipe_option option = { .name = (char *)"-e" };
	struct recipe recipe = { .options = &option, .noptions = 1 };
	char *value, *argument;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		option.value = repeat("$1", cases[i].uses);
		argument = repeat("y", cases[i].len);
		value = NULL;
		CU_ASSERT_EQUAL(recipe_expand_value(&value, &recipe, &option, argument), cases[i].ret);
		if (!cases[i].ret)
			CU_ASSERT_EQUAL(strlen(value), cases[i].uses * cases[i].len);
		free(value);
		recipe.argument_default = argument;
		value = NULL;
		CU_ASSERT_EQUAL(recipe_expand_value(&value, &recipe, &option, NULL), cases[i].ret);
		free(value);
		free(argument);
		free(option.value);
	}
}

#define NEEDS_WHAT                                                                         \
	"line 2: needs: must be \"event SYS:EVENT\", \"hist\", \"synthetic\", or a capability that " \
	"'trace-cmd hist list -v' shows"
#define OPTIONAL_WHAT \
	"line 2: optional: must be \"event SYS:EVENT\" or \"event SYS:EVENT = TEXT\""
#define ALIAS_WHAT "line 2: alias: must be \"NAME\" or \"NAME (TOOL, TOOL)\""

static const struct {
	const char *text, *why; /* why: NULL for a good one */
} recipe_cases[] = {
	{ "# a\n-e x\n", NULL },
	{ "# a\nargument: X\n? -f $1\n-e x", NULL },
	{ "# a\nargument: X = 5\n-f $1\n", NULL },
	{ "", "line 1: a description is missing\nbegin the preset file with a comment" },
	{ "#\n# \n-e x\n", "line 1: a description is missing\nbegin the preset file with a "
			   "comment" },
	{ "# a\n", "line 1: the preset file contains no options" },
	{ "# a\n-e x\nrun ls\n", "line 3: expected a comment, an option, \"alias:\", \"needs:\", \"optional:\", \"unmatched:\" or \"capture:\"; \"since:\" and \"argument:\" are allowed once each" },
	{ "# a\n-e x\nrun: ls\n", "line 3: expected a comment, an option, \"alias:\", "
				  "\"needs:\", \"optional:\", \"unmatched:\" or \"capture:\"; \"since:\" and "
				  "\"argument:\" are allowed once each" },
	{ "# a\ncapture: x\n-e x\n", "line 2: capture: must be \"SYS:EVENT\"" },
	{ "# a\ncapture: x:y z\n-e x\n", "line 2: capture: must be \"SYS:EVENT\"" },
	{ "# a\noptional: event x:y\noptional: event x:z = zs\n-e x\n", NULL },
	{ "# a\noptional: hist = zs\n-e x\n", OPTIONAL_WHAT },
	{ "# a\noptional: event x:y=zs a\n-e x\n", OPTIONAL_WHAT },
	{ "# a\nunmatched: start\nunmatched: end\n-e x\n", NULL },
	{ "# a\nunmatched: starts\n-e x\n", "line 2: unmatched: must be \"start\" or \"end\"" },
	{ "# a\nneeds: events\n-e x\n", NEEDS_WHAT },
	{ "# a\nneeds: event ../x:y\n-e x\n", NEEDS_WHAT },
	{ "# a\nsince:\n-e x\n", "line 2: a value is missing after ':'" },
	{ "# a\nsince: 1\nsince: 2\n-e x\n", "line 3: expected a comment, an option, \"alias:\", "
					     "\"needs:\", \"optional:\", \"unmatched:\" or \"capture:\"; \"since:\" and "
					     "\"argument:\" are allowed once each" },
	{ "# a\n-e $ARG\n", "line 2: the option uses an argument, but the preset file does not "
			    "have an \"argument:\" line" },
	{ "# a\n? -e x\n", "line 2: the option uses an argument, but the preset file does not have "
			   "an \"argument:\" line" },
	{ "# a\nargument: X\n-f $1\n", "line 3: the option uses an argument without a default "
				       "value\nbegin the line with '?' to make the option "
				       "optional, or set a default with \"argument: NAME = "
				       "DEFAULT\"" },
	{ "# a\n? x\n", "line 2: an option is missing after '?'" },
	{ "# a\nneeds: kprobes\nneeds: stack_fields\n-e x\n", NULL },
	{ "# a\nalias: b c\n-e x\n", ALIAS_WHAT },
	{ "# a\nalias: b (c\n-e x\n", ALIAS_WHAT },
	{ "# a\nalias: b ()\n-e x\n", ALIAS_WHAT },
	{ "# a\nalias: (bcc)\n-e x\n", ALIAS_WHAT },
	{ "# a\n-e x\033[1m\n", "line 2: the line contains a control character" },
};

static void test_recipes(void)
{
	struct recipe *r;
	struct hist_error error = { 0 };
	size_t i;
	int ret;

	for (i = 0; i < sizeof(recipe_cases) / sizeof(*recipe_cases); i++) {
		r = NULL;
		ret = recipe_parse(&r, recipe_cases[i].text, strlen(recipe_cases[i].text), &error);
		CU_ASSERT_EQUAL(ret, recipe_cases[i].why ? -EINVAL : 0);
		CU_ASSERT_EQUAL(!r, ret != 0);
		if (ret)
			CU_ASSERT_STRING_EQUAL(test_error(&error),
					       recipe_cases[i].why ? recipe_cases[i].why : "");
		recipe_free(r);
	}
	/* neither NULs nor something endless */
	CU_ASSERT_EQUAL(recipe_parse(&r, "# a\n-e \0x\n", 10, &error), -EINVAL);
	CU_ASSERT_EQUAL(recipe_parse(&r, whole, TEXT_FILE_MAX + 1, &error), -EINVAL);
}

static char config[] = "/tmp/preset-test-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/trace-cmd-hist/recipes/%s", config, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static int begin(void)
{
	char path[256];

	if (!mkdtemp(config) || setenv("XDG_CONFIG_HOME", config, 1))
		return 1;
	snprintf(path, sizeof(path), "%s/trace-cmd-hist", config);
	if (mkdir(path, 0700))
		return 1;
	strcat(path, "/recipes");
	if (mkdir(path, 0700))
		return 1;
	put("a-test.recipe", "# Mine\nargument: TASK\nalias: runqlat (me)\nalias: mine\nneeds: event x:y\nneeds: hist\nsince: 9.9\n"
			     "-e x:y\n-k a\n? -f comm == \"$ARG\"\n");
	put("b-broken.recipe", "# Broken\n\nhello\n");
	put("c-options.recipe", "# Options that are none of a recipe\n-e x:y\n-B inst\n");
	put("d-bad.recipe", "# An option that is wrong\n-k a\n");
	put("e-optional.recipe", "# An event that some kernels lack\noptional: event x:y = ys are not counted\n"
				 "optional: event x:v\n-e x:y\n-k a\n-e x:yz\n-k b\n-e x:v\n-k c\n-e x:w\n-k d\n");
	put("f-unmatched.recipe", "# STARTs without END\nunmatched: start\n"
				  "--latency x:a:k..x:b:k[k != 0]\n--latency x:c:k..x:d:k\n");
	put("not.txt", "nothing\n");
	put("odd name.recipe", "# Not a name\n-e x:y\n");
	/* one that there is in the tree as well: this one counts */
	put("syscalls.recipe", "# My own\n-e x:y\n-k mine\n");
	return 0;
}

static int end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", config);
	return system(command);
}

static int note(const struct preset *p, void *data)
{
	char *all = data;

	if (!p->path || strncmp(p->path, config, strlen(config)))
		return 0;
	strcat(all, p->name);
	strcat(all, ": ");
	strcat(all, p->recipe ? p->recipe->summary : p->error.what);
	strcat(all, "\n");
	return 0;
}

static int stop(const struct preset *p, void *data)
{
	(void)p;
	++*(int *)data;
	return 7;
}

static void test_list(void)
{
	char all[4096] = "";
	int times = 0;

	CU_ASSERT_EQUAL(preset_list(note, all), 0);
	CU_ASSERT_STRING_EQUAL(all, "a-test: Mine\n"
				    "b-broken: line 3: expected a comment, an option, \"alias:\", \"needs:\", \"optional:\", \"unmatched:\" or \"capture:\"; \"since:\" and \"argument:\" are allowed once each\n"
				    "c-options: Options that are none of a recipe\n"
				    "d-bad: An option that is wrong\n"
				    "e-optional: An event that some kernels lack\n"
				    "f-unmatched: STARTs without END\n"
				    "syscalls: My own\n");
	CU_ASSERT_EQUAL(preset_list(stop, &times), 7);
	CU_ASSERT_EQUAL(times, 1);
}

static const struct {
	const char *name, *preset; /* preset: NULL if there is none */
	bool in_program;
} open_cases[] = {
	{ "block-latency", "block-latency", true },
	{ "biolatency", "block-latency", true },
	{ "softirqs", "irq-time", true },
	{ "syscalls", "syscalls", false },
	/* the user's alias comes first, and a name comes before an alias */
	{ "runqlat", "a-test", false },
	{ "mine", "a-test", false },
	{ "writeback", "writeback", true },
	{ "funccount", "function-calls", true },
	{ "profile", NULL, false },
	{ "bcc", NULL, false },
	{ "", NULL, false },
};

static void test_open(void)
{
	struct preset p;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(open_cases) / sizeof(*open_cases); i++) {
		ret = preset_open(&p, open_cases[i].name);
		CU_ASSERT_EQUAL(ret, open_cases[i].preset ? 0 : -ENOENT);
		if (ret)
			continue;
		CU_ASSERT_STRING_EQUAL(p.name, open_cases[i].preset);
		CU_ASSERT_EQUAL(!p.path, open_cases[i].in_program);
		CU_ASSERT_PTR_NOT_NULL(p.recipe);
		preset_close(&p);
	}
}

/* True if a recipe of the program other than @self has the name or the alias @name. */
static bool is_taken(const char *name, size_t self)
{
	struct recipe *r;
	struct hist_error error = { 0 };
	bool taken = false;
	unsigned int a;
	size_t i;

	for (i = 0; i < builtin_recipes_count; i++) {
		if (i == self || recipe_parse(&r, (const char *)builtin_recipes[i].text,
					      builtin_recipes[i].len, &error))
			continue;
		taken |= !strcmp(builtin_recipes[i].name, name);
		for (a = 0; a < r->naliases; a++)
			taken |= !strcmp(r->aliases[a].name, name);
		recipe_free(r);
	}
	return taken;
}

static void test_builtin(void)
{
	size_t i, width;
	struct recipe *r;
	struct hist_error error = { 0 };
	unsigned int a;

	CU_ASSERT_TRUE(builtin_recipes_count >= 30);
	for (i = 0; i < builtin_recipes_count; i++) {
		const struct builtin_recipe *b = &builtin_recipes[i];

		CU_ASSERT_TRUE(recipe_is_name(b->name));
		CU_ASSERT_TRUE(!i || strcmp(b[-1].name, b->name) < 0);
		CU_ASSERT_EQUAL_FATAL(recipe_parse(&r, (const char *)b->text, b->len, &error), 0);
		/* the line of list --presets */
		width = 25 + strlen(r->summary);
		CU_ASSERT_TRUE(strlen(b->name) + (r->argument ? strlen(r->argument) + 3 : 0) <= 24);
		for (a = 0; a < r->naliases; a++) {
			width += strlen(r->aliases[a].name) + (a ? 2 : 3);
			CU_ASSERT_FALSE(is_taken(r->aliases[a].name, i));
			CU_ASSERT_PTR_NULL(preset_find_absent(r->aliases[a].name));
			CU_ASSERT_PTR_NOT_NULL(r->aliases[a].tools);
		}
		if (width > 79)
			fprintf(stderr, "%s: %zu columns\n", b->name, width);
		CU_ASSERT_TRUE(width <= 79);
		recipe_free(r);
	}
	for (i = 0; i < preset_absents_count; i++) {
		CU_ASSERT_TRUE(strlen(preset_absents[i].reason) < 72);
		CU_ASSERT_TRUE(strlen(preset_absents[i].hint) < 72);
	}
}

#define SAID_MAX (2 * HIST_ERROR_MAX + 16)

/* What preset_add() said, as it would be printed; "" for success. */
static int add(struct plan *plan, const char *spec, char said[SAID_MAX])
{
	struct hist_error error = { 0 };
	int ret;

	*said = '\0';
	ret = preset_add(&plan->query, spec, NULL, &error);
	if (ret)
		snprintf(said, SAID_MAX, "%s\n%s%s%s", error.what, *error.hint ? "hint: " : "",
			 error.hint, *error.hint ? "\n" : "");
	return ret;
}

static const struct {
	const char *spec;
	int ret;
	const char *said; /* a part of it */
} add_cases[] = {
	{ "a-test", 0, "" },
	{ "a-test:", -EINVAL, "--preset a-test: TASK is empty\nhint: leave out the colon\n" },
	{ "a-test:a\"b", -EINVAL, "TASK must not contain quotes, backslashes or "
				   "control characters\n" },
	{ "a-test:a\nb", -EINVAL, "TASK must not contain quotes, backslashes or "
				   "control characters\n" },
	{ "syscalls:x", -EINVAL, "--preset syscalls:x: this preset does not accept an argument\n" },
	{ "function-latency:vfs_*:usecs", 0, "" },
	{ "funclatency", -EINVAL, "--preset funclatency: needs an argument\n"
				  "hint: use --preset funclatency:GLOB\n" },
	{ "a-tst", -ENOENT, "--preset a-tst: no such preset\nhint: did you mean \"a-test\"?\n" },
	{ "biolatencyy", -ENOENT, "--preset biolatencyy: no such preset\n"
				  "hint: did you mean \"biolatency\"?\n" },
	/* several names have this part; too many have the second, and the others none */
	{ "wakeup", -ENOENT, "--preset wakeup: no such preset\n"
			     "hint: use one of: wakeup-latency, wakeup-stacks, wakeuptime\n" },
	{ "kmalloc", -ENOENT, "hint: use one of: kmalloc-bytes, kmalloc-leaks\n" },
	{ "retransmits", -ENOENT, "hint: use one of: tcp-retransmits\n" },
	{ "tcp", -ENOENT, "no such preset\nhint: run 'trace-cmd hist list --presets'\n" },
	{ "ktime", -ENOENT, "no such preset\nhint: run 'trace-cmd hist list --presets'\n" },
	{ "llcstat", -ENOENT, "--preset llcstat: no preset replaces this tool: the tool samples the CPU, "
			      "but ftrace records only events\nhint: use perf-record(1)" },
	{ "zzzzzzzz", -ENOENT, "no such preset\nhint: run 'trace-cmd hist list --presets'\n" },
	{ "", -ENOENT, "no such preset" },
	{ "odd name", -ENOENT, "no such preset" },
	{ "/nowhere/x.recipe", -EINVAL, "/nowhere/x.recipe: No such file or directory" },
	{ "b-broken", -EINVAL, "b-broken.recipe: line 3: expected a comment, an option, \"alias:\", \"needs:\", \"optional:\", \"unmatched:\" or \"capture:\"; \"since:\" and \"argument:\" are allowed once each\n" },
	{ "c-options", -EINVAL, "c-options.recipe: line 3: -B: not allowed in a preset file\n" },
	{ "d-bad", -EINVAL, "d-bad.recipe: line 2: -k a: needs an event\n"
			    "hint: put -e SYS:EVENT before -k\n" },
};

static void test_add(void)
{
	char said[SAID_MAX], path[256];
	struct plan plan;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(add_cases) / sizeof(*add_cases); i++) {
		memset(&plan, 0, sizeof(plan));
		ret = add(&plan, add_cases[i].spec, said);
		CU_ASSERT_EQUAL(ret, add_cases[i].ret);
		if (!strstr(said, add_cases[i].said) || (!ret && *said))
			fprintf(stderr, "%s: said %s", add_cases[i].spec, said);
		CU_ASSERT_PTR_NOT_NULL(strstr(said, add_cases[i].said));
		plan_clear(&plan);
	}

	/* by its path, with an argument that has colons */
	memset(&plan, 0, sizeof(plan));
	snprintf(path, sizeof(path), "%s/trace-cmd-hist/recipes/a-test.recipe:b:c*", config);
	CU_ASSERT_EQUAL(add(&plan, path, said), 0);
	CU_ASSERT_EQUAL_FATAL(plan.query.nevents, 1);
	CU_ASSERT_STRING_EQUAL(plan.query.events[0].name, "x:y");
	CU_ASSERT_STRING_EQUAL(plan.query.events[0].hists[0].keys, "a");
	CU_ASSERT_STRING_EQUAL(plan.query.events[0].hists[0].filter, "comm == \"b:c*\"");
	CU_ASSERT_EQUAL(plan.query.nneeds, 2);
	plan_clear(&plan);

	/* without one, a line with '?' does not count; a user's own comes first */
	memset(&plan, 0, sizeof(plan));
	CU_ASSERT_EQUAL(add(&plan, "a-test", said), 0);
	CU_ASSERT_PTR_NULL(plan.query.events[0].hists[0].filter);
	CU_ASSERT_EQUAL(add(&plan, "syscalls", said), 0);
	CU_ASSERT_STRING_EQUAL(plan.query.events[1].hists[0].keys, "mine");
	/* the default of an argument, and one with a unit */
	CU_ASSERT_EQUAL(add(&plan, "vfscount", said), 0);
	CU_ASSERT_EQUAL(add(&plan, "funclatency:a,b*:usecs", said), 0);
	CU_ASSERT_EQUAL_FATAL(plan.query.nevents, 4);
	CU_ASSERT_EQUAL(plan.query.events[2].kind, QUERY_FUNCTION);
	CU_ASSERT_STRING_EQUAL(plan.query.events[2].name, "vfs_*");
	CU_ASSERT_EQUAL(plan.query.events[3].kind, QUERY_FUNCTION_LATENCY);
	CU_ASSERT_STRING_EQUAL(plan.query.events[3].name, "a,b*:usecs");
	plan_clear(&plan);
}

static int expand(struct plan *plan, struct fake_target *fake, char *said, size_t len)
{
	const struct hist_kernel kernel = { .literals = true };
	struct plan_source source;
	int saved = dup(2), ret;
	FILE *f = tmpfile();
	size_t n;

	dup2(fileno(f), 2);
	plan_source_init(&source, plan, &fake->target, &kernel);
	ret = plan_source_expand(plan, &source.source);
	dup2(saved, 2);
	close(saved);
	rewind(f);
	n = fread(said, 1, len - 1, f);
	said[n] = '\0';
	fclose(f);
	return ret;
}

/* Options of an optional event are left out without it, and those of other events are not. */
static void test_optional(void)
{
	char dir[] = "/tmp/preset-test-XXXXXX", said[SAID_MAX], command[128];
	struct fake_target *fake;
	struct plan plan = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	fake = fake_target_new(dir);
	CU_ASSERT_EQUAL(fake_target_put(fake, "events/x/yz/format", "x"), 0);
	CU_ASSERT_EQUAL(add(&plan, "e-optional", said), 0);
	CU_ASSERT_EQUAL(plan.query.nevents, 4);
	CU_ASSERT_EQUAL(expand(&plan, fake, said, sizeof(said)), 0);
	CU_ASSERT_STRING_EQUAL(said, "trace-cmd hist: note: --preset e-optional: ys are not counted, "
				     "because this kernel has no event x:y\n");
	CU_ASSERT_EQUAL_FATAL(plan.query.nevents, 2);
	CU_ASSERT_STRING_EQUAL(plan.query.events[0].name, "x:yz");
	CU_ASSERT_STRING_EQUAL(plan.query.events[0].hists[0].keys, "b");
	CU_ASSERT_STRING_EQUAL(plan.query.events[1].name, "x:w");
	plan_clear(&plan);

	CU_ASSERT_EQUAL(fake_target_put(fake, "events/x/y/format", "x"), 0);
	CU_ASSERT_EQUAL(fake_target_put(fake, "events/x/v/format", "x"), 0);
	CU_ASSERT_EQUAL(add(&plan, "e-optional", said), 0);
	CU_ASSERT_EQUAL(expand(&plan, fake, said, sizeof(said)), 0);
	CU_ASSERT_STRING_EQUAL(said, "");
	CU_ASSERT_EQUAL(plan.query.nevents, 4);
	plan_clear(&plan);

	/* an event of the user is not left out */
	plan.quiet = true;
	CU_ASSERT_EQUAL(query_add_event(&plan.query, "x:u"), 0);
	CU_ASSERT_EQUAL(add(&plan, "e-optional", said), 0);
	query_leave_out(&plan.query, plan.query.events[1].optional);
	CU_ASSERT_EQUAL(plan.query.nevents, 4);
	CU_ASSERT_STRING_EQUAL(plan.query.events[0].name, "x:u");
	plan_clear(&plan);
	target_free(&fake->target);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	CU_ASSERT_EQUAL(system(command), 0);
}

/* A preset alone says what is normal in its latencies, and says it of no others. */
static void test_unmatched(void)
{
	struct plan plan = { 0 };
	struct hist_error error = { 0 };
	char said[SAID_MAX];

	CU_ASSERT_EQUAL(query_option_apply(&plan.query, "--latency", "x:a:k..x:b:k", &error), 0);
	CU_ASSERT_EQUAL(add(&plan, "f-unmatched", said), 0);
	CU_ASSERT_EQUAL(add(&plan, "block-latency", said), 0);
	CU_ASSERT_EQUAL_FATAL(plan.query.nevents, 5);
	CU_ASSERT_FALSE(plan.query.events[0].of_preset);
	CU_ASSERT_FALSE(plan.query.events[0].usual_starts || plan.query.events[0].usual_ends);
	CU_ASSERT_TRUE(plan.query.events[1].of_preset && plan.query.events[2].of_preset);
	CU_ASSERT_TRUE(plan.query.events[1].usual_starts && plan.query.events[2].usual_starts);
	CU_ASSERT_FALSE(plan.query.events[1].usual_ends || plan.query.events[2].usual_ends);
	CU_ASSERT_TRUE(plan.query.events[3].of_preset && plan.query.events[3].usual_ends);
	CU_ASSERT_FALSE(plan.query.events[3].usual_starts);
	plan_clear(&plan);
}

/* What the machine lacks is told before anything else is looked at. */
static void test_needs(void)
{
	struct hist_error error = { 0 };
	char dir[] = "/tmp/preset-test-XXXXXX", said[SAID_MAX], command[128];
	struct fake_target *fake;
	struct plan plan = { 0 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	fake = fake_target_new(dir);
	CU_ASSERT_EQUAL(fake_target_put(fake, "events/x/y/format", "x"), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "event x:y", false, &error), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "event x:z", false, &error), 1);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "no event x:z");
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "synthetic", false, &error), 1);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "synthetic", true, &error), 0);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "no synthetic events (CONFIG_SYNTH_EVENTS)");
	CU_ASSERT_EQUAL(fake_target_put(fake, "synthetic_events", ""), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "synthetic", false, &error), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "hist", false, &error), 1);
	/* our engine needs neither of the kernel, but the events */
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "hist", true, &error), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "event x:z", true, &error), 1);
	/* a capability that the README of tracefs shows */
	CU_ASSERT_EQUAL(fake_target_put(fake, "kprobe_events", ""), 0);
	CU_ASSERT_EQUAL(fake_target_put(fake, "trace_clock", "[local]\n"), 0);
	CU_ASSERT_EQUAL(fake_target_put(fake, "README", "$arg<N>,\n"), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "probe_arguments", false, &error), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "probe_fields", false, &error), 1);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "no probe_fields: function arguments and their members, by "
			       "name, in kprobes");
	/* only the user-space engine counts the entries of tracers */
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "timerlat_tracer", true, &error), 1);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "no timerlat_tracer (CONFIG_TIMERLAT_TRACER)");
	CU_ASSERT_EQUAL(fake_target_put(fake, "osnoise/timerlat_period_us", "1000"), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "timerlat_tracer", true, &error), 0);
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "timerlat_tracer", false, &error), 1);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "hist triggers count only events, not the output of a tracer");
	CU_ASSERT_EQUAL(kernel_find_missing(&fake->target, "stack_fields", true, &error), 0);

	CU_ASSERT_EQUAL(add(&plan, "a-test", said), 0);
	CU_ASSERT_EQUAL(expand(&plan, fake, said, sizeof(said)), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(said, "trace-cmd hist: error: --preset a-test: this kernel has no hist "
				     "triggers (CONFIG_HIST_TRIGGERS); the preset needs Linux 9.9 or "
				     "later\n");
	plan_clear(&plan);
	target_free(&fake->target);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	CU_ASSERT_EQUAL(system(command), 0);
}

UNIT_TESTS_WITH(begin, end,
	{ "recipe_parse() reads each part of a recipe, and the argument replaces its references",
	  test_recipe },
	{ "the value of an option with its argument is at most as long as a kernel takes",
	  test_long_values },
	{ "recipe_parse() accepts valid recipes and names the line of each error", test_recipes },
	{ "preset_open() finds presets by name and by alias, the user's first", test_open },
	{ "each preset of the program is valid, unique and fits a line of the list", test_builtin },
	{ "preset_list() lists the user's recipes with their summary or their error", test_list },
	{ "preset_add() adds the options of a recipe to the plan or explains why not", test_add },
	{ "options of an optional event are left out, with a note, if the target lacks it", test_optional },
	{ "a preset alone says which STARTs and ENDs of its latencies stay alone", test_unmatched },
	{ "a preset is refused with the capability that the kernel lacks", test_needs });
