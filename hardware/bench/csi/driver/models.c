// SPDX-License-Identifier: GPL-2.0
/*
 * The registers of the sensors: only those that are read back, or that say when frames come and what is in them.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "rig.h"

static u32 big(const u8 *registers, u16 address, int bytes)
{
	u32 value = 0;

	while (bytes--)
		value = value << 8 | registers[address++];
	return value;
}

static u32 little(const u8 *registers, u16 address, int bytes)
{
	u32 value = 0;

	while (bytes--)
		value = value << 8 | registers[address + bytes];
	return value;
}

/* A gain of so many steps, each by a factor in 1/2^32; in 1/65536. */
static u32 gain_of_steps(u32 steps, u64 factor)
{
	u64 gain = 1ULL << 32;

	for (steps = min(steps, 480U); steps; steps--)
		gain = mul_u64_u64_shr(gain, factor, 32);
	return (gain + 0x8000) >> 16;
}

#define STEP_OF_0_1_DB 4344700673ULL /* 10^(1/200) * 2^32 */
#define STEP_OF_0_3_DB 4445901753ULL /* 10^(3/200) * 2^32 */

/* ---- imx219 ---- */

static bool smia_is_streaming(const u8 *registers)
{
	return registers[0x0100] & 1;
}

static void imx219_read(const u8 *registers, struct csi_settings *settings)
{
	u32 divisor = max(big(registers, 0x0301, 1), 1U);

	settings->exposure = big(registers, 0x015a, 2);
	settings->gain_code = registers[0x0157];
	settings->digital_code = big(registers, 0x0158, 2);
	settings->gain = (256U << 8) * max_t(u32, settings->digital_code, 1) / (256 - min_t(u32, settings->gain_code, 255));
	settings->frame_length = big(registers, 0x0160, 2);
	settings->line_length = big(registers, 0x0162, 2);
	settings->rate = 24000000ULL / 3 * big(registers, 0x0306, 2) * 2 / divisor;
	/* With analogue binning two rows are read in the time of a line, which stays the unit of exposure and frame length. */
	if (registers[0x0174] == 3 && registers[0x0175] == 3)
		settings->rows_a_line = 2;
	settings->width = big(registers, 0x016c, 2);
	settings->height = big(registers, 0x016e, 2);
	settings->bits = registers[0x018c];
}

/* ---- imx477, imx708: SMIA ---- */

static void smia_read(const u8 *registers, struct csi_settings *settings)
{
	u32 shift = registers[0x3100] & 7;
	u32 divisor = max(big(registers, 0x0305, 1) * registers[0x0301] * registers[0x0303], 1U);

	settings->shift = shift;
	settings->exposure = big(registers, 0x0202, 2) << shift;
	settings->gain_code = big(registers, 0x0204, 2);
	settings->digital_code = big(registers, 0x020e, 2);
	settings->gain = div_u64(67108864ULL / 256 * max_t(u32, settings->digital_code, 1),
				 1024 - min_t(u32, settings->gain_code, 1023));
	settings->frame_length = big(registers, 0x0340, 2) << shift;
	settings->line_length = big(registers, 0x0342, 2);
	settings->rate = 24000000ULL * big(registers, 0x0306, 2) * 4 / divisor;
	settings->width = big(registers, 0x034c, 2);
	settings->height = big(registers, 0x034e, 2);
	settings->bits = registers[0x0112];
}

/* ---- imx290 ---- */

static bool imx290_is_streaming(const u8 *registers)
{
	return !(registers[0x3000] & 1) && !(registers[0x3002] & 1);
}

static void imx290_read(const u8 *registers, struct csi_settings *settings)
{
	settings->from_end = true;
	settings->exposure = little(registers, 0x3020, 3) + 1;
	settings->gain_code = registers[0x3014];
	settings->gain = gain_of_steps(settings->gain_code, STEP_OF_0_3_DB);
	settings->frame_length = little(registers, 0x3018, 3);
	settings->line_length = little(registers, 0x301c, 2);
	settings->rate = 148500000;
	settings->width = little(registers, 0x3472, 2);
	settings->height = little(registers, 0x3418, 2);
	settings->bits = registers[0x3441];
}

/* ---- imx296 ---- */

static bool imx296_is_streaming(const u8 *registers)
{
	return !(registers[0x3000] & 1) && !(registers[0x300a] & 1);
}

static void imx296_read(const u8 *registers, struct csi_settings *settings)
{
	bool has_window = registers[0x3300] & 1;

	settings->from_end = true;
	settings->exposure = little(registers, 0x308d, 3);
	settings->gain_code = little(registers, 0x3204, 2);
	settings->gain = gain_of_steps(settings->gain_code, STEP_OF_0_1_DB);
	settings->frame_length = little(registers, 0x3010, 3);
	/* The register counts a clock of 74.25 MHz; the driver counts pixels of 118.8 MHz. */
	settings->line_length = little(registers, 0x3014, 2) * 8 / 5;
	settings->rate = 118800000;
	settings->width = has_window ? little(registers, 0x3314, 2) : 1456;
	settings->height = has_window ? little(registers, 0x3316, 2) : 1088;
	if (registers[0x300d] & 0x20)
		settings->width /= 2;
	if (registers[0x300d] & 0x02)
		settings->height /= 2;
	settings->bits = 10;
}

/* ---- ov5647 ---- */

static bool ov5647_is_streaming(const u8 *registers)
{
	return (registers[0x0100] & 1) && !(registers[0x4202] & 0x0f) && !(registers[0x300d] & 1);
}

