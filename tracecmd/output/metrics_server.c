// SPDX-License-Identifier: GPL-2.0
/*
 * metrics_server.c - sink that answers the scrapes of Prometheus
 *
 * libmicrohttpd is driven from outside: its epoll descriptor is one of those that the recorder
 * polls.  A page is made at the first request after a snapshot, and kept until the next snapshot.
 *
 * The library is loaded only if it is needed, because it and the TLS library behind it would double
 * the time in which the program starts.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef HAVE_MICROHTTPD
#include <microhttpd.h>
#endif

#include "lib/base/error.h"
#include "tracecmd/base/message.h"
#include "tracecmd/output/metrics.h"
#include "tracecmd/target/address.h"

static struct metrics_server *metrics_server_from_sink(struct sink *s)
{
	return (struct metrics_server *)s;
}

#ifdef HAVE_MICROHTTPD
/* --- the library --- */

#define METRICS_LIBRARY "libmicrohttpd.so.12"

/* What is called of the library. */
struct metrics_library {
	void *handle;
	__typeof__(&MHD_start_daemon) start_daemon;
	__typeof__(&MHD_stop_daemon) stop_daemon;
	__typeof__(&MHD_run) run;
	__typeof__(&MHD_get_timeout) get_timeout;
	__typeof__(&MHD_get_daemon_info) get_daemon_info;
	__typeof__(&MHD_create_response_from_buffer) create_response;
	__typeof__(&MHD_destroy_response) destroy_response;
	__typeof__(&MHD_add_response_header) add_header;
	__typeof__(&MHD_queue_response) queue_response;
	__typeof__(&MHD_lookup_connection_value) lookup_value;
};

#define METRICS_SYMBOL(name, member)                                  \
	{                                                             \
		"MHD_" name, offsetof(struct metrics_library, member) \
	}

static const struct {
	const char *name;
	size_t offset;
} metrics_symbols[] = {
	METRICS_SYMBOL("start_daemon", start_daemon),
	METRICS_SYMBOL("stop_daemon", stop_daemon),
	METRICS_SYMBOL("run", run),
	METRICS_SYMBOL("get_timeout", get_timeout),
	METRICS_SYMBOL("get_daemon_info", get_daemon_info),
	METRICS_SYMBOL("create_response_from_buffer", create_response),
	METRICS_SYMBOL("destroy_response", destroy_response),
	METRICS_SYMBOL("add_response_header", add_header),
	METRICS_SYMBOL("queue_response", queue_response),
	METRICS_SYMBOL("lookup_connection_value", lookup_value),
};

static void metrics_library_free(struct metrics_library *library)
{
	if (library && library->handle)
		dlclose(library->handle);
	free(library);
}

static struct metrics_library *metrics_library_load(struct hist_error *error)
{
	struct metrics_library *library = calloc(1, sizeof(*library));
	unsigned int i;
	void *symbol;

