// SPDX-License-Identifier: GPL-2.0
/*
 * What was written to the registers of controls, and when it got there: `writes` in the port's folder.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "rig.h"

void csi_writes_add(struct csi_port *port, enum csi_control control, u16 address, const u8 *bytes, u16 count,
		    bool taken)
{
	struct csi_write *write = &port->writes[port->write_count++ % CSI_LOG_WRITES];

	*write = (struct csi_write) { .at_ns = ktime_get_ns(), .address = address, .control = control, .taken = taken };
	for (write->bytes = min_t(u16, count, 4), count = 0; count < write->bytes; count++)
		write->value = write->value << 8 | bytes[count];
}

static int writes_show(struct seq_file *file, void *item)
{
	struct csi_port *port = file->private;
	u32 count = port->write_count, index = count > CSI_LOG_WRITES ? count - CSI_LOG_WRITES : 0;

	seq_puts(file, "at_ns,control,address,bytes,value,taken\n");
	for (; index < count; index++) {
		const struct csi_write *write = &port->writes[index % CSI_LOG_WRITES];

		seq_printf(file, "%llu,%s,0x%04x,%u,0x%0*x,%u\n", write->at_ns, csi_control_name(write->control),
			   write->address, write->bytes, 2 * write->bytes, write->value, write->taken);
	}
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(writes);

void csi_writes_create(struct csi_port *port)
{
	debugfs_create_file("writes", 0444, port->folder, port, &writes_fops);
}
