// SPDX-License-Identifier: GPL-2.0
/*
 * tls.c - a TLS connection authenticated by a pre-shared key
 *
 * Invariant: there is one version, one cipher suite and one curve, so an attacker
 * cannot force the two ends to use a weaker one.
 */
#include "helper/port/port_net.h"

#include <mbedtls/ssl.h>
#include <mbedtls/version.h>

#include "helper/port/text.h"
#include "helper/tcp/tls.h"
#include "helper/wire/key.h"

/* An unencrypted alert: type (1 byte), version (2), length (2), level (1), description (1). */
#define ALERT_RECORD 7

struct tls {
	int fd;
	int error; /* of the socket: -errno */
	unsigned char tail[ALERT_RECORD]; /* the last bytes received from the socket */
	mbedtls_ssl_context ssl;
	mbedtls_ssl_config config;
};

static const int suites[] = { MBEDTLS_TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256, 0 };

static int take_random(void *arg, unsigned char *to, size_t len)
{
	(void)arg;
	return key_get_random(to, len) ? MBEDTLS_ERR_SSL_INTERNAL_ERROR : 0;
}

static int take_errno(struct tls *tls, int wanted)
{
	if (errno == EAGAIN || errno == EINTR)
		return wanted;
	tls->error = -errno;
	return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
}

static int socket_write(void *arg, const unsigned char *from, size_t len)
{
	struct tls *tls = arg;
	ssize_t n = port_send(tls->fd, from, len);

	return n < 0 ? take_errno(tls, MBEDTLS_ERR_SSL_WANT_WRITE) : (int)n;
}

static void keep_tail(struct tls *tls, const unsigned char *from, size_t len)
{
	size_t room = sizeof(tls->tail);

	if (len > room) {
		from += len - room;
		len = room;
	}
	memmove(tls->tail, tls->tail + len, room - len);
	memcpy(tls->tail + room - len, from, len);
}

static int socket_read(void *arg, unsigned char *to, size_t room)
{
	struct tls *tls = arg;
	ssize_t n = read(tls->fd, to, room);

	if (n < 0)
		return take_errno(tls, MBEDTLS_ERR_SSL_WANT_READ);
	keep_tail(tls, to, n);
	return (int)n;
}

/* TLS 1.2 and X25519.  mbedTLS 3.2 has other functions for it, and deprecates those of 2.28. */
static void configure_version(mbedtls_ssl_config *config)
{
#if MBEDTLS_VERSION_NUMBER >= 0x03020000
	static const uint16_t groups[] = { MBEDTLS_SSL_IANA_TLS_GROUP_X25519,
					   MBEDTLS_SSL_IANA_TLS_GROUP_NONE };

	mbedtls_ssl_conf_min_tls_version(config, MBEDTLS_SSL_VERSION_TLS1_2);
	mbedtls_ssl_conf_max_tls_version(config, MBEDTLS_SSL_VERSION_TLS1_2);
	mbedtls_ssl_conf_groups(config, groups);
#else
	static const mbedtls_ecp_group_id curves[] = { MBEDTLS_ECP_DP_CURVE25519,
						       MBEDTLS_ECP_DP_NONE };

	mbedtls_ssl_conf_min_version(config, MBEDTLS_SSL_MAJOR_VERSION_3,
				     MBEDTLS_SSL_MINOR_VERSION_3);
	mbedtls_ssl_conf_max_version(config, MBEDTLS_SSL_MAJOR_VERSION_3,
				     MBEDTLS_SSL_MINOR_VERSION_3);
	mbedtls_ssl_conf_curves(config, curves);
#endif
}

static int tls_configure_suite(mbedtls_ssl_config *config, bool server, const struct key *key)
{
	int ret;

	ret = mbedtls_ssl_config_defaults(config,
					  server ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
					  MBEDTLS_SSL_TRANSPORT_STREAM,
					  MBEDTLS_SSL_PRESET_DEFAULT);
	if (ret)
		return ret;
	configure_version(config);
	mbedtls_ssl_conf_ciphersuites(config, suites);
	mbedtls_ssl_conf_rng(config, take_random, NULL);
#if defined(MBEDTLS_SSL_SESSION_TICKETS) && defined(MBEDTLS_SSL_CLI_C)
	mbedtls_ssl_conf_session_tickets(config, MBEDTLS_SSL_SESSION_TICKETS_DISABLED);
#endif
	return mbedtls_ssl_conf_psk(config, key->bytes, key->len,
				    (const unsigned char *)KEY_IDENTITY, strlen(KEY_IDENTITY));
}

int tls_new(struct tls **tls, int fd, bool server, const struct key *key)
{
	struct tls *t = calloc(1, sizeof(*t));
	int ret;

	*tls = NULL;
	if (!t)
		return -ENOMEM;
	t->fd = fd;
	mbedtls_ssl_init(&t->ssl);
	mbedtls_ssl_config_init(&t->config);
	ret = tls_configure_suite(&t->config, server, key);
	if (!ret)
		ret = mbedtls_ssl_setup(&t->ssl, &t->config);
	if (ret) {
		tls_free(t);
		return ret == MBEDTLS_ERR_SSL_ALLOC_FAILED ? -ENOMEM : -EINVAL;
	}
	mbedtls_ssl_set_bio(&t->ssl, t, socket_write, socket_read, NULL);
	*tls = t;
	return 0;
}