	if (!library)
		return NULL;
	library->handle = dlopen(METRICS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	for (i = 0; library->handle && i < sizeof(metrics_symbols) / sizeof(*metrics_symbols);
	     i++) {
		symbol = dlsym(library->handle, metrics_symbols[i].name);
		if (!symbol)
			break;
		memcpy((char *)library + metrics_symbols[i].offset, &symbol, sizeof(symbol));
	}
	if (i == sizeof(metrics_symbols) / sizeof(*metrics_symbols))
		return library;
	hist_error_set(error, -ENOENT, "%s: cannot be loaded: install libmicrohttpd",
		       METRICS_LIBRARY);
	metrics_library_free(library);
	return NULL;
}

/* --- forms --- */

static const struct {
	const char *type; /* in Accept, without parameters */
	const char *content_type;
	const struct hist_writer_ops *ops;
} metrics_forms[METRICS_FORMS] = {
	[METRICS_PROTOBUF] = { "application/vnd.google.protobuf",
			       "application/vnd.google.protobuf; "
			       "proto=io.prometheus.client.MetricFamily; encoding=delimited",
			       &hist_writer_protobuf },
	[METRICS_OPENMETRICS] = { "application/openmetrics-text",
				  "application/openmetrics-text; version=1.0.0; charset=utf-8",
				  &hist_writer_openmetrics },
	[METRICS_TEXT] = { "text/plain", "text/plain; version=0.0.4; charset=utf-8",
			   &hist_writer_prometheus },
};

/* The parameter @name of one part of Accept, "" if it has none; @len: its length. */
static const char *metrics_find_parameter(const char *part, size_t part_len, const char *name,
					  size_t *len)
{
	const char *end = part + part_len, *at = part, *next;
	size_t n = strlen(name);

	for (; at && at < end; at = next) {
		next = memchr(at, ';', end - at);
		next = next ? next + 1 : end;
		while (at < next && isspace((unsigned char)*at))
			at++;
		if (at + n < next && !strncasecmp(at, name, n) && at[n] == '=') {
			at += n + 1;
			*len = strcspn(at, ";, \t");
			return at;
		}
	}
	*len = 0;
	return "";
}

/* How much a client wants this part: q in thousandths, 0 if it is not @form. */
static unsigned int metrics_weigh(enum metrics_form form, const char *part, size_t len)
{
	const char *type = metrics_forms[form].type, *text;
	size_t n = strlen(type), text_len;
	unsigned int weight = 0;

	if (len < n || strncasecmp(part, type, n) || (len > n && !strchr("; \t", part[n])))
		return 0;
	text = metrics_find_parameter(part, len, "encoding", &text_len);
	if (form == METRICS_PROTOBUF && (text_len != 9 || strncasecmp(text, "delimited", 9)))
		return 0;
	text = metrics_find_parameter(part, len, "version", &text_len);
	if (form == METRICS_OPENMETRICS && text_len && strncmp(text, "1.0.0", text_len))
		return 0;
	text = metrics_find_parameter(part, len, "q", &text_len);
	if (!text_len || text[0] != '0')
		return 1000;
	/* "0.75", in any locale */
	for (n = 2; n < 5; n++)
		weight = weight * 10 + (n < text_len && isdigit((unsigned char)text[n])
						? (unsigned int)(text[n] - '0')
						: 0);
	return weight;
}

/*
 * The form that a client wants most, by its header Accept or NULL.  The first of several with the
 * same q wins; text if the client knows none.
 */
static enum metrics_form metrics_choose_form(const char *accept)
{
	enum metrics_form form, best = METRICS_TEXT;
	unsigned int weight, most = 0;
	size_t len;

