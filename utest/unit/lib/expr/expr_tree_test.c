// SPDX-License-Identifier: GPL-2.0
/*
 * expr_tree_test.c - values and definitions as trees, actions, and both printed
 *
 * A tree is written out with its operators in front, so that a case is two
 * strings.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/expr/expr_tree.h"
#include "utest/unit/lib/expr/expr_samples.h"
#include "utest/unit/tests.h"

static void describe(struct hist_strbuf *b, const struct hist_node *node)
{
	static const char *const names[] = {
		[HIST_NODE_NEGATE] = "neg", [HIST_NODE_ADD] = "+", [HIST_NODE_SUB] = "-",
		[HIST_NODE_MUL] = "*",	    [HIST_NODE_DIV] = "/",
	};

	switch (node->kind) {
	case HIST_NODE_FIELD:
		hist_strbuf_printf(b, "%s", node->name);
		if (node->modifier)
			hist_strbuf_printf(b, ".%s", hist_modifier_name(node->modifier));
		if (node->bucket)
			hist_strbuf_printf(b, "=%" PRIu64, node->bucket);
		return;
	case HIST_NODE_VARIABLE:
		hist_strbuf_printf(b, "$%s", node->name);
		if (node->system)
			hist_strbuf_printf(b, "@%s:%s", node->system, node->event);
		return;
	case HIST_NODE_NUMBER:
		hist_strbuf_printf(b, "%" PRIu64, node->number);
		return;
	default:
		hist_strbuf_printf(b, "(%s ", names[node->kind]);
		describe(b, node->left);
		if (node->right) {
			hist_strbuf_char(b, ' ');
			describe(b, node->right);
		}
		hist_strbuf_char(b, ')');
	}
}

static const struct {
	const char *text;
	const char *tree;
	const char *printed; /* NULL: as it was */
} good[] = {
	{ "a", "a", NULL },
	{ "a.hex", "a.hex", NULL },
	{ "a.sym-offset", "a.sym-offset", NULL },
	{ "a.bucket=0x10", "a.buckets=16", "a.buckets=16" },
	{ "a.log2=0x5", "a.log2=5", "a.log2=5" },
	{ "a.log2", "a.log2", "a.log2" },
	{ "common_timestamp.usecs-$ts0", "(- common_timestamp.usecs $ts0)", NULL },
	{ "$x", "$x", NULL },
	{ "sys.event.$x", "$x@sys:event", NULL },
	{ "sys.event.$x+1", "(+ $x@sys:event 1)", NULL },
	{ "123", "123", NULL },
	{ "0x10", "16", "16" },
	{ "18446744073709551615", "18446744073709551615", NULL },
	/* Left to right, and * before +. */
	{ "16-8-4-2", "(- (- (- 16 8) 4) 2)", NULL },
	{ "64/8/4/2", "(/ (/ (/ 64 8) 4) 2)", NULL },
	{ "16-8+4+2", "(+ (+ (- 16 8) 4) 2)", NULL },
	{ "4*3/2*2", "(* (/ (* 4 3) 2) 2)", NULL },
	{ "4+3*2-2", "(- (+ 4 (* 3 2)) 2)", NULL },
	{ "a+b*c", "(+ a (* b c))", NULL },
	{ "a*b+c", "(+ (* a b) c)", NULL },
	{ "a.sym-offset-b", "(- a.sym-offset b)", NULL },
	{ "-(a)", "(neg a)", NULL },
	{ "-(a+b*2)", "(neg (+ a (* b 2)))", NULL },
	{ "-(a)-b", "(- (neg a) b)", NULL },
	{ "-(a)-b+c", "(+ (- (neg a) b) c)", NULL },
};

static void test_good(void)
{
	struct hist_strbuf b = { 0 };
	struct hist_error error;
	struct hist_node *node;
	const char *printed;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		node = NULL;
		CU_ASSERT_EQUAL_FATAL(
			hist_expr_tree_parse(&node, good[i].text, strlen(good[i].text), 7, &error),
				      0);
		CU_ASSERT_EQUAL(node->span.start, 7);
		CU_ASSERT_EQUAL(node->span.len, strlen(good[i].text));
		b.len = 0;
		describe(&b, node);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, good[i].tree);
		b.len = 0;
		hist_expr_tree_print(&b, node);
		hist_strbuf_char(&b, '\0');
		printed = good[i].printed ? good[i].printed : good[i].text;
		CU_ASSERT_STRING_EQUAL(b.data, printed);
		hist_expr_tree_free(node);
	}
	hist_strbuf_free(&b);
	hist_expr_tree_free(NULL);
}