static void ov5647_read(const u8 *registers, struct csi_settings *settings)
{
	settings->exposure = big(registers, 0x3500, 3) >> 4 & 0xffff;
	settings->gain_code = big(registers, 0x350a, 2) & 0x3ff;
	settings->gain = settings->gain_code << 12;
	settings->frame_length = big(registers, 0x380e, 2);
	settings->line_length = big(registers, 0x380c, 2);
	/* 25 MHz * multiplier / 30, which is no whole number; the driver rounds it. */
	settings->rate = 2500000ULL * registers[0x3036];
	settings->rate_divisor = 3;
	settings->width = big(registers, 0x3808, 2);
	settings->height = big(registers, 0x380a, 2);
	settings->bits = 10;
}

/* ---- ov9281 ---- */

static void ov9281_read(const u8 *registers, struct csi_settings *settings)
{
	bool is_8_bit = registers[0x3662] == 0x07;

	settings->exposure = big(registers, 0x3500, 3) >> 4;
	settings->gain_code = registers[0x3509];
	settings->gain = settings->gain_code << 12;
	settings->frame_length = big(registers, 0x380e, 2);
	settings->line_length = big(registers, 0x380c, 2) * 2;
	settings->rate = is_8_bit ? 200000000 : 160000000;
	settings->width = big(registers, 0x3808, 2);
	settings->height = big(registers, 0x380a, 2);
	settings->bits = is_8_bit ? 8 : 10;
}

#define RESET(...) (const typeof(*((struct csi_model *)0)->reset)[]){ __VA_ARGS__, { 0xffff, 0, 0 } }

static const struct csi_model models[] = {
	{
		.compatible = "sony,imx219", .id = 0x0219, .black = 64, .exposure_margin = 4, .embedded_lines = 2,
		.hold = 0x0104,
		.controls = { { 0x015a, 0x015b }, { 0x0157, 0x0159 }, { 0x0160, 0x0161 }, { 0x0162, 0x0163 } },
		.reset = RESET({ 0x0000, 0x0219, 2 }),
		.is_streaming = smia_is_streaming, .read = imx219_read,
	}, {
		.compatible = "sony,imx477", .id = 0x0477, .black = 64, .exposure_margin = 22, .embedded_lines = 1,
		.hold = 0x0104,
		.controls = { { 0x0202, 0x0203 }, { 0x0204, 0x0205 }, { 0x0340, 0x0341 }, { 0x0342, 0x0343 } },
		.reset = RESET({ 0x0016, 0x0477, 2 }, { 0x020e, 0x0100, 2 }),
		.is_streaming = smia_is_streaming, .read = smia_read,
	}, {
		.compatible = "sony,imx708", .id = 0x0708, .black = 64, .exposure_margin = 48, .embedded_lines = 2,
		.hold = 0x0104,
		.controls = { { 0x0202, 0x0203 }, { 0x0204, 0x0205 }, { 0x0340, 0x0341 }, { 0x0342, 0x0343 } },
		.reset = RESET({ 0x0016, 0x0708, 2 }, { 0x020e, 0x0100, 2 }),
		.is_streaming = smia_is_streaming, .read = smia_read,
	}, {
		.compatible = "sony,imx290lqr", .id = 0x0290, .black = 60, .exposure_margin = 2, .hold = 0x3001,
		.controls = { { 0x3020, 0x3022 }, { 0x3014, 0x3014 }, { 0x3018, 0x301a }, { 0x301c, 0x301d } },
		.reset = RESET({ 0x3000, 1, 1 }, { 0x3002, 1, 1 }),
		.is_streaming = imx290_is_streaming, .read = imx290_read,
	}, {
		.compatible = "sony,imx296", .id = 0x0296, .black = 60, .exposure_extra_ns = 14260, .is_global = true,
		.hold = 0x3008,
		.controls = { { 0x308d, 0x308f }, { 0x3204, 0x3205 }, { 0x3010, 0x3012 }, { 0x3014, 0x3015 } },
		/* The chip's number lies in bits 6 to 14 of 0x3148, little-endian; 0x301e is its thermometer. */
		.reset = RESET({ 0x3000, 1, 1 }, { 0x300a, 1, 1 }, { 0x3148, 0x004a, 2 }, { 0x301e, 0xa602, 2 }),
		.is_streaming = imx296_is_streaming, .read = imx296_read,
	}, {
		.compatible = "ovti,ov5647", .id = 0x5647, .black = 16, .exposure_margin = 4,
		.controls = { { 0x3500, 0x3502 }, { 0x350a, 0x350b }, { 0x380e, 0x380f }, { 0x380c, 0x380d } },
		.reset = RESET({ 0x300a, 0x5647, 2 }, { 0x4202, 0x0f, 1 }, { 0x300d, 1, 1 }),
		.is_streaming = ov5647_is_streaming, .read = ov5647_read,
	}, {
		.compatible = "ovti,ov9281", .id = 0x9281, .black = 64, .exposure_margin = 25, .is_global = true,
		.hold = 0x3308,
		.controls = { { 0x3500, 0x3502 }, { 0x3509, 0x3509 }, { 0x380e, 0x380f }, { 0x380c, 0x380d } },
		.reset = RESET({ 0x300a, 0x9281, 2 }),
		.is_streaming = smia_is_streaming, .read = ov9281_read,
	},
};

const struct csi_model *csi_model_find(const char *compatible)
{
	for (size_t index = 0; index < ARRAY_SIZE(models); index++)
		if (!strcmp(models[index].compatible, compatible))
			return &models[index];
	return NULL;
}
