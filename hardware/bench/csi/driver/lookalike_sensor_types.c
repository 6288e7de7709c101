// SPDX-License-Identifier: GPL-2.0
/* The sensors that the look-alike drivers know: modes, limits, and the registers that choose a mode. */
#include "lookalike_sensor.h"

#define RECT(l, t, w, h) { .left = (l), .top = (t), .width = (w), .height = (h) }
#define FLIPS(bits) \
	MEDIA_BUS_FMT_SRGGB##bits, MEDIA_BUS_FMT_SGRBG##bits, MEDIA_BUS_FMT_SGBRG##bits, MEDIA_BUS_FMT_SBGGR##bits

struct setting {
	u16 address;
	u8 bytes;
	u32 value;
};

static int write_all(struct look_sensor *sensor, const struct setting *settings, unsigned int count)
{
	int ret = 0;

	for (unsigned int i = 0; i < count && !ret; i++)
		ret = look_sensor_write(sensor, settings[i].address, settings[i].bytes, settings[i].value);
	return ret;
}

static u8 bits_of(const struct look_sensor *sensor)
{
	return look_format_of_code(sensor->code, LOOK_CFE)->depth;
}

/* ---- imx219 ---- */

static const u32 imx219_codes[] = { FLIPS(10_1X10), FLIPS(8_1X8) };

#define IMX219(w, h, l, t, cw, ch, usual, bin, factor) \
	{ .width = w, .height = h, .crop = RECT(l, t, cw, ch), .binning = bin, .line = 3448, .frame_least = h + 32, \
	  .frame_usual = usual, .pixel_rate = 182400000 * factor, .exposure_least = 4, .exposure_step = 1, \
	  .rate_factor = factor }

static const struct look_mode imx219_modes[] = {
	IMX219(3280, 2464, 8, 8, 3280, 2464, 3526, 1, 1),
	IMX219(1920, 1080, 688, 700, 1920, 1080, 1763, 1, 1),
	IMX219(1640, 1232, 8, 8, 3280, 2464, 1763, 2, 1),
	IMX219(640, 480, 1008, 760, 1280, 960, 1763, 2, 2),
};

static int imx219_write_mode(struct look_sensor *sensor)
{
	const struct look_mode *mode = sensor->mode;
	/* The driver counts two lines as one where it bins on the analogue side at both depths. */
	u8 bits = bits_of(sensor), bin = mode->binning == 1 ? 0 : bits == 8 || mode->rate_factor == 2 ? 3 : 1;
	const struct setting settings[] = {
		{ 0x0100, 1, 0 }, { 0x0114, 1, 1 }, { 0x0128, 1, 0 }, { 0x012a, 2, 0x1800 },
		{ 0x0301, 1, 5 }, { 0x0303, 1, 1 }, { 0x0304, 1, 3 }, { 0x0305, 1, 3 }, { 0x0306, 2, 57 },
		{ 0x0309, 1, bits }, { 0x030b, 1, 1 }, { 0x030c, 2, 114 },
		{ 0x0164, 2, mode->crop.left - 8 }, { 0x0166, 2, mode->crop.left - 8 + mode->crop.width - 1 },
		{ 0x0168, 2, mode->crop.top - 8 }, { 0x016a, 2, mode->crop.top - 8 + mode->crop.height - 1 },
		{ 0x016c, 2, mode->width }, { 0x016e, 2, mode->height }, { 0x0170, 1, 1 }, { 0x0171, 1, 1 },
		{ 0x0174, 2, bin << 8 | bin }, { 0x018c, 2, bits << 8 | bits },
	};

	return write_all(sensor, settings, ARRAY_SIZE(settings));
}

const struct look_sensor_type look_imx219 = {
	.name = "imx219", .id_register = 0x0000, .id = 0x0219,
	.native = RECT(0, 0, 3296, 2480), .active = RECT(8, 8, 3280, 2464),
	.codes = imx219_codes, .code_count = ARRAY_SIZE(imx219_codes),
	.modes = imx219_modes, .mode_count = ARRAY_SIZE(imx219_modes),
	.embedded_width = 16384, .embedded_height = 1, .link_frequency = 456000000,
	.exposure = 0x015a, .gain = 0x0157, .gain_bytes = 1, .digital_gain = 0x0158, .frame_length = 0x0160,
	.line_length = 0x0162, .orientation = 0x0172,
	.frame_most = 0xffff, .line_most = 0x7ff0, .margin = 4,
	.gain_most = 232, .digital_most = 0x0fff, .exposure_least = 4, .test_colour_most = 0x03ff,
	.keeps_line = true, .power_on_us = 6200,
	.write_mode = imx219_write_mode,
};

/* ---- imx477 and imx708: SMIA ---- */

static int smia_write_mode(struct look_sensor *sensor)
{
	const struct look_mode *mode = sensor->mode;
	const struct v4l2_rect *active = &sensor->type->active;
	u32 left = mode->crop.left - active->left, top = mode->crop.top - active->top;
	u8 bits = bits_of(sensor);
	const struct setting settings[] = {
		{ 0x0136, 2, 0x1800 }, { 0x0114, 1, 1 }, { 0x0112, 2, bits << 8 | bits },
		{ 0x0342, 2, mode->line }, { 0x0340, 2, mode->frame_usual },
		{ 0x0344, 2, left }, { 0x0346, 2, top },
		{ 0x0348, 2, left + mode->crop.width - 1 }, { 0x034a, 2, top + mode->crop.height - 1 },
		{ 0x0900, 1, mode->binning > 1 }, { 0x0901, 1, mode->binning << 4 | mode->binning },
		{ 0x040c, 2, mode->width }, { 0x040e, 2, mode->height },
		{ 0x034c, 2, mode->width }, { 0x034e, 2, mode->height },
		{ 0x0301, 1, 5 }, { 0x0303, 1, 2 }, { 0x0305, 1, mode->divisor }, { 0x0306, 2, mode->multiplier },
	};

	return write_all(sensor, settings, ARRAY_SIZE(settings));
}