static const struct {
	const char *text;
	size_t start, len;
	const char *what;
} bad[] = {
	{ "", 0, 0, "empty expression" },
	{ "1+2+3+4+5", 0, 1, "the kernel accepts at most 3 operators in an expression" },
	{ "32+10*3/20-4", 3, 2, "the kernel accepts at most 3 operators in an expression" },
	{ "-(1)+2", 2, 4, "only \"-\" can follow -(...)" },
	{ "-(1)*2", 2, 4, "only \"-\" can follow -(...)" },
	{ "-a", 0, 1, "a minus sign at the beginning needs parentheses" },
	{ "a--b", 1, 1, "no operand after \"-\"" },
	{ "a-", 1, 1, "no operand after \"-\"" },
	{ "*a", 0, 1, "no operand before \"*\"" },
	{ "a+*b", 2, 1, "no operand before \"*\"" },
	{ "-(a", 1, 1, "\"(\" without \")\"" },
	{ "-(a-b)", 1, 1, "\"(\" without \")\"" },
	{ "(a)", 0, 1, "unexpected \"(\"" },
	{ "a-(b)", 2, 1, "unexpected \"(\"" },
	{ "-((a))", 2, 1, "unexpected \"(\"" },
	{ "a*0x", 2, 2, "\"0x\" is not a number" },
	{ "18446744073709551616", 0, 20, "\"18446744073709551616\" is not a number" },
	{ "1a", 0, 2, "\"1a\" is not a number" },
	{ "$", 0, 1, "\"$\" is not a variable" },
	{ "$1", 0, 2, "\"$1\" is not a variable" },
	{ "a+$b.c", 2, 4, "\"$b.c\" is not a variable" },
	{ "s.$b", 0, 4, "\"s.$b\" is not a variable" },
	{ ".e.$b", 0, 5, "\".e.$b\" is not a variable" },
	{ "a+b.zork", 4, 4, "unknown modifier \"zork\"" },
	{ "a.b.c", 2, 3, "unknown modifier \"b.c\"" },
	{ "a.descending", 2, 10, "\".descending\" cannot be used in an expression" },
};

static void test_bad(void)
{
	struct hist_error error;
	struct hist_node *node;
	bool same;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		node = NULL;
		memset(&error, 0xa5, sizeof(error));
		CU_ASSERT_EQUAL_FATAL(
			hist_expr_tree_parse(&node, bad[i].text, strlen(bad[i].text), 100, &error),
			-EINVAL);
		CU_ASSERT_PTR_NULL(node);
		same = error.at.start == 100 + bad[i].start && error.at.len == bad[i].len &&
		       !strcmp(error.what, bad[i].what);
		CU_ASSERT_TRUE(same);
		if (!same)
			fprintf(stderr, "%s\n  %zu+%zu %s\n", bad[i].text, error.at.start - 100,
				error.at.len, error.what);
	}
}

/* The parts of actions, one after the other. */
static const struct {
	const char *text;
	const char *says;
} actions[] = {
	{ "onmatch(sched.sched_waking).wakeup($lat,next_pid)",
	  "0 <sched.sched_waking> 0 wakeup synth <wakeup> v<lat> f<next_pid>" },
	{ "onmatch(a.b).trace(ev, $x , c.d.e,c.d.$f)",
	  "0 <a.b> 0 trace synth <ev> v<x> f<e>@c:d v<f>@c:d" },
	{ "onmax($lat).save(next_comm, prev_pid)", "1 <$lat> 1 save f<next_comm> f<prev_pid>" },
	{ "onchange($p).snapshot()", "2 <$p> 2 snapshot" },
	{ "onmax($p).save()", "1 <$p> 1 save f<>" },
	{ "onmax($p).trace()", "1 <$p> 0 trace synth <>" },
	{ "onmax($p).trace(trace,ab)", "1 <$p> 0 trace synth <trace> f<ab>" },
	{ "onmax($p).saved_lat($p)", "1 <$p> 1 saved_lat v<p>" },
	{ "onmax($p).ev(common_timestamp.usecs)",
	  "1 <$p> 0 ev synth <ev> f<common_timestamp.usecs>" },
};

static void describe_action(struct hist_strbuf *b, const struct hist_action *action)
{
	unsigned int i;

	hist_strbuf_printf(b, "%d <%s> %d %s", action->handler, action->subject, action->kind,
			   action->name);
	if (action->synth)
		hist_strbuf_printf(b, " synth <%s>", action->synth);
	for (i = 0; i < action->nparams; i++) {
		hist_strbuf_printf(b, " %c<%s>", action->params[i].is_variable ? 'v' : 'f',
				   action->params[i].name);
		if (action->params[i].system)
			hist_strbuf_printf(b, "@%s:%s", action->params[i].system,
					   action->params[i].event);
	}
	hist_strbuf_char(b, '\0');
}

static void test_actions(void)
{
	const struct hist_action *action;
	struct hist_strbuf b = { 0 };
	struct hist_expr *e;
	char text[256];
	size_t i;

	for (i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		snprintf(text, sizeof(text), "hist:keys=a:%s", actions[i].text);
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, text, NULL), 0);
		CU_ASSERT_EQUAL_FATAL(e->nactions, 1);
		action = &e->actions[0];
		CU_ASSERT_EQUAL(action->span.start, strlen("hist:keys=a:"));
		CU_ASSERT_EQUAL(action->span.len, strlen(actions[i].text));
		CU_ASSERT_TRUE(!strncmp(text + action->subject_span.start, action->subject,
					action->subject_span.len));
		CU_ASSERT_TRUE(!strncmp(text + action->name_span.start, action->name,
					action->name_span.len));
		b.len = 0;
		describe_action(&b, action);
		CU_ASSERT_STRING_EQUAL(b.data, actions[i].says);
		hist_expr_free(e);
	}
	hist_strbuf_free(&b);
}

