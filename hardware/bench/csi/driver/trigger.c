// SPDX-License-Identifier: GPL-2.0
/*
 * Exposures by an outside signal, as imx296 has them at XTRIG: exposes while the line is low, sends the frame when it
 * goes high. Or, as ov9281 at FSIN: the rising edge starts an exposure as long as its register says, then the frame. The line is a file of debugfs, or the output of a GPIO chip: each value that is set there is heard through
 * the kernel's own trace event, at the very time.
 */
#include <linux/gpio/consumer.h>
#include <linux/gpio/driver.h>
#include <linux/gpio.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <trace/events/gpio.h>

#include "rig.h"

/* How long the sensor goes on exposing after the edge. */
#define AFTER_EDGE_NS 14260

/* With the lock held. An exposure that ends while a frame is still being sent makes none. */
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

/* A GPIO's value was set or read; hears of all GPIOs. */
static void on_gpio_value(void *data, unsigned int number, int is_read, int level)
{
	struct csi_port *port = data;
	unsigned long flags;

	if (is_read || number != port->trigger_gpio)
		return;
	spin_lock_irqsave(&port->lock, flags);
	set_level(port, level);
	spin_unlock_irqrestore(&port->lock, flags);
}

/* CHIP:LINE, the chip by its label. */
static int follow_line(struct csi_port *port, char *text)
{
	char *line = text, *label = strsep(&line, ":");
	struct gpio_device *chip = gpio_device_find_by_label(label);
	struct gpio_desc *descriptor;
	unsigned int offset;
	int result;

	if (!chip)
		return -ENODEV;
	result = kstrtouint(line, 10, &offset);
	descriptor = result ? ERR_PTR(result) : gpio_device_get_desc(chip, offset);
	if (!IS_ERR(descriptor)) {
		if (port->trigger_gpio == CSI_NO_GPIO)
			result = register_trace_gpio_value(on_gpio_value, port);
		port->trigger_gpio = desc_to_gpio(descriptor);
	}
	gpio_device_put(chip);
	return result ?: PTR_ERR_OR_ZERO(descriptor);
}

static ssize_t trigger_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct csi_port *port = ((struct seq_file *)file->private_data)->private;
	char *copy = size < 128 ? memdup_user_nul(from, size) : ERR_PTR(-E2BIG), *text;
	unsigned long flags;
	bool level;
	int result = 0;

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	text = strim(copy);
	if (strchr(text, ':')) {
		result = follow_line(port, text);
	} else {
		result = kstrtobool(text, &level);
		spin_lock_irqsave(&port->lock, flags);
		if (!result)
			set_level(port, level);
		spin_unlock_irqrestore(&port->lock, flags);
	}
	kfree(copy);
	return result ?: size;
}

static int trigger_show(struct seq_file *file, void *item)
{
	struct csi_port *port = file->private;

	seq_printf(file, "exposing=%u,ignored=%u\n", port->is_exposing, port->triggers_ignored);
	return 0;
}

static int trigger_open(struct inode *inode, struct file *file)
{
	return single_open(file, trigger_show, inode->i_private);
}

static const struct file_operations trigger_file = {
	.open = trigger_open, .read = seq_read, .write = trigger_write, .llseek = seq_lseek, .release = single_release,
};

void csi_trigger_create(struct csi_port *port)
{
	port->trigger_gpio = CSI_NO_GPIO;
	debugfs_create_file("trigger", 0600, port->folder, port, &trigger_file);
}
