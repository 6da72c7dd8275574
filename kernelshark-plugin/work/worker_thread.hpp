/* SPDX-License-Identifier: GPL-2.0 */
/*
 * worker_thread.hpp - a thread that runs jobs in order and answers only the newest question
 *
 * All jobs run, in order, before any question. Only the newest question waits: a new
 * question replaces a waiting one. A running computation checks goesOn() and the flags
 * to find out whether its result is still wanted.
 *
 * Invariant: busy() is based on the requests without an answer, counted in the owner's
 * thread. Each job, and each question that was started, calls answer() once. answer()
 * posts a call to the owner's thread.
 *
 * Only answer() and the flags may be used outside of the owner's thread.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_WORKER_THREAD_HPP
#define KERNELSHARK_PLUGIN_WORK_WORKER_THREAD_HPP

#include <atomic>
#include <deque>
#include <functional>

#include <QMutex>
#include <QObject>
#include <QThread>
#include <QWaitCondition>

class WorkerThread {
public:
	typedef std::function<void()> Job;
	typedef std::function<void(quint64 number)> Question;

	/* Answers run in the thread of @owner; so does @idle, when busy() becomes false. */
	WorkerThread(QObject *owner, const QString &name, const std::function<void()> &idle);
	/* Sets goesOn() to false and waits for the running work; starts nothing else. */
	~WorkerThread();

	void add(const Job &job);
	/* Returns the number that @question is called with; newer questions have larger numbers. */
	quint64 ask(const Question &question);
	/* Discard the answers to all previous questions. */
	void forget();
	/* Also discard the answers to questions older than @number. */
	void forgetBefore(quint64 number) { least_ = number; }
	bool wanted(quint64 number) const { return number >= least_; }

	bool busy() const { return open_ > 0; }
	/* True unless the newest question was forgotten, or answered with forgetBefore(). */
	bool waits() const { return open_ > 0 && asked_ == number_ && least_ <= number_; }

	/* Flags for the thread. A running question that was replaced is not the newest any more. */
	bool goesOn() const { return !stop_; }
	bool replaced() const { return replaced_; }
	bool forgotten() const { return forgotten_; }
	template <typename F> void answer(F signal)
	{
		QMetaObject::invokeMethod(
			owner_,
			[this, signal] {
				open_--;
				signal();
				if (!open_)
					idle_();
			},
			Qt::QueuedConnection);
	}

private:
	void run();

	QObject *owner_;
	std::function<void()> idle_;
	QThread *thread_;

	/* Protected by the lock. */
	QMutex lock_;
	QWaitCondition wake_;
	std::deque<Job> jobs_;
	Question question_;
	quint64 question_number_ = 0;

	std::atomic<bool> stop_{ false }, replaced_{ false }, forgotten_{ false };

	/* Used only by the owner's thread. */
	quint64 number_ = 0, asked_ = 0;
	quint64 least_ = 0; /* answers to older questions are discarded */
	int open_ = 0;
};

#endif
