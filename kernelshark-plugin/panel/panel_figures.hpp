/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_figures.hpp - the figures that the panel shows, and the worker that makes them
 *
 * The panel asks for the figures of its newest query. The worker gets a query only if it needs
 * other snapshots than the displayed figures and the last question.
 *
 * Invariant: shown() describes data(). The two change together, and then a signal follows.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_FIGURES_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_FIGURES_HPP

#include <QMap>

#include "kernelshark-plugin/panel/panel_query.hpp"

class PanelFigures : public QObject {
	Q_OBJECT
public:
	/* @files must outlive the figures. */
	explicit PanelFigures(const Recordings *files, QObject *parent = nullptr);
	/* Ends the worker immediately, even if it is computing. */
	~PanelFigures() override { delete worker_; }

	/* Show the figures of a query, or the sentence why it is not valid. */
	void ask(const PanelQuery &wanted);
	/* Show no figures but the sentence @why. */
	void drop(const QString &why);
	/* Discard figures that were asked for and may still arrive. */
	void forget() { asked_.clear(); }
	/* Write the displayed figures to a file; written() follows. */
	void write(const QString &path, panel_data_format format);

	/* Null if a sentence is shown. */
	const PanelDataPtr &data() const { return data_; }
	/* The query of data(); not valid: a sentence. */
	const PanelQuery &shown() const { return shown_; }
	/* The file of data(); null: none, or it is not open any more. */
	const Recordings::Item *item() const;
	/* True if the events are known that data() counts. */
	bool hasEvents() const;
	/* About data(). */
	QStringList notes() const;

	bool busy() const { return worker_->busy(); }
	/* Total number of started computations. */
	quint64 begun() const { return worker_->begun(); }
	/* Progress of the running computation, in thousandths. */
	int done() const { return worker_->done(); }

signals:
	/* There are other figures, or none because of @why. */
	void changed(const QString &why);
	/* shown() describes the same figures with other words. */
	void described();
	/* @why is "" on success. */
	void written(const QString &path, const QString &why);
	/* busy() became false. */
	void settled();

private:
	void setNone(const QString &why);
	void take(quint64 number, const PanelDataPtr &made, const QString &why);

	const Recordings *files_;
	DataWorker *worker_;
	QMap<quint64, PanelQuery> asked_; /* by the number of the answer */
	PanelQuery shown_;
	PanelDataPtr data_;
};

#endif