static const u32 imx477_codes[] = { FLIPS(12_1X12), FLIPS(10_1X10) };

/* The shortest and the usual frame follow from rates: 840 million pixels a second, so many lines of so many pixels. */
#define IMX477(w, h, l, t, cw, ch, b, bin, length, most_fps, usual_fps, mul, div) \
	{ .width = w, .height = h, .crop = RECT(l, t, cw, ch), .bits = b, .binning = bin, .line = length, \
	  .frame_least = 840000000 / (most_fps) / (length), .frame_usual = 840000000 / (usual_fps) / (length), \
	  .pixel_rate = 840000000, .exposure_least = 4, .exposure_step = 1, .multiplier = mul, .divisor = div, \
	  .rate_factor = 1 }

static const struct look_mode imx477_modes[] = {
	IMX477(4056, 3040, 8, 16, 4056, 3040, 12, 1, 24000, 10, 10, 350, 4),
	IMX477(2028, 1520, 8, 16, 4056, 3040, 12, 2, 12740, 40, 30, 350, 4),
	IMX477(2028, 1080, 8, 456, 4056, 2160, 12, 2, 12740, 50, 30, 350, 4),
	IMX477(1332, 990, 704, 544, 2664, 1980, 10, 2, 6664, 120, 120, 175, 2),
};

const struct look_sensor_type look_imx477 = {
	.name = "imx477", .id_register = 0x0016, .id = 0x0477,
	.native = RECT(0, 0, 4072, 3176), .active = RECT(8, 16, 4056, 3040),
	.codes = imx477_codes, .code_count = ARRAY_SIZE(imx477_codes),
	.modes = imx477_modes, .mode_count = ARRAY_SIZE(imx477_modes),
	.embedded_width = 16384, .embedded_height = 1, .link_frequency = 450000000,
	.exposure = 0x0202, .gain = 0x0204, .gain_bytes = 2, .digital_gain = 0x020e, .frame_length = 0x0340,
	.line_length = 0x0342, .orientation = 0x0101,
	.frame_most = 0xffdc, .frame_shift = 7, .line_most = 0xfff0, .margin = 22,
	.gain_most = 978, .digital_most = 0xffff, .exposure_least = 4, .test_colour_most = 0x0fff,
	.power_on_us = 8000,
	.write_mode = smia_write_mode,
};

static const u32 imx708_codes[] = { FLIPS(10_1X10) };

#define IMX708(w, h, l, t, cw, ch, bin, length, least, usual, rate, shortest, step, mul) \
	{ .width = w, .height = h, .crop = RECT(l, t, cw, ch), .bits = 10, .binning = bin, .line = length, \
	  .frame_least = h + (least), .frame_usual = h + (usual), .pixel_rate = rate, .exposure_least = shortest, \
	  .exposure_step = step, .multiplier = mul, .divisor = 2, .rate_factor = 1 }

static const struct look_mode imx708_modes[] = {
	IMX708(4608, 2592, 16, 24, 4608, 2592, 1, 15648, 58, 58, 595200000, 8, 1, 124),
	IMX708(2304, 1296, 16, 24, 4608, 2592, 2, 7824, 40, 1198, 585600000, 4, 2, 122),
	IMX708(1536, 864, 784, 456, 3072, 1728, 2, 5216, 40, 2755, 566400000, 4, 2, 118),
};

static const struct look_mode imx708_wide_range_modes[] = {
	IMX708(2304, 1296, 16, 24, 4608, 2592, 1, 5216, 3673, 3673, 777600000, 128, 32, 162),
};

const struct look_sensor_type look_imx708 = {
	.name = "imx708", .id_register = 0x0016, .id = 0x0708,
	.native = RECT(0, 0, 4640, 2658), .active = RECT(16, 24, 4608, 2592),
	.codes = imx708_codes, .code_count = ARRAY_SIZE(imx708_codes),
	.modes = imx708_modes, .mode_count = ARRAY_SIZE(imx708_modes),
	.wide_range_modes = imx708_wide_range_modes, .wide_range_mode_count = ARRAY_SIZE(imx708_wide_range_modes),
	.embedded_width = 5 * 5760, .embedded_height = 1, .link_frequency = 450000000,
	.exposure = 0x0202, .gain = 0x0204, .gain_bytes = 2, .digital_gain = 0x020e, .frame_length = 0x0340,
	.line_length = 0x0342, .orientation = 0x0101,
	.frame_most = 0xffff, .frame_shift = 7, .margin = 48,
	.gain_least = 112, .gain_most = 960, .digital_most = 0xffff, .exposure_least = 1, .test_colour_most = 0x0fff,
	.keeps_vblank = true, .has_colour_gains = true, .has_wide_range = true, .power_on_us = 8000,
	.write_mode = smia_write_mode,
};
