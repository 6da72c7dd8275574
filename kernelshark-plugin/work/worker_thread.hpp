/* SPDX-License-Identifier: GPL-2.0 */
/*
 * worker_thread.hpp - a thread that runs jobs in order and answers only the newest question
 *
 * All jobs run, in order, before any question. Only the newest question waits: a new
 * question replaces a waiting one. A running computation checks goesOn() and the flags
 * to find out whether its result is still wanted.
 *
 * Invariant: busy() is based on the requests without an answer, counted in the thread
 * that created the worker. Each job, and each question that was started, calls answer()
 * once. answer() posts a call to this thread.
 *
 * Only answer(), done_ and the flags may be used outside of the thread that created the
 * worker.
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

class WorkerThread : public QObject {
	Q_OBJECT
public:
	/* True if anything waits, is running, or its signal has not been sent yet. */
	bool busy() const { return open_ > 0; }
	/* Discard the answers to all previous questions, and cancel the running one. */
	void forget();
	/* Total number of started questions. */
	quint64 begun() const { return begun_; }
	/* Progress of the running question, in thousandths. */
	int done() const { return done_; }

signals:
	/* busy() became false. */
	void idle();

protected:
	typedef std::function<void()> Job;
	typedef std::function<void(quint64 number)> Question;

	WorkerThread(QObject *parent, const QString &name);
	/*
	 * Set goesOn() to false and wait for the running work; start nothing else. The
	 * destructor of the derived class must call this before its members are gone.
	 */
	void stop();

	void add(const Job &job);
	/* Returns the number that @question is called with; newer questions have larger numbers. */
	quint64 post(const Question &question);
	/* Also discard the answers to questions older than @number. */
	void forgetBefore(quint64 number) { least_ = number; }
	bool wanted(quint64 number) const { return number >= least_; }

	/* Flags for the thread. A running question that was replaced is not the newest any more. */
	bool goesOn() const { return !stop_; }
	bool replaced() const { return replaced_; }
	bool forgotten() const { return forgotten_; }
	template <typename F> void answer(F signal)
	{
		QMetaObject::invokeMethod(
			this,
			[this, signal] {
				open_--;
				signal();
				if (!open_)
					emit idle();
			},
			Qt::QueuedConnection);
	}

	std::atomic<int> done_{ 0 };

private:
	void run();

	QThread *thread_;

	/* Protected by the lock. */
	QMutex lock_;
	QWaitCondition wake_;
	std::deque<Job> jobs_;
	Question question_;
	quint64 question_number_ = 0;

	std::atomic<quint64> begun_{ 0 };
	std::atomic<bool> stop_{ false }, replaced_{ false }, forgotten_{ false };

	/* Used only by the thread that created the worker. */
	quint64 number_ = 0;
	quint64 least_ = 0; /* answers to older questions are discarded */
	int open_ = 0;
};

#endif
