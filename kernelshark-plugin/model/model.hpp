/* SPDX-License-Identifier: GPL-2.0 */
/* model.hpp - the model and what the views use of the library, which are C, for C++ */
#ifndef KERNELSHARK_PLUGIN_MODEL_MODEL_HPP
#define KERNELSHARK_PLUGIN_MODEL_MODEL_HPP

extern "C" {
#include "kernelshark-plugin/model/expression.h"
#include "kernelshark-plugin/model/key_filter.h"
#include "kernelshark-plugin/model/latency_pairs.h"
#include "kernelshark-plugin/model/panel_data.h"
#include "kernelshark-plugin/model/time_window.h"
#include "lib/analysis/percentiles.h"
#include "lib/analysis/rows.h"
#include "lib/base/csv.h"
#include "lib/base/error.h"
#include "lib/base/strbuf.h"
#include "lib/heatmap/heat_scale.h"
#include "lib/hist/key_names.h"
#include "lib/label/cut.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
}

#endif
