// SPDX-License-Identifier: GPL-2.0
/*
 * tracefs_access.c - why this process cannot use tracefs, and what helps
 *
 * Under lockdown=confidentiality, a kernel that was booted so has an empty tracefs
 * (tracefs_create_file()); one that was locked down later fails with EPERM for each open(2)
 * (tracing_check_open_get_tr()).
 */
#include "helper/port/port.h"

#include "helper/local/target.h"
#include "helper/local/tracefs_access.h"
#include "helper/port/text.h"

#define CAP_BIT_DAC_OVERRIDE 1
#define CAP_BIT_SYS_ADMIN 21

#define LOCKED ": the kernel is locked down ("

/* Copy the word that follows @start in the file @path, up to a byte of @end. */
static bool tracefs_access_read_word(const char *path, const char *start, const char *end,
				     char *word, size_t len)
{
	struct target_buf buf = { 0 };
	const char *found = NULL;
	size_t n;

	if (!target_read_file(path, &buf))
		found = strstr(buf.data, start);
	if (found) {
		found += strlen(start);
		found += strspn(found, " \t");
		n = strcspn(found, end);
		if (n >= len)
			n = len - 1;
		memcpy(word, found, n);
		word[n] = '\0';
	}
	free(buf.data);
	return found != NULL;
}

/* The mode of the lockdown; "" if there is none.  securityfs may not be mounted. */
static void tracefs_access_find_lockdown(char *mode, size_t len)
{
	*mode = '\0';
	if (!tracefs_access_read_word("/sys/kernel/security/lockdown", "[", "]", mode, len))
		tracefs_access_read_word("/proc/cmdline", "lockdown=", " \n", mode, len);
	if (!strcmp(mode, "none"))
		*mode = '\0';
}

/* True if /proc says that this process lacks one of the capabilities @bits. */
static bool tracefs_access_lacks(uint64_t bits)
{
	char word[24];
	uint64_t has;

	return tracefs_access_read_word("/proc/self/status", "\nCapEff:", "\n", word,
					sizeof(word)) &&
	       text_parse_number(word, 16, &has) && (has & bits) != bits;
}

/* True if user 0 is not that of the host: the first map of the host has all users. */
static bool tracefs_access_in_namespace(void)
{
	char word[32];

	return tracefs_access_read_word("/proc/self/uid_map", "", "\n", word, sizeof(word)) &&
	       !strstr(word, "4294967295");
}

/* What forbids tracefs to root. */
static const char *tracefs_access_explain_root(void)
{
	if (tracefs_access_in_namespace())
		return ": permission denied to root of a user namespace, as in a container\n"
		       "run as root on the host";
	if (tracefs_access_lacks(1ull << CAP_BIT_SYS_ADMIN | 1ull << CAP_BIT_DAC_OVERRIDE))
		return ": permission denied to root without CAP_SYS_ADMIN or CAP_DAC_OVERRIDE, as "
		       "in a container\nrun on the host, or in a privileged container";
	return ": permission denied, although this is root\n"
	       "look in the kernel log (dmesg) for a security module such as SELinux or AppArmor";
}

int tracefs_access_refuse(int err, const char *path, struct hist_error *error)
{
	bool denied = err == EPERM || err == EACCES;
	char mode[32];

	tracefs_access_find_lockdown(mode, sizeof(mode));
	/* another mode forbids no tracing, so it explains only what nothing else does */
	if (!strcmp(mode, "confidentiality") || (*mode && err == EPERM && !geteuid())) {
		return text_refuse(error, -EPERM, path, LOCKED, mode,
				   "), which forbids tracing even to root\n"
				   "boot without lockdown=",
				   mode, "; Secure Boot may also lock the kernel", NULL);
	}
	if (denied && geteuid()) {
		return text_refuse(error, -EACCES, path, ": permission denied\nrun as root (sudo)",
				   NULL);
	}
	if (denied) {
		return text_refuse(error, -EACCES, path, tracefs_access_explain_root(), NULL);
	}
	if (err == ENOENT) {
		return text_refuse(error, -ENODEV, path,
				   ": tracefs has no events; it may be masked, as in a "
				   "container\nrun on the host, or on a kernel with CONFIG_FTRACE",
				   NULL);
	}
	return text_refuse(error, -err, path, ": ", strerror(err), err == EROFS ? "\n" : NULL,
			   TRACEFS_ACCESS_READ_ONLY, NULL);
}
