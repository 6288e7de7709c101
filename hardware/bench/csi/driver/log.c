// SPDX-License-Identifier: GPL-2.0
/*
 * The port as a folder of debugfs: what each frame was, and what can be changed while frames come.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "rig.h"

static struct dentry *root;

void csi_log_add(struct csi_port *port, const struct csi_truth *truth)
{
	struct csi_log_entry *entry = &port->log[port->log_count++ % CSI_LOG_FRAMES];
	const struct csi_settings *settings = &truth->settings;

	*entry = (struct csi_log_entry) {
		.start_ns = truth->frame.start_ns, .end_ns = truth->frame.end_ns, .exposure_ns = truth->exposure_ns,
		.rate = div_u64(settings->rate + settings->rate_divisor / 2, settings->rate_divisor),
		.stream = truth->stream, .number = truth->frame.number, .exposure_lines = truth->exposure_lines,
		.gain = settings->gain, .frame_length = settings->frame_length, .line_length = settings->line_length,
		.faults = truth->faults, .gain_code = settings->gain_code, .digital_code = settings->digital_code,
		.width = settings->width, .height = settings->height, .lens = settings->lens,
		.lost_writes = truth->lost_writes, .bits = settings->bits,
		.embedded_lines = truth->frame.embedded_lines, .sent = truth->sent,
	};
}

/* The last frame did not get to its end. */
void csi_log_cut(struct csi_port *port)
{
	struct csi_log_entry *entry = &port->log[(port->log_count - 1) % CSI_LOG_FRAMES];

	if (port->log_count) {
		entry->sent = 0;
		entry->faults |= BIT(CSI_FAULT_CUT);
	}
}

static void *truth_start(struct seq_file *file, loff_t *position)
{
	struct csi_port *port = file->private;

	if (!*position)
		return SEQ_START_TOKEN;
	return *position <= min_t(u32, port->log_count, CSI_LOG_FRAMES) ? position : NULL;
}

static void *truth_next(struct seq_file *file, void *item, loff_t *position)
{
	++*position;
	return truth_start(file, position);
}

static void truth_stop(struct seq_file *file, void *item)
{
}

static int truth_show(struct seq_file *file, void *item)
{
	struct csi_port *port = file->private;
	struct csi_log_entry entry;
	unsigned long flags;
	u32 first;

	if (item == SEQ_START_TOKEN) {
		seq_puts(file, "stream,number,sent,start_ns,end_ns,exposure_lines,exposure_ns,gain_code,digital_code,gain_q16,"
			       "frame_length,line_length,pixel_rate,width,height,bits,embedded_lines,lens,lost_writes,fault\n");
		return 0;
	}
	spin_lock_irqsave(&port->lock, flags);
	first = port->log_count > CSI_LOG_FRAMES ? port->log_count - CSI_LOG_FRAMES : 0;
	entry = port->log[(first + *(loff_t *)item - 1) % CSI_LOG_FRAMES];
	spin_unlock_irqrestore(&port->lock, flags);
	seq_printf(file, "%u,%u,%u,%llu,%llu,%u,%llu,%u,%u,%u,%u,%u,%llu,%u,%u,%u,%u,%u,%u,", entry.stream, entry.number,
		   entry.sent, entry.start_ns, entry.end_ns, entry.exposure_lines, entry.exposure_ns, entry.gain_code,
		   entry.digital_code, entry.gain, entry.frame_length, entry.line_length, entry.rate, entry.width,
		   entry.height, entry.bits, entry.embedded_lines, entry.lens, entry.lost_writes);
	for (int kind = 0, more = 0; kind < CSI_FAULT_KINDS; kind++)
		if (entry.faults & BIT(kind))
			seq_printf(file, "%s%s", more++ ? "+" : "", csi_fault_name(kind));
	seq_putc(file, '\n');
	return 0;
}

static const struct seq_operations truth_ops = {
	.start = truth_start, .next = truth_next, .stop = truth_stop, .show = truth_show,
};

static int truth_open(struct inode *inode, struct file *file)
{
	int result = seq_open(file, &truth_ops);

	if (!result)
		((struct seq_file *)file->private_data)->private = inode->i_private;
	return result;
}

/* Whatever is written empties the logs. */
static ssize_t truth_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct csi_port *port = ((struct seq_file *)file->private_data)->private;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	port->log_count = 0;
	port->write_count = 0;
	spin_unlock_irqrestore(&port->lock, flags);
	return size;
}

static const struct file_operations truth_file = {
	.open = truth_open, .read = seq_read, .write = truth_write, .llseek = seq_lseek, .release = seq_release,
};

/* Copies what was written, without the line's end. */
static char *written(const char __user *from, size_t size)
{
	char *text = size < 1024 ? memdup_user_nul(from, size) : ERR_PTR(-E2BIG);

	return IS_ERR(text) ? text : strim(text);
}

static int options_show(struct seq_file *file, void *item)
{
	csi_options_print(file, &((struct csi_port *)file->private)->options);
	return 0;
}

static int options_open(struct inode *inode, struct file *file)
{
	return single_open(file, options_show, inode->i_private);
}

static ssize_t options_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct csi_port *port = ((struct seq_file *)file->private_data)->private;
	struct csi_options options = port->options;
	char *text = written(from, size);
	unsigned long flags;
	int result;

	if (IS_ERR(text))
		return PTR_ERR(text);
	result = csi_options_parse(&options, text);
	kfree(text);
	if (result)
		return result;
	spin_lock_irqsave(&port->lock, flags);
	port->options = options;
	spin_unlock_irqrestore(&port->lock, flags);
	return size;
}

static const struct file_operations options_file = {
	.open = options_open, .read = seq_read, .write = options_write, .llseek = seq_lseek, .release = single_release,
};

static ssize_t faults_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct csi_port *port = file->private_data;
	struct csi_fault *faults = kcalloc(CSI_FAULTS, sizeof(*faults), GFP_KERNEL);
	char *text = written(from, size);
	unsigned long flags;
	unsigned int count;
	int result;

	if (!faults || IS_ERR(text)) {
		kfree(faults);
		return faults ? PTR_ERR(text) : -ENOMEM;
	}
	result = csi_faults_parse(faults, &count, text);
	if (!result) {
		spin_lock_irqsave(&port->lock, flags);
		memcpy(port->faults, faults, CSI_FAULTS * sizeof(*faults));
		port->fault_count = count;
		port->naks = 0;
		memset(port->lose_writes, 0, sizeof(port->lose_writes));
		spin_unlock_irqrestore(&port->lock, flags);
	}
	kfree(faults);
	kfree(text);
	return result ?: size;
}

static const struct file_operations faults_file = { .open = simple_open, .write = faults_write };

void csi_log_create(struct csi_port *port)
{
	char name[16];

	if (!root)
		root = debugfs_create_dir("framelock-csi", NULL);
	snprintf(name, sizeof(name), "port%u", port->index);
	port->folder = debugfs_create_dir(name, root);
	debugfs_create_file("truth", 0644, port->folder, port, &truth_file);
	debugfs_create_file("options", 0644, port->folder, port, &options_file);
	debugfs_create_file("faults", 0200, port->folder, port, &faults_file);
	csi_trigger_create(port);
	csi_light_create(port);
	csi_writes_create(port);
}