void tls_free(struct tls *tls)
{
	if (!tls)
		return;
	mbedtls_ssl_free(&tls->ssl);
	mbedtls_ssl_config_free(&tls->config);
	free(tls);
}

static int tls_convert_error(struct tls *tls, int ret)
{
	if (tls->error)
		return tls->error;
	switch (ret) {
	case MBEDTLS_ERR_SSL_WANT_READ:
	case MBEDTLS_ERR_SSL_WANT_WRITE:
		return -EAGAIN;
	case MBEDTLS_ERR_SSL_CONN_EOF:
		return -EPIPE;
	case MBEDTLS_ERR_SSL_ALLOC_FAILED:
		return -ENOMEM;
	case MBEDTLS_ERR_SSL_INVALID_MAC:
		return -EBADMSG;
	}
	return -EPROTO;
}

/*
 * The description of the fatal alert that ended the handshake, or -1.  mbedTLS has no public
 * function that returns it.  mbedTLS reads record by record, so the alert is the last record.
 * The other side cannot send an encrypted alert before the handshake is complete.
 */
static int tls_get_alert(const struct tls *tls)
{
	const unsigned char *t = tls->tail;

	if (t[0] != MBEDTLS_SSL_MSG_ALERT || t[3] || t[4] != 2 ||
	    t[5] != MBEDTLS_SSL_ALERT_LEVEL_FATAL)
		return -1;
	return t[6];
}

static bool keys_differ(const struct tls *tls, int ret)
{
	if (ret == MBEDTLS_ERR_SSL_INVALID_MAC || ret == MBEDTLS_ERR_SSL_UNKNOWN_IDENTITY)
		return true;
	if (ret != MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE)
		return false;
	switch (tls_get_alert(tls)) {
	case MBEDTLS_SSL_ALERT_MSG_BAD_RECORD_MAC:
	case MBEDTLS_SSL_ALERT_MSG_DECRYPT_ERROR:
	case MBEDTLS_SSL_ALERT_MSG_UNKNOWN_PSK_IDENTITY:
		return true;
	}
	return false;
}

static int tls_explain_error(struct tls *tls, int ret, struct hist_error *error)
{
	int err = tls_convert_error(tls, ret);
	const char *text;

	if (keys_differ(tls, ret)) {
		err = -EACCES;
		text = "the keys differ\nuse the same key file on both machines";
	} else if (tls->error || err == -ENOMEM) {
		text = strerror(-err);
	} else if (err == -EPIPE) {
		text = "the other side closed the connection during the handshake";
	} else {
		err = -EPROTO;
		text = "the other side does not use the TLS settings of trace-cmd hist listen";
	}
	return text_refuse(error, err, text, NULL);
}

int tls_handshake(struct tls *tls, int timeout_ms, struct hist_error *error)
{
	int64_t end = port_now_ms() + timeout_ms, left;
	struct pollfd pfd = { .fd = tls->fd };
	int ret;

	for (;;) {
		ret = mbedtls_ssl_handshake(&tls->ssl);
		if (!ret)
			return 0;
		if (ret != MBEDTLS_ERR_SSL_WANT_READ && ret != MBEDTLS_ERR_SSL_WANT_WRITE)
			return tls_explain_error(tls, ret, error);
		pfd.events = ret == MBEDTLS_ERR_SSL_WANT_READ ? POLLIN : POLLOUT;
		left = end - port_now_ms();
		if (left <= 0) {
			return text_refuse(error, -ETIMEDOUT,
					   "the TLS handshake did not finish within the "
					   "time limit",
					   NULL);
		}
		if (poll(&pfd, 1, (int)left) < 0 && errno != EINTR) {
			ret = -errno;
			return text_refuse(error, ret, strerror(-ret), NULL);
		}
	}
}

int tls_read(struct tls *tls, void *to, size_t room)
{
	int ret = mbedtls_ssl_read(&tls->ssl, to, room);

	if (ret > 0)
		return ret;
	if (ret == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY)
		return 0;
	/* mbedTLS returns 0 at the end of the TCP stream, which any attacker can cause. */
	return ret ? tls_convert_error(tls, ret) : -EPIPE;
}

int tls_write(struct tls *tls, const void *from, size_t len)
{
	int ret = mbedtls_ssl_write(&tls->ssl, from, len);

	return ret >= 0 ? ret : tls_convert_error(tls, ret);
}

int tls_end(struct tls *tls)
{
	int ret = mbedtls_ssl_close_notify(&tls->ssl);

	return ret ? tls_convert_error(tls, ret) : 0;
}
