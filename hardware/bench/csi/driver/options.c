// SPDX-License-Identifier: GPL-2.0
/*
 * What a port was asked to be like. The README tells the names.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "rig.h"

#define OPTION(option, field, low, high, usual) { option, offsetof(struct csi_options, field), low, high, usual }

static const struct {
	const char *name;
	size_t offset;
	u32 low, high, usual;
} option_list[] = {
	OPTION("exposure", latency[0], 0, CSI_LATENCY_MAX, 1),
	OPTION("gain", latency[1], 0, CSI_LATENCY_MAX, 0),
	OPTION("vblank", latency[2], 0, CSI_LATENCY_MAX, 0),
	OPTION("speed-ppm", speed_ppm, 1000, 16000000, 1000000),
	OPTION("scene", scene, 0, 10000000, 12000),
	OPTION("light", light, 0, 100000000, 2000000),
	OPTION("noise", noise, 0, 4096, 0),
	OPTION("seed", seed, 0, U32_MAX, 1),
	OPTION("pattern", pattern, 0, 1, 1),
	OPTION("best-focus", best_focus, 0, 1023, 400),
	OPTION("focus-width", focus_width, 1, 1023, 100),
	OPTION("absent", absent, 0, 1, 0),
	OPTION("trigger", trigger, 0, CSI_FRAME_SYNC, 0),
	OPTION("bus-khz", bus_khz, 10, 1000000, 400),
};

static u32 *option(struct csi_options *options, size_t index)
{
	return (u32 *)((u8 *)options + option_list[index].offset);
}

void csi_options_default(struct csi_options *options)
{
	for (size_t index = 0; index < ARRAY_SIZE(option_list); index++)
		*option(options, index) = option_list[index].usual;
}

static int set_option(struct csi_options *options, const char *name, const char *value)
{
	u32 number;

	for (size_t index = 0; index < ARRAY_SIZE(option_list); index++) {
		if (strcmp(option_list[index].name, name))
			continue;
		if (!value || kstrtou32(value, 10, &number) || number < option_list[index].low ||
		    number > option_list[index].high)
			return -EINVAL;
		*option(options, index) = number;
		return 0;
	}
	return -EINVAL;
}

/* NAME=VALUE,... */
int csi_options_parse(struct csi_options *options, const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL), *rest = copy, *word;
	int result = copy ? 0 : -ENOMEM;

	while (!result && (word = strsep(&rest, ","))) {
		char *value = word;

		if (!*word)
			continue;
		strsep(&value, "=");
		result = set_option(options, word, value);
	}
	kfree(copy);
	return result;
}

void csi_options_print(struct seq_file *file, const struct csi_options *options)
{
	for (size_t index = 0; index < ARRAY_SIZE(option_list); index++)
		seq_printf(file, "%s%s=%u", index ? "," : "", option_list[index].name,
			   *option((struct csi_options *)options, index));
	seq_putc(file, '\n');
}
