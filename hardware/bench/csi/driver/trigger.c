// SPDX-License-Identifier: GPL-2.0
/*
 * Exposures by an outside signal, as imx296 has them at XTRIG: exposes while the line is low, sends the frame when it
 * goes high. Or, as ov9281 at FSIN: the rising edge starts an exposure as long as its register says, then the frame.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "rig.h"

/* How long the sensor goes on exposing after the edge. */
#define AFTER_EDGE_NS 14260

/* An exposure that ends while a frame is still being sent makes none. */
static void set_level(struct csi_port *port, bool level)
{
	u64 now = ktime_get_ns();
	bool exposes = level == (port->options.trigger != 1), is_busy;

	if (!port->options.trigger || !port->is_streaming || port->is_exposing == exposes)
		return;
	port->is_exposing = exposes;
	is_busy = hrtimer_active(&port->end) || hrtimer_active(&port->tick);
	if (exposes && port->options.trigger != CSI_FRAME_SYNC) {
		port->exposure_start_ns = now;
	} else if (exposes == (port->options.trigger == CSI_FRAME_SYNC)) {
		if (is_busy) {
			port->triggers_ignored++;
			return;
		}
		port->next_start_ns = now + (exposes ? csi_engine_exposure_ns(port) : AFTER_EDGE_NS);
		hrtimer_start(&port->tick, ns_to_ktime(port->next_start_ns), HRTIMER_MODE_ABS_HARD);
	}
}

static void show(struct seq_file *file, struct csi_port *port)
{
	seq_printf(file, "exposing=%u,ignored=%u\n", port->is_exposing, port->triggers_ignored);
}

void csi_trigger_create(struct csi_port *port)
{
	csi_line_create(port, &port->trigger, "trigger", set_level, show);
}
