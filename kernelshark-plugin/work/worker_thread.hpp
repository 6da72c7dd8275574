/* SPDX-License-Identifier: GPL-2.0 */
/*
 * worker_thread.hpp - a thread that does jobs one after another, and answers the newest question
 *
 * Jobs are all done, in their order, before any question.  Of questions the newest waits alone:
 * one that waited is dropped when another comes.  Whatever is computed asks goesOn() and the
 * flags whether it is still wanted.
 *
 * Invariant: busy() counts what was asked for and not yet answered, in the thread of the
 * owner; each job, and each question that was begun, calls answer() once, which is posted to
 * that thread as a call.
 *
 * All but answer() and the flags is of the owner's thread.
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

	/* Answers are calls in the thread of @owner; @idle is called there when busy() becomes false. */
	WorkerThread(QObject *owner, const QString &name, const std::function<void()> &idle);
	/* Waits for what is being done, which goesOn() told to end; nothing else is begun. */
	~WorkerThread();

	void add(const Job &job);
	/* The number of the question, which it is called with; larger is newer. */
	quint64 ask(const Question &question);
	/* Nobody wants answers to the questions before. */
	void forget();
	/* Nor to those older than @number. */
	void forgetBefore(quint64 number) { least_ = number; }
	bool wanted(quint64 number) const { return number >= least_; }

	bool busy() const { return open_ > 0; }
	/* The newest question was neither forgotten nor answered with forgetBefore(). */
	bool waits() const { return open_ > 0 && asked_ == number_ && least_ <= number_; }

	/* Of the thread: a question replaced while it is computed is not the newest any more. */
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

	/* Under the lock. */
	QMutex lock_;
	QWaitCondition wake_;
	std::deque<Job> jobs_;
	Question question_;
	quint64 question_number_ = 0;

	std::atomic<bool> stop_{ false }, replaced_{ false }, forgotten_{ false };

	/* Of the owner. */
	quint64 number_ = 0, asked_ = 0;
	quint64 least_ = 0; /* answers to older ones are not wanted */
	int open_ = 0;
};

#endif
