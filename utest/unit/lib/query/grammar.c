// SPDX-License-Identifier: GPL-2.0
/*
 * grammar.c - texts made by a grammar
 *
 * A rule is a text: "a|b|c" are alternatives, "<name>" is another rule, and the first alternative of
 * each rule ends.
 */
#include <string.h>

#include "utest/unit/lib/query/grammar.h"

#define DEPTH_MAX 40
#define LENGTH_MAX 16384

struct rule {
	const char *name, *text;
};

static const struct rule sql_rules[] = {
	{ "query", "SELECT <items> FROM <plain><where>|SELECT <items> FROM <plain><where>|"
		   "SELECT <pairs> FROM sys_enter AS start JOIN sys_exit AS end ON <matches><where>|"
		   "SELECT <pairs> FROM <event> AS start JOIN <event> AS end ON <matches><where>|"
		   "SELECT <any> FROM <event> JOIN <event> ON <matches><where>|"
		   "SELECT <any> FROM <event> AS <label><where>|<any> <where>" },
	{ "items", "<item>|<item>|<item>, <items>|<item>,<items>" },
	{ "item", "<good>|<good>|(<good>)|CAST(<good> AS <type>)|CAST(<good> AS _COUNTER_)|"
		  "CAST(<field> AS <type>) AS <label>|<good> AS <label>|<field> <label>|<field>" },
	{ "good", "next_pid|next_comm|prev_pid|prev_comm|common_pid|sched_switch.next_pid" },
	{ "plain", "sched_switch|sched.sched_switch|sched_switch|<event>" },
	{ "pairs", "<pair>|<pair>|<pair>, <pairs>" },
	{ "pair", "start.id|end.ret|start.common_pid|end.id AS <label>|(end.TIMESTAMP - start.TIMESTAMP) AS lat|"
		  "(start.TIMESTAMP_USECS - end.TIMESTAMP_USECS) AS <label>|(start.id + end.ret) AS a|"
		  "CAST(start.id AS <type>)|end.TIMESTAMP AS a|start.args|<field>" },
	{ "any", "<one>|<one>|<one>, <any>" },
	{ "one", "<field>|(<field>)|CAST(<field> AS <type>)|CAST(<field> AS <type>) AS <label>|"
		 "<field> AS <label>|<field> <label>|(<field> - <field>) AS <label>|<field> + <field>" },
	{ "field", "next_pid|next_comm|prev_pid|id|common_pid|start.<column>|end.<column>|"
		   "<event>.<column>|nosuch|\\select|<label>|TIMESTAMP|<column>" },
	{ "column", "next_pid|next_comm|id|args|ret|common_pid|pid|TIMESTAMP|TIMESTAMP_USECS|COMM|nosuch" },
	{ "label", "lat|next_pid|start|end|a|b|<event>" },
	{ "type", "_COUNTER_|__COUNTER__|hex|sym|sym-offset|syscall|comm|log2|buckets=10|buckets|nosuch" },
	{ "event", "sched_switch|sys_enter|sys_exit|sched.sched_switch|raw_syscalls.sys_enter|"
		   "kmem.kmalloc|nosuch|sched.nosuch" },
	{ "matches", "<match>|<match>|<match>, <matches>" },
	{ "match", "start.common_pid = end.common_pid|<field> = <field>|<field> == <field>" },
	{ "where", "| WHERE <terms>" },
	{ "terms", "<term>|<term>|<term> && <terms>|<term>, <terms>|<term> \\|\\| <terms>|"
		   "(<terms>)|!(<terms>)|!<term>" },
	{ "term", "<good> = 1|start.id = 1|end.ret > 1|next_comm ~ \"b*\"|<good> <compare> <value>|"
		  "<field> <compare> <value>" },
	{ "compare", "=|==|!=|<|>|<=|>=|&|~" },
	{ "value", "1|0x10|99999999999999999999|abc|\"bash\"|'bash'|\"it's\"|\"a' > b\"|'a > b'|\"\"|"
		   "\"b*\"|\"open|it's|\"<value>\"" },
	{ NULL, NULL }
};

