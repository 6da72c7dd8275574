// SPDX-License-Identifier: GPL-2.0
/*
 * expression_worker.cpp - a thread that counts the events of files
 *
 * A query that was replaced or cancelled is answered without a signal.
 */
#include <cerrno>

#include "kernelshark-plugin/work/chart_text.hpp"
#include "kernelshark-plugin/work/expression_worker.hpp"

ExpressionWorker::ExpressionWorker(QObject *parent)
	: WorkerThread(parent, QStringLiteral("hist-expression"))
{
}

bool ExpressionWorker::progress(void *data, unsigned int done, uint64_t hits)
{
	ExpressionWorker *w = static_cast<ExpressionWorker *>(data);

	w->done_ = int(done);
	w->hits_ = hits;
	return w->goesOn() && !w->replaced() && !w->forgotten();
}

/* Convert an error to "PROBLEM: HINT", as on the command line, with its position in characters. */
static ExpressionError wrong(const QByteArray &text, const hist_error &e, int ret)
{
	ExpressionError error;

	error.what = QString::fromUtf8(hist_error_what(&e, ret));
	if (e.hint[0])
		error.what += QLatin1String(": ") + QString::fromUtf8(e.hint);
	error.start = int(QString::fromUtf8(text.left(int(e.at.start))).size());
	error.length = int(QString::fromUtf8(text.mid(int(e.at.start), int(e.at.len))).size());
	return error;
}

CountedPtr ExpressionWorker::make(const ExpressionQuery &query, int *ret, ExpressionError *error)
{
	std::shared_ptr<Counted> counted;
	expression_result result = {};
	expression *e = nullptr;
	hist_error refusal = {};
	char words[256];
	unsigned int i;

	*ret = expression_parse(&e, query.events.get(), query.buffer, query.text.constData(),
				&refusal);
	if (*ret) {
		*error = wrong(query.text, refusal, *ret);
		return counted;
	}
	*ret = expression_count(e, &query.window, progress, this, &result, &refusal);
	if (*ret) {
		error->what = QString::fromUtf8(hist_error_what(&refusal, *ret));
	} else {
		counted = std::make_shared<Counted>();
		counted->query = query;
		counted->recording.reset(result.recording, recording_unref);
		for (i = 0; i < result.recording->count; i++) {
			TextBuffer text;

			expression_describe(text, i, &query.window, &result);
			counted->words << text.text();
		}
		for (i = 0; expression_get_note(&result, i, words, sizeof(words)); i++)
			counted->notes << QString::fromUtf8(words);
	}
	expression_free(e);
	return counted;
}

void ExpressionWorker::count(const ExpressionQuery &query, quint64 number)
{
	ExpressionError error;
	CountedPtr made;
	int ret = 0;

	hits_ = 0;
	made = make(query, &ret, &error);
	answer([this, number, made, error, ret] {
		if (ret == -ECANCELED || !wanted(number))
			return;
		forgetBefore(number + 1);
		emit counted(number, made, error);
	});
}

quint64 ExpressionWorker::ask(const ExpressionQuery &query)
{
	const quint64 number = post([this, query](quint64 n) { count(query, n); });

	forgetBefore(number);
	return number;
}