	while (accept && *accept) {
		accept += strspn(accept, ", \t");
		len = strcspn(accept, ",");
		for (form = 0; form < METRICS_FORMS; form++) {
			weight = metrics_weigh(form, accept, len);
			if (weight > most) {
				most = weight;
				best = form;
			}
		}
		accept += len;
	}
	return best;
}

/* --- answers --- */

/* Runs of the daemon for one call: it says by a timeout of 0 that it has more to do. */
#define METRICS_RUNS_MAX 64

static enum MHD_Result metrics_server_refuse(const struct metrics_library *library,
					     struct MHD_Connection *connection, unsigned int status,
					     const char *text)
{
	struct MHD_Response *response =
		library->create_response(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result ret;

	if (!response)
		return MHD_NO;
	library->add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		library->add_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	ret = library->queue_response(connection, status, response);
	library->destroy_response(response);
	return ret;
}

/* A response with the page, or NULL; a page of too many series is told once. */
static struct MHD_Response *metrics_server_make_page(struct metrics_server *server,
						     enum metrics_form form)
{
	struct hist_error error = { 0 };
	struct hist_strbuf b = { 0 };
	struct MHD_Response *page = NULL;
	int ret = metrics_write(&server->metrics, metrics_forms[form].ops, &b, &error);

	if (!ret) {
		page = server->library->create_response(b.len, b.data, MHD_RESPMEM_MUST_FREE);
		if (page)
			server->library->add_header(page, MHD_HTTP_HEADER_CONTENT_TYPE,
						    metrics_forms[form].content_type);
	} else if (!server->refused) {
		message_warning("--metrics-listen: %s\nrecord fewer distinct keys, or use .log2",
				*error.what ? error.what : strerror(-ret));
		server->refused = true;
	}
	if (!page)
		hist_strbuf_free(&b);
	return page;
}

static enum MHD_Result metrics_server_answer(void *data, struct MHD_Connection *connection,
					     const char *path, const char *method,
					     const char *version, const char *upload,
					     size_t *upload_size, void **request)
{
	struct metrics_server *server = data;
	enum metrics_form form;

	(void)version;
	(void)upload;
	/* an answer to the first call would close the connection */
	if (!*request || *upload_size) {
		*request = server;
		*upload_size = 0;
		return MHD_YES;
	}
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return metrics_server_refuse(server->library, connection,
					     MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
	if (strcmp(path, "/metrics"))
		return metrics_server_refuse(server->library, connection, MHD_HTTP_NOT_FOUND,
					     "see /metrics\n");
	form = metrics_choose_form(
		server->library->lookup_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT));
	if (!server->pages[form])
		server->pages[form] = metrics_server_make_page(server, form);
	if (!server->pages[form])
		return metrics_server_refuse(server->library, connection,
					     MHD_HTTP_SERVICE_UNAVAILABLE,
					     "the page cannot be written; see the messages of the "
					     "recorder\n");
	return server->library->queue_response(connection, MHD_HTTP_OK, server->pages[form]);
}

static int metrics_server_run(struct sink *s)
{
	struct metrics_server *server = metrics_server_from_sink(s);
	MHD_UNSIGNED_LONG_LONG wait = 0;
	unsigned int i = 0;

	if (!server->daemon)
		return 0;
	do
		server->library->run(server->daemon);
	while (++i < METRICS_RUNS_MAX &&
	       server->library->get_timeout(server->daemon, &wait) == MHD_YES && !wait);
	return 0;
}

/* Messages of the library are about single clients, such as garbage in a request. */
static void metrics_server_ignore(void *data, const char *format, va_list args)
{
	(void)data;
	(void)format;
	(void)args;
}

/* A socket at the first address of the host; or -errno, with a sentence in @error if it has none.
 */
static int metrics_server_listen(const struct address *a, struct hist_error *error)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_NUMERICSERV | AI_PASSIVE };
	struct addrinfo *list;
	int ret = getaddrinfo(a->host, a->port, &hints, &list), fd, on = 1;

	if (ret)
		return hist_error_set(error, -EHOSTUNREACH, "%s",
				      ret == EAI_SYSTEM ? strerror(errno) : gai_strerror(ret));
	fd = socket(list->ai_family, list->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    list->ai_protocol);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, list->ai_addr, list->ai_addrlen) || listen(fd, SOMAXCONN))
		ret = -errno;
	freeaddrinfo(list);
	if (ret && fd >= 0)
		close(fd);
	return ret ? ret : fd;
}

/* Listen; the daemon owns the socket. */
static int metrics_server_start(struct metrics_server *server, struct hist_error *error)
{
	struct address address;
	int fd, ret = address_parse(&address, server->metrics.sink.name, error);

	if (ret)
		return ret;
	server->library = metrics_library_load(error);
	fd = server->library ? metrics_server_listen(&address, error) : -ENOMEM;
	address_clear(&address);
	if (fd < 0)
		return fd;
	server->daemon = server->library->start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, metrics_server_answer, server,
		MHD_OPTION_EXTERNAL_LOGGER, metrics_server_ignore, NULL, MHD_OPTION_LISTEN_SOCKET,
		fd, MHD_OPTION_CONNECTION_LIMIT, METRICS_CLIENTS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
		METRICS_PATIENCE_S, MHD_OPTION_END);
	if (server->daemon)
		return 0;
	close(fd);
	return -ENOMEM;
}

