// SPDX-License-Identifier: GPL-2.0
/*
 * A light in front of the sensor, on while its line is high, and how much of it each row of a frame sees. A row sees it
 * for as long as its own exposure and the light's time overlap, to the nanosecond.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "rig.h"

static void set_level(struct csi_port *port, bool level)
{
	if (port->light_count ? port->light_changes[(port->light_count - 1) % CSI_LIGHT_CHANGES].is_on == level : !level)
		return;
	port->light_changes[port->light_count++ % CSI_LIGHT_CHANGES] = (struct csi_light_change) {
		.at_ns = ktime_get_ns(), .is_on = level,
	};
}

/* How long the light was on from one moment to another that has passed. */
static u64 lit_between(const struct csi_port *port, u64 from_ns, u64 to_ns)
{
	u32 kept = min_t(u32, port->light_count, CSI_LIGHT_CHANGES);
	u64 lit = 0, until = to_ns;

	for (u32 back = 1; back <= kept && until > from_ns; back++) {
		const struct csi_light_change *change =
			&port->light_changes[(port->light_count - back) % CSI_LIGHT_CHANGES];

		if (change->at_ns >= until)
			continue;
		if (change->is_on)
			lit += until - max(change->at_ns, from_ns);
		until = change->at_ns;
	}
	return lit;
}

/*
 * How long a row of the image saw the light. With a rolling shutter its exposure ends when its readout begins, one row
 * after the other behind the embedded lines; with a global one all end when the frame starts. Whole nanoseconds.
 */
u64 csi_light_of_row(const struct csi_port *port, const struct csi_truth *truth, u32 row)
{
	struct csi_settings rows = truth->settings;
	u64 end = truth->frame.start_ns;

	if (!port->model->is_global) {
		rows.rate *= rows.rows_a_line;
		end += csi_lines_ns(&rows, port->model->embedded_lines * rows.rows_a_line + row, NULL);
	}
	return lit_between(port, end > truth->exposure_ns ? end - truth->exposure_ns : 0, end);
}

/* Whether no row of a frame can have seen it. */
bool csi_light_is_off(const struct csi_port *port, const struct csi_truth *truth)
{
	u64 start = truth->frame.start_ns > truth->exposure_ns ? truth->frame.start_ns - truth->exposure_ns : 0;

	return !port->options.light || !lit_between(port, start, max(truth->frame.end_ns, truth->frame.start_ns + 1));
}

static void show(struct seq_file *file, struct csi_port *port)
{
	struct csi_light_change change;
	unsigned long flags;
	u32 kept = min_t(u32, port->light_count, CSI_LIGHT_CHANGES);

	seq_puts(file, "at_ns,is_on\n");
	for (u32 back = kept; back; back--) {
		spin_lock_irqsave(&port->lock, flags);
		change = port->light_changes[(port->light_count - back) % CSI_LIGHT_CHANGES];
		spin_unlock_irqrestore(&port->lock, flags);
		seq_printf(file, "%llu,%u\n", change.at_ns, change.is_on);
	}
}

void csi_light_create(struct csi_port *port)
{
	csi_line_create(port, &port->light, "light", set_level, show);
}
