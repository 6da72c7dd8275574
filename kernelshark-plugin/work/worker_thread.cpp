// SPDX-License-Identifier: GPL-2.0
/* worker_thread.cpp - a thread that runs jobs in order and answers only the newest question */
#include <utility>

#include "kernelshark-plugin/work/worker_thread.hpp"

void WorkerThread::run()
{
	QMutexLocker locked(&lock_);

	while (!stop_) {
		if (!jobs_.empty()) {
			Job job = std::move(jobs_.front());

			jobs_.pop_front();
			locked.unlock();
			job();
			/* it may own the last reference to a file: destroy it without the lock */
			job = nullptr;
			locked.relock();
		} else if (question_) {
			Question question;
			const quint64 number = question_number_;

			question.swap(question_);
			replaced_ = false;
			forgotten_ = false;
			done_ = 0;
			begun_++;
			locked.unlock();
			question(number);
			question = nullptr;
			locked.relock();
		} else {
			wake_.wait(&lock_);
		}
	}
}

WorkerThread::WorkerThread(QObject *parent, const QString &name)
	: QObject(parent), thread_(QThread::create([this] { run(); }))
{
	thread_->setObjectName(name);
	thread_->start(QThread::LowPriority);
}

void WorkerThread::stop()
{
	{
		QMutexLocker locked(&lock_);

		stop_ = true;
		wake_.wakeAll();
	}
	thread_->wait();
	delete thread_;
}

void WorkerThread::add(const Job &job)
{
	QMutexLocker locked(&lock_);

	jobs_.push_back(job);
	open_++;
	wake_.wakeAll();
}

quint64 WorkerThread::post(const Question &question)
{
	QMutexLocker locked(&lock_);

	if (!question_)
		open_++;
	question_ = question;
	question_number_ = ++number_;
	replaced_ = true;
	wake_.wakeAll();
	return number_;
}

void WorkerThread::forget()
{
	Question dropped;
	bool ends;

	{
		QMutexLocker locked(&lock_);

		ends = question_ && open_ == 1;
		if (question_)
			open_--;
		question_.swap(dropped);
		forgotten_ = true;
		least_ = ++number_;
	}
	if (ends)
		emit idle();
}