static void test_variables(void)
{
	const struct hist_variable *v;
	struct hist_expr *e;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, "hist:keys=a:x=1,yy=b-$x:z=-c", NULL), 0);
	CU_ASSERT_EQUAL(e->nvariables, 3);
	v = &e->variables[1];
	CU_ASSERT_STRING_EQUAL(v->name, "yy");
	CU_ASSERT_STRING_EQUAL(v->text, "b-$x");
	CU_ASSERT_EQUAL(v->span.start, 16);
	CU_ASSERT_EQUAL(v->span.len, 7);
	CU_ASSERT_EQUAL(v->text_span.start, 19);
	CU_ASSERT_EQUAL(v->tree->kind, HIST_NODE_SUB);
	CU_ASSERT_EQUAL(v->tree->right->span.start, 21);
	/* No expression: the text is there, and no tree. */
	CU_ASSERT_PTR_NULL(e->variables[2].tree);
	CU_ASSERT_STRING_EQUAL(e->variables[2].text, "-c");
	CU_ASSERT_EQUAL(e->keys.field[0].tree->kind, HIST_NODE_FIELD);
	hist_expr_free(e);
}

static const struct {
	const char *text, *printed;
} prints[] = {
	{ "hist:key=a", "hist:keys=a" },
	{ "hist:sort=a.descending,b.ascending:val=b.hex:keys=a,c.bucket=010:NOHC:size=0x100",
	  "hist:keys=a,c.buckets=8:vals=b.hex:sort=a.descending,b.ascending:size=256:nohitcount" },
	{ "hist:clear:name=n:keys=a:cont:x=1:clock=mono:y=$x-2,z=-(a) [paused]",
	  "hist:name=n:keys=a:x=1,y=$x-2,z=-(a):clock=mono:pause:continue:clear" },
	{ "hist:keys=a:x=b:onmax($x).save( c , d ):onchange($x).snapshot():onmatch(s.e).ev($x)",
	  "hist:keys=a:x=b:onmax($x).save(c,d):onchange($x).snapshot():onmatch(s.e).ev($x)" },
	{ "hist:keys=a:onmatch(s.e).trace(ev,$x)  if  (a==1)&&b!=2",
	  "hist:keys=a:onmatch(s.e).trace(ev,$x) if a == 1 && b != 2" },
	{ "hist:keys=a:onmatch(s.e).trace(trace,$x)", "hist:keys=a:onmatch(s.e).trace(trace,$x)" },
	/* What is no expression or filter stays as it is. */
	{ "hist:keys=-a:x=1+:vals=b--c if a = 1", "hist:keys=-a:vals=b--c:x=1+ if a = 1" },
};

static void test_print(void)
{
	struct hist_expr *e;
	char *printed;
	size_t i;

	for (i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, prints[i].text, NULL), 0);
		printed = hist_expr_print(e);
		CU_ASSERT_STRING_EQUAL(printed, prints[i].printed);
		free(printed);
		hist_expr_free(e);
	}
}

/* What kernels print and take comes back the same when it is printed twice. */
static void test_samples(void)
{
	struct hist_expr *e, *again;
	unsigned int i, same = 0;
	char *once, *twice;

	for (i = 0; i < expr_nsamples; i++) {
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, expr_samples[i], NULL), 0);
		once = hist_expr_print(e);
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&again, once, NULL), 0);
		twice = hist_expr_print(again);
		CU_ASSERT_STRING_EQUAL(once, twice);
		same += !strcmp(once, e->text);
		CU_ASSERT_EQUAL(e->keys.n, again->keys.n);
		CU_ASSERT_EQUAL(e->values.n, again->values.n);
		CU_ASSERT_EQUAL(e->nvariables, again->nvariables);
		CU_ASSERT_EQUAL(e->nactions, again->nactions);
		free(once);
		free(twice);
		hist_expr_free(again);
		hist_expr_free(e);
	}
	/* Kernels print in this form, but for blanks of filters. */
	CU_ASSERT_TRUE(same > 100);
}

UNIT_TESTS(
	{ "expressions parse into trees with the kernel's precedence, and print in one form",
	  test_good },
	{ "a malformed expression is refused with its place and reason", test_bad },
	{ "each action of a trigger has its handler, subject, name and parameters", test_actions },
	{ "each variable of a trigger has its name, text, place and tree", test_variables },
	{ "a trigger prints in one form, and its malformed parts print unchanged", test_print },
	{ "a trigger of a kernel prints in a form that parses and prints the same again",
	  test_samples });
