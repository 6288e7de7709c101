// SPDX-License-Identifier: GPL-2.0
/* The formats of metadata of the look-alike of rp1-cfe. */
#include <media/v4l2-ioctl.h>

#include "lookalike_cfe.h"

#define CFE_STRIDE 16
#define CFE_MOST 16384
#define CFE_EMBEDDED_SIZE 16384
/* Of the front end's structures, whose contents nobody looks at here. */
#define CFE_STATS_SIZE 23200
#define CFE_CONFIG_SIZE 632

bool cfe_takes_metadata(const struct cfe_node *node)
{
	return cfe_node_caps(node->id) & (V4L2_CAP_META_CAPTURE | V4L2_CAP_META_OUTPUT);
}

/* Downstream every channel takes SENS alone; the mainline has line-based formats of 8, 10 and 12 bits. */
int cfe_enum_metadata(struct file *file, void *priv, struct v4l2_fmtdesc *f)
{
	static const u32 lines[] = {
		V4L2_META_FMT_GENERIC_8, V4L2_META_FMT_GENERIC_CSI2_10, V4L2_META_FMT_GENERIC_CSI2_12,
	};
	struct cfe_node *node = video_drvdata(file);

	if (!cfe_takes_metadata(node))
		return -EINVAL;
	if (cfe_is_channel(node) && node->cfe->flavour->streams) {
		if (f->index >= ARRAY_SIZE(lines))
			return -EINVAL;
		f->flags = V4L2_FMT_FLAG_META_LINE_BASED;
		f->pixelformat = lines[f->index];
		return 0;
	}
	if (f->index)
		return -EINVAL;
	f->pixelformat = node->meta.fmt.meta.dataformat;
	look_describe(f);
	return 0;
}

int cfe_get_metadata(struct file *file, void *priv, struct v4l2_format *f)
{
	struct cfe_node *node = video_drvdata(file);

	if (!cfe_takes_metadata(node))
		return -EINVAL;
	*f = node->meta;
	return 0;
}

static void try_lines(struct v4l2_meta_format *meta)
{
	const struct look_format *format = look_format_of_fourcc(meta->dataformat, LOOK_RP1);

	if (!format || !(format->flags & LOOK_META))
		format = look_format_of_fourcc(V4L2_META_FMT_GENERIC_CSI2_10, LOOK_RP1);
	meta->dataformat = format->fourcc;
	v4l_bound_align_image(&meta->width, 4, CFE_MOST, 2, &meta->height, 1, CFE_MOST, 0, 0);
	meta->bytesperline = meta->width * format->depth >> 3;
	meta->buffersize = meta->height * meta->bytesperline;
}

int cfe_try_metadata(struct cfe_node *node, struct v4l2_format *f)
{
	struct v4l2_meta_format *meta = &f->fmt.meta;

	if (!cfe_takes_metadata(node))
		return -EINVAL;
	if (node->id == CFE_FE_STATS || node->id == CFE_FE_CONFIG) {
		bool stats = node->id == CFE_FE_STATS;

		meta->dataformat = stats ? V4L2_META_FMT_RPI_FE_STATS : V4L2_META_FMT_RPI_FE_CFG;
		meta->buffersize = stats ? CFE_STATS_SIZE : CFE_CONFIG_SIZE;
	} else if (node->cfe->flavour->streams) {
		try_lines(meta);
	} else {
		meta->dataformat = V4L2_META_FMT_SENSOR_DATA;
		if (!meta->buffersize)
			meta->buffersize = CFE_EMBEDDED_SIZE;
		meta->buffersize = ALIGN(min(meta->buffersize, 0xffffff00u), CFE_STRIDE);
	}
	return 0;
}

int cfe_try_metadata_of_file(struct file *file, void *priv, struct v4l2_format *f)
{
	return cfe_try_metadata(video_drvdata(file), f);
}

int cfe_set_metadata(struct file *file, void *priv, struct v4l2_format *f)
{
	struct cfe_node *node = video_drvdata(file);
	int ret;

	if (vb2_is_busy(&node->queue))
		return -EBUSY;
	ret = cfe_try_metadata(node, f);
	if (!ret)
		node->meta = *f;
	return ret;
}