static const struct rule recipe_rules[] = {
	{ "query", "# A summary\n<lines>|<lines>|\n# A summary\n<head><lines>|#\n<head>" },
	{ "lines", "<option>\n|<option>\n<lines>|<head><lines>|? <option>\n<lines>" },
	{ "head", "<word>: <event>\n|argument: TASK\n|argument: A = <value>\n|argument: A = $1$1\n|"
		  "# <value>\n|<word>: <value>\n|needs: event <event>\n|optional: event <event> = <value>\n" },
	{ "word", "needs|optional|alias|since|argument|unmatched|capture|nosuch" },
	{ "option", "-e <event>|-k <keys>|-v <keys>|-s <keys>|-f <filter>|-R hist:keys=<keys>:vals=<keys>|"
		    "--latency <event>:<key>..<event>:<key>|--sql SELECT <key> FROM sched_switch|"
		    "--function <value>|--tracer <value>|--kprobe <value>|--nosuch <value>|-e" },
	{ "event", "sched:sched_switch|raw_syscalls:sys_enter|sys_exit|x:y|nosuch|$1|:" },
	{ "keys", "<key>|<key>|<key>,<keys>" },
	{ "key", "next_pid|next_comm|id|lat.log2|common_pid.execname|next_pid.buckets=10|$ARG|$1<value>|"
		 "start_stacktrace|lat_us" },
	{ "filter", "<term>|<term>|<filter> && <filter>|(<filter>)|!(<filter>)|<filter> \\|\\| <filter>" },
	{ "term", "next_pid > 1|next_comm ~ \"b*\"|$ARG|comm == \"$1\"|id & 1|<key> == <value>" },
	{ "value", "1|y|$1|$ARG|$1$1$1$1<value>|\"$1\"|\t|(a|b|<value><value>" },
	{ NULL, NULL }
};

static unsigned int grammar_choose(struct grammar *g, unsigned int n)
{
	if (!g->len || g->depth > DEPTH_MAX)
		return 0;
	g->len--;
	return *g->data++ % n;
}

/* The end of the alternative @at: a '|' or the end of the rule.  "\|" is a '|'. */
static const char *grammar_find_end(const char *at)
{
	for (; *at && *at != '|'; at++)
		at += *at == '\\' && at[1] == '|';
	return at;
}

static void grammar_add(struct grammar *g, const struct rule *rules, const char *name, size_t len,
			struct hist_strbuf *text)
{
	const struct rule *rule = rules;
	const char *at, *end, *close;
	unsigned int n = 1, chosen;

	while (strncmp(rule->name, name, len) || rule->name[len])
		rule++;
	for (at = grammar_find_end(rule->text); *at; at = grammar_find_end(at + 1))
		n++;
	chosen = grammar_choose(g, n);
	for (at = rule->text; chosen; chosen--)
		at = grammar_find_end(at) + 1;
	end = grammar_find_end(at);
	g->depth++;
	while (at < end && text->len < LENGTH_MAX) {
		close = *at == '<' ? memchr(at, '>', end - at) : NULL;
		if (close && close > at + 1 && at[1] >= 'a' && at[1] <= 'z') {
			grammar_add(g, rules, at + 1, close - at - 1, text);
			at = close + 1;
			continue;
		}
		at += *at == '\\' && at[1] == '|';
		hist_strbuf_char(text, *at++);
	}
	g->depth--;
}

void grammar_add_sql(struct grammar *g, struct hist_strbuf *text)
{
	grammar_add(g, sql_rules, "query", strlen("query"), text);
}

void grammar_add_recipe(struct grammar *g, struct hist_strbuf *text)
{
	grammar_add(g, recipe_rules, "query", strlen("query"), text);
}
