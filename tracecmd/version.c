// SPDX-License-Identifier: GPL-2.0
/*
 * version.c - print the version, the engines, and the libraries with their versions
 *
 * Each library has two versions: that of its header when the program was compiled, and that of the
 * shared object that the program runs with.  libtraceevent, libtracefs and libelf cannot tell the
 * second one, so it is taken from the name of the file: libtraceevent.so.1.7.1, libelf-0.188.so.
 */
#include <ctype.h>
#include <curses.h>
#include <limits.h>
#include <link.h>
#include <mbedtls/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "tracecmd/base/command.h"

#define NUMBER_TEXT(number) #number
#define NUMBER(number) NUMBER_TEXT(number)
#define NCURSES_COMPILED NCURSES_VERSION "." NUMBER(NCURSES_VERSION_PATCH)

struct loaded {
	const char *name; /* of a library, without ".so" */
	char version[32]; /* "unknown" if it is not loaded or its file has no version */
};

/* Copy the digits and dots at the start of @from. */
static void version_copy(struct loaded *loaded, const char *from)
{
	size_t len = strspn(from, "0123456789.");

	while (len && from[len - 1] == '.')
		len--;
	if (len)
		snprintf(loaded->version, sizeof(loaded->version), "%.*s", (int)len, from);
}

static int version_of_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct loaded *loaded = data;
	size_t len = strlen(loaded->name);
	const char *file = strrchr(info->dlpi_name, '/');
	char path[PATH_MAX];

	(void)size;
	if (!file || strncmp(file + 1, loaded->name, len) || strncmp(file + 1 + len, ".so.", 4))
		return 0;
	if (!realpath(info->dlpi_name, path))
		return 1;
	file = strrchr(path, '/') + 1;
	if (strncmp(file, loaded->name, len))
		return 1;
	file += len;
	if (!strncmp(file, ".so.", 4))
		version_copy(loaded, file + 4);
	else if (*file == '-')
		version_copy(loaded, file + 1);
	return 1;
}

static void version_print_library(const char *name, const char *compiled, const char *running)
{
	printf("%s: compiled with %s, running with %s\n", name, compiled, running);
}

static void version_print_file(const char *name, const char *compiled)
{
	struct loaded loaded = { .name = name, .version = "unknown" };

	dl_iterate_phdr(version_of_object, &loaded);
	version_print_library(name, compiled, loaded.version);
}

/* The first number in "ncurses 6.4.20221231". */
static const char *version_number(const char *text)
{
	while (*text && !isdigit((unsigned char)*text))
		text++;
	return text;
}

static int version_run(int argc, char **argv)
{
	char mbedtls[9]; /* mbedtls_version_get_string() writes as many bytes */

	(void)argc;
	(void)argv;
	mbedtls_version_get_string(mbedtls);
	puts("trace-cmd-hist " VERSION);
	puts("engines: kernel, user");
	version_print_file("libtraceevent", TRACEEVENT_VERSION);
	version_print_file("libtracefs", TRACEFS_VERSION);
	version_print_file("libelf", ELF_VERSION);
	version_print_library("zstd", ZSTD_VERSION_STRING, ZSTD_versionString());
	version_print_library("zlib", ZLIB_VERSION, zlibVersion());
	version_print_library("mbedtls", MBEDTLS_VERSION_STRING, mbedtls);
	version_print_library("ncurses", NCURSES_COMPILED, version_number(curses_version()));
	return EXIT_DONE;
}

const struct command version_command = {
	.name = "--version",
	.run = version_run,
};