static int metrics_server_fd(const struct sink *s)
{
	const struct metrics_server *server = (const struct metrics_server *)s;
	const union MHD_DaemonInfo *info;

	if (!server->daemon)
		return -1;
	info = server->library->get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	return info ? info->epoll_fd : -1;
}

/* The pages are out of date; clients that are sent one keep it. */
static void metrics_server_drop_pages(struct metrics_server *server)
{
	enum metrics_form form;

	for (form = 0; form < METRICS_FORMS; form++) {
		if (server->pages[form])
			server->library->destroy_response(server->pages[form]);
		server->pages[form] = NULL;
	}
}

static void metrics_server_stop(struct metrics_server *server)
{
	metrics_server_drop_pages(server);
	if (server->daemon)
		server->library->stop_daemon(server->daemon);
	metrics_library_free(server->library);
}
#else
static int metrics_server_run(struct sink *s)
{
	(void)s;
	return 0;
}

static int metrics_server_start(struct metrics_server *server, struct hist_error *error)
{
	(void)server;
	return hist_error_set(error, -ENOTSUP, "the program was built without libmicrohttpd");
}

static int metrics_server_fd(const struct sink *s)
{
	(void)s;
	return -1;
}

static void metrics_server_drop_pages(struct metrics_server *server)
{
	(void)server;
}

static void metrics_server_stop(struct metrics_server *server)
{
	(void)server;
}
#endif

static int metrics_server_check(struct sink *s)
{
#ifdef HAVE_MICROHTTPD
	(void)s;
	return 0;
#else
	return message_refuse(-ENOTSUP,
			      "--metrics-listen %s: the program was built without libmicrohttpd\n"
			      "install libmicrohttpd-dev, and build it again",
			      s->name);
#endif
}

/* A failure does not end the recording, but its exit status tells. */
static int metrics_server_open(struct sink *s)
{
	struct hist_error error = { 0 };
	int ret = metrics_server_start(metrics_server_from_sink(s), &error);

	if (ret)
		message_warning("--metrics-listen %s: %s\nthe recording goes on without it",
				s->name, *error.what ? error.what : strerror(-ret));
	return 0;
}

static int metrics_server_begin(struct sink *s, const struct tracedat_contents *contents)
{
	return metrics_ops.begin(s, contents);
}

static int metrics_server_define(struct sink *s, const struct hist_definition *def,
				 struct hist_table *table)
{
	return metrics_ops.define(s, def, table);
}

static int metrics_server_interval(struct sink *s, bool last)
{
	(void)last;
	/* connections that waited too long are closed here */
	return metrics_server_run(s);
}

static int metrics_server_add(struct sink *s, int hist, const struct hist_snapshot *snap)
{
	struct metrics_server *server = metrics_server_from_sink(s);

	/* nobody can ask */
	if (!server->daemon)
		return 0;
	metrics_server_drop_pages(server);
	return metrics_ops.add(s, hist, snap);
}

static int metrics_server_end(struct sink *s)
{
	return metrics_server_fd(s) < 0 || metrics_server_from_sink(s)->refused ? -EIO : 0;
}

static void metrics_server_clear(struct sink *s)
{
	struct metrics_server *server = metrics_server_from_sink(s);

	metrics_server_stop(server);
	metrics_ops.clear(s);
	memset(server, 0, sizeof(*server));
}

const struct sink_ops metrics_server_ops = {
	.phase = { [SINK_CHECK] = metrics_server_check, [SINK_OPEN] = metrics_server_open },
	.begin = metrics_server_begin,
	.define = metrics_server_define,
	.interval = metrics_server_interval,
	.add = metrics_server_add,
	.fd = metrics_server_fd,
	.check = metrics_server_run,
	.end = metrics_server_end,
	.clear = metrics_server_clear,
};
