// SPDX-License-Identifier: GPL-2.0
/* The formats of the look-alike receivers, in the order in which the originals list them. */
#include <linux/string.h>

#include "lookalike.h"

#define ALL (LOOK_CFE | LOOK_RP1 | LOOK_UNICAM)
#define CFES (LOOK_CFE | LOOK_RP1)

/* The bus codes of compressed images exist downstream only; their numbers there are not known here. */
#define COMPRESSED_CODE(n) (0x5f00 + (n))

#define BAYER8(order) { MEDIA_BUS_FMT_S##order##8_1X8, V4L2_PIX_FMT_S##order##8, 0, 0, 0, 8, ALL }
#define BAYER(order, bits) \
	{ MEDIA_BUS_FMT_S##order##bits##_1X##bits, V4L2_PIX_FMT_S##order##bits##P, V4L2_PIX_FMT_S##order##bits, \
	  V4L2_PIX_FMT_S##order##16, V4L2_PIX_FMT_PISP_COMP1_##order, bits, ALL }
#define BAYER16(order) \
	{ MEDIA_BUS_FMT_S##order##16_1X16, V4L2_PIX_FMT_S##order##16, 0, 0, 0, 16, CFES | LOOK_FRONT_END }
#define COMPRESSED(order, n) \
	{ COMPRESSED_CODE(n), V4L2_PIX_FMT_PISP_COMP1_##order, 0, 0, 0, 8, LOOK_CFE | LOOK_FRONT_END }, \
	{ MEDIA_BUS_FMT_S##order##16_1X16, V4L2_PIX_FMT_PISP_COMP1_##order, 0, 0, 0, 8, LOOK_RP1 | LOOK_FRONT_END }
#define GREY(bits) \
	{ MEDIA_BUS_FMT_Y##bits##_1X##bits, V4L2_PIX_FMT_Y##bits##P, V4L2_PIX_FMT_Y##bits, V4L2_PIX_FMT_Y16, \
	  V4L2_PIX_FMT_PISP_COMP1_MONO, bits, ALL }

static const struct look_format formats[] = {
	{ MEDIA_BUS_FMT_YUYV8_1X16, V4L2_PIX_FMT_YUYV, 0, 0, 0, 16, ALL },
	{ MEDIA_BUS_FMT_UYVY8_1X16, V4L2_PIX_FMT_UYVY, 0, 0, 0, 16, ALL },
	{ MEDIA_BUS_FMT_YVYU8_1X16, V4L2_PIX_FMT_YVYU, 0, 0, 0, 16, ALL },
	{ MEDIA_BUS_FMT_VYUY8_1X16, V4L2_PIX_FMT_VYUY, 0, 0, 0, 16, ALL },
	{ MEDIA_BUS_FMT_RGB565_2X8_LE, V4L2_PIX_FMT_RGB565, 0, 0, 0, 16, ALL },
	{ MEDIA_BUS_FMT_RGB888_1X24, V4L2_PIX_FMT_RGB24, 0, 0, 0, 24, ALL },
	{ MEDIA_BUS_FMT_BGR888_1X24, V4L2_PIX_FMT_BGR24, 0, 0, 0, 24, ALL },
	BAYER8(BGGR), BAYER8(GBRG), BAYER8(GRBG), BAYER8(RGGB),
	BAYER(BGGR, 10), BAYER(GBRG, 10), BAYER(GRBG, 10), BAYER(RGGB, 10),
	BAYER(BGGR, 12), BAYER(GBRG, 12), BAYER(GRBG, 12), BAYER(RGGB, 12),
	BAYER(BGGR, 14), BAYER(GBRG, 14), BAYER(GRBG, 14), BAYER(RGGB, 14),
	BAYER16(BGGR), BAYER16(GBRG), BAYER16(GRBG), BAYER16(RGGB),
	COMPRESSED(RGGB, 1), COMPRESSED(BGGR, 2), COMPRESSED(GBRG, 3), COMPRESSED(GRBG, 4),
	{ MEDIA_BUS_FMT_Y8_1X8, V4L2_PIX_FMT_GREY, 0, 0, 0, 8, ALL },
	GREY(10), GREY(12), GREY(14),
	{ MEDIA_BUS_FMT_Y16_1X16, V4L2_PIX_FMT_Y16, 0, 0, 0, 16, CFES | LOOK_FRONT_END },
	{ MEDIA_BUS_FMT_Y16_1X16, V4L2_PIX_FMT_PISP_COMP1_MONO, 0, 0, 0, 8, CFES | LOOK_FRONT_END },
	{ MEDIA_BUS_FMT_SENSOR_DATA, V4L2_META_FMT_SENSOR_DATA, 0, 0, 0, 8, LOOK_CFE | LOOK_UNICAM | LOOK_META },
	{ MEDIA_BUS_FMT_META_8, V4L2_META_FMT_GENERIC_8, 0, 0, 0, 8, LOOK_RP1 | LOOK_META },
	{ MEDIA_BUS_FMT_META_10, V4L2_META_FMT_GENERIC_CSI2_10, 0, 0, 0, 10, LOOK_RP1 | LOOK_META },
	{ MEDIA_BUS_FMT_META_12, V4L2_META_FMT_GENERIC_CSI2_12, 0, 0, 0, 12, LOOK_RP1 | LOOK_META },
};

const struct look_format *look_format_at(unsigned int index)
{
	return index < ARRAY_SIZE(formats) ? &formats[index] : NULL;
}

const struct look_format *look_format_of_code(u32 code, unsigned int where)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].code == code && formats[i].flags & where)
			return &formats[i];
	return NULL;
}

const struct look_format *look_format_of_fourcc(u32 fourcc, unsigned int where)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!(formats[i].flags & where))
			continue;
		if (formats[i].fourcc == fourcc)
			return &formats[i];
		if (where == LOOK_UNICAM && fourcc && formats[i].unpacked == fourcc)
			return &formats[i];
	}
	return NULL;
}

bool look_is_metadata(u32 code)
{
	return code == MEDIA_BUS_FMT_SENSOR_DATA || code == MEDIA_BUS_FMT_META_8 || code == MEDIA_BUS_FMT_META_10 ||
	       code == MEDIA_BUS_FMT_META_12;
}

void look_describe(struct v4l2_fmtdesc *f)
{
	if (f->pixelformat == V4L2_META_FMT_SENSOR_DATA)
		strscpy(f->description, "Sensor Ancillary Metadata", sizeof(f->description));
	if (f->pixelformat == V4L2_META_FMT_RPI_FE_CFG)
		strscpy(f->description, "RPi PiSP FE Config format", sizeof(f->description));
	if (f->pixelformat == V4L2_META_FMT_RPI_FE_STATS)
		strscpy(f->description, "RPi PiSP FE Statistics format", sizeof(f->description));
}
