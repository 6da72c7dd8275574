/* SPDX-License-Identifier: GPL-2.0 */
/*
 * key.h - the pre-shared key of a tcp:// connection
 *
 * A key file contains one line of 32 to 64 hexadecimal digits: 16 to 32 random bytes
 * (the mbedTLS limit for a pre-shared key is 32). A key must be random, because a fake
 * listener can try out keys offline.
 */
#ifndef HELPER_WIRE_KEY_H
#define HELPER_WIRE_KEY_H

#include <stddef.h>

#include "lib/base/error.h"

#define KEY_MIN 16
#define KEY_MAX 32

/* The identity that TLS-PSK sends unencrypted; it does not identify the client. */
#define KEY_IDENTITY "trace-cmd-hist"

struct key {
	unsigned char bytes[KEY_MAX];
	size_t len;
};

/*
 * key_load - read the key from the file @path
 * The file must be a regular file, owned by the user or root, without permissions for
 * others (mode & 077 is 0). 0, or -errno with "REASON: REMEDY" in @error.
 */
int key_load(struct key *key, const char *path, struct hist_error *error);

/* Parse the text of a key file: 0, or -EINVAL with a reason in @error. */
int key_parse(struct key *key, const char *text, size_t len, struct hist_error *error);

/*
 * key_create - create a file with a random key of KEY_MAX bytes, mode 0600
 * -EEXIST if the file already exists; the file is unchanged.
 */
int key_create(const char *path, struct hist_error *error);

/* Erase the key from memory. */
void key_wipe(struct key *key);

/* Get @len random bytes from the kernel. 0 or -errno. */
int key_get_random(void *to, size_t len);

#endif
