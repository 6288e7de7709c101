// SPDX-License-Identifier: GPL-2.0
/*
 * Exposures by an outside signal, as imx296 has them at XTRIG: exposes while the line is low, sends the frame when it
 * goes high.
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
	bool exposes = level == (port->options.trigger == 2);

	if (!port->options.trigger || !port->is_streaming || port->is_exposing == exposes)
		return;
	port->is_exposing = exposes;
	if (exposes) {
		port->exposure_start_ns = now;
	} else if (hrtimer_active(&port->end) || hrtimer_active(&port->tick)) {
		port->triggers_ignored++;
	} else {
		port->next_start_ns = now + AFTER_EDGE_NS;
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
