/* SPDX-License-Identifier: GPL-2.0 */
/*
 * key.h - the secret that both ends of a tcp:// connection have
 *
 * A key file holds one line of hexadecimal digits: 32 to 64 of them, 16 to 32
 * random bytes (mbedTLS takes no longer pre-shared key).  A key must be random,
 * as whoever pretends to be the listener can try out keys at leisure.
 */
#ifndef TARGET_WIRE_KEY_H
#define TARGET_WIRE_KEY_H

#include <stddef.h>

#define KEY_MIN 16
#define KEY_MAX 32

/* The identity that TLS-PSK sends in the clear; says nothing of who it is. */
#define KEY_IDENTITY "trace-cmd-hist"

struct key {
	unsigned char bytes[KEY_MAX];
	size_t len;
};

/*
 * key_load - the key in the file @path
 * The file must be a regular one, owned by the user or root, and closed to all
 * others (mode & 077 is 0).  0, or -errno with "WHY: WHAT TO DO" in @why.
 */
int key_load(struct key *key, const char *path, char *why, size_t why_len);

/* The text of a key file: -EINVAL with a reason in @why. */
int key_parse(struct key *key, const char *text, size_t len, char *why, size_t why_len);

/*
 * key_create - a new file with a random key of KEY_MAX bytes, mode 0600
 * A file that is there already is left alone: -EEXIST.
 */
int key_create(const char *path, char *why, size_t why_len);

/* No trace of it in memory. */
void key_wipe(struct key *key);

/* @len random bytes of the kernel. 0 or -errno. */
int key_random(void *to, size_t len);

#endif
