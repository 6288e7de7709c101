// SPDX-License-Identifier: GPL-2.0
/*
 * Lines that come from outside: what triggers a port, and what its light hangs on. A line is a file of debugfs, or the
 * output of a GPIO chip: each value that is set there is heard through the kernel's own trace event, at the very time.
 */
#include <linux/gpio/consumer.h>
#include <linux/gpio/driver.h>
#include <linux/gpio.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <trace/events/gpio.h>

#include "rig.h"

static void set(struct csi_line *line, bool level)
{
	unsigned long flags;

	spin_lock_irqsave(&line->port->lock, flags);
	line->set_level(line->port, level);
	spin_unlock_irqrestore(&line->port->lock, flags);
}

/* A GPIO's value was set or read; hears of all GPIOs. */
static void on_gpio_value(void *data, unsigned int number, int is_read, int level)
{
	struct csi_line *line = data;

	if (!is_read && number == line->gpio)
		set(line, level);
}

/* CHIP:LINE, the chip by its label. */
static int follow(struct csi_line *line, char *text)
{
	char *number = text, *label = strsep(&number, ":");
	struct gpio_device *chip = gpio_device_find_by_label(label);
	struct gpio_desc *descriptor;
	unsigned int offset;
	int result;

	if (!chip)
		return -ENODEV;
	result = kstrtouint(number, 10, &offset);
	descriptor = result ? ERR_PTR(result) : gpio_device_get_desc(chip, offset);
	if (!IS_ERR(descriptor)) {
		if (line->gpio == CSI_NO_GPIO)
			result = register_trace_gpio_value(on_gpio_value, line);
		line->gpio = desc_to_gpio(descriptor);
	}
	gpio_device_put(chip);
	return result ?: PTR_ERR_OR_ZERO(descriptor);
}

static ssize_t line_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct csi_line *line = ((struct seq_file *)file->private_data)->private;
	char *copy = size < 128 ? memdup_user_nul(from, size) : ERR_PTR(-E2BIG), *text;
	bool level;
	int result;

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	text = strim(copy);
	if (strchr(text, ':')) {
		result = follow(line, text);
	} else {
		result = kstrtobool(text, &level);
		if (!result)
			set(line, level);
	}
	kfree(copy);
	return result ?: size;
}

static int line_show(struct seq_file *file, void *item)
{
	struct csi_line *line = file->private;

	line->show(file, line->port);
	return 0;
}

static int line_open(struct inode *inode, struct file *file)
{
	return single_open(file, line_show, inode->i_private);
}

static const struct file_operations line_file = {
	.open = line_open, .read = seq_read, .write = line_write, .llseek = seq_lseek, .release = single_release,
};

void csi_line_create(struct csi_port *port, struct csi_line *line, const char *name,
		     void (*set_level)(struct csi_port *, bool), void (*show)(struct seq_file *, struct csi_port *))
{
	*line = (struct csi_line) { .port = port, .gpio = CSI_NO_GPIO, .set_level = set_level, .show = show };
	debugfs_create_file(name, 0600, port->folder, line, &line_file);
}
