// SPDX-License-Identifier: GPL-2.0
/* The look-alike of unicam without the media controller: the node's format is the sensor's, and sets it. */
#include <media/v4l2-event.h>
#include <media/v4l2-ioctl.h>

#include "lookalike_unicam.h"

/* The formats of the sensor's codes, packed and unpacked. */
static int enum_images(struct file *file, void *priv, struct v4l2_fmtdesc *f)
{
	struct legacy_node *node = video_drvdata(file);
	struct v4l2_subdev *sensor = node->unicam->sensor;
	struct v4l2_subdev_mbus_code_enum code = { .which = V4L2_SUBDEV_FORMAT_ACTIVE };
	const struct look_format *format;
	unsigned int place = 0;

	if (node->id != LEGACY_IMAGE)
		return -EINVAL;
	for (; !v4l2_subdev_call_state_active(sensor, pad, enum_mbus_code, &code); code.index++) {
		format = look_format_of_code(code.code, LOOK_UNICAM);
		if (!format)
			continue;
		f->pixelformat = format->fourcc;
		if (place++ == f->index)
			return 0;
		f->pixelformat = format->unpacked;
		if (format->unpacked && place++ == f->index)
			return 0;
	}
	return -EINVAL;
}

/* A flip moves the code: the fourcc follows, and stays packed or unpacked as it was. */
static int get_image(struct file *file, void *priv, struct v4l2_format *f)
{
	struct legacy_node *node = video_drvdata(file);
	struct v4l2_pix_format *pix = &node->format.fmt.pix;
	const struct look_format *before, *now;
	struct v4l2_mbus_framefmt on_pad;

	if (node->id != LEGACY_IMAGE || legacy_sensor_format(node->unicam, LEGACY_IMAGE, &on_pad))
		return -EINVAL;
	before = look_format_of_fourcc(pix->pixelformat, LOOK_UNICAM);
	now = look_format_of_code(on_pad.code, LOOK_UNICAM);
	if (!now)
		return -EINVAL;
	if (before != now)
		pix->pixelformat = before && pix->pixelformat == before->unpacked ? now->unpacked : now->fourcc;
	*f = node->format;
	return 0;
}

/* Asks the sensor, as a trial or for good, and takes what it answers. */
static int ask_sensor(struct legacy_node *node, struct v4l2_format *f, u32 which)
{
	struct legacy *unicam = node->unicam;
	struct v4l2_subdev_format wanted = { .which = which, .pad = LEGACY_IMAGE };
	struct v4l2_pix_format *pix = &f->fmt.pix;
	const struct look_format *format = look_format_of_fourcc(pix->pixelformat, LOOK_UNICAM);
	bool unpacked = format && pix->pixelformat != format->fourcc;
	int ret;

	if (node->id != LEGACY_IMAGE)
		return -EINVAL;
	v4l2_fill_mbus_format(&wanted.format, pix, format ? format->code : look_format_at(0)->code);
	wanted.format.field = V4L2_FIELD_NONE;
	if (which == V4L2_SUBDEV_FORMAT_TRY)
		ret = v4l2_subdev_call(unicam->sensor, pad, set_fmt, unicam->tried, &wanted);
	else
		ret = v4l2_subdev_call_state_active(unicam->sensor, pad, set_fmt, &wanted);
	if (ret)
		return ret;
	v4l2_fill_pix_format(pix, &wanted.format);
	format = look_format_of_code(wanted.format.code, LOOK_UNICAM);
	if (!format)
		return -EINVAL;
	pix->pixelformat = unpacked && format->unpacked ? format->unpacked : format->fourcc;
	legacy_fit_image(pix, format);
	return 0;
}

static int try_image(struct file *file, void *priv, struct v4l2_format *f)
{
	return ask_sensor(video_drvdata(file), f, V4L2_SUBDEV_FORMAT_TRY);
}

static int set_image(struct file *file, void *priv, struct v4l2_format *f)
{
	struct legacy_node *node = video_drvdata(file);
	int ret;

	if (vb2_is_busy(&node->queue))
		return -EBUSY;
	ret = ask_sensor(node, f, V4L2_SUBDEV_FORMAT_ACTIVE);
	if (!ret)
		node->format = *f;
	return ret;
}

static int enum_sizes(struct file *file, void *priv, struct v4l2_frmsizeenum *sizes)
{
	struct legacy_node *node = video_drvdata(file);
	const struct look_format *format = look_format_of_fourcc(sizes->pixel_format, LOOK_UNICAM);
	struct v4l2_subdev_frame_size_enum of_sensor = {
		.which = V4L2_SUBDEV_FORMAT_ACTIVE, .pad = LEGACY_IMAGE, .index = sizes->index,
	};
	int ret;

	if (!format || node->id != LEGACY_IMAGE)
		return -EINVAL;
	of_sensor.code = format->code;
	ret = v4l2_subdev_call_state_active(node->unicam->sensor, pad, enum_frame_size, &of_sensor);
	if (ret)
		return ret;
	sizes->type = V4L2_FRMSIZE_TYPE_DISCRETE;
	sizes->discrete.width = of_sensor.max_width;
	sizes->discrete.height = of_sensor.max_height;
	return 0;
}

static int get_selection(struct file *file, void *priv, struct v4l2_selection *selection)
{
	struct legacy_node *node = video_drvdata(file);
	struct v4l2_subdev_selection of_sensor = {
		.which = V4L2_SUBDEV_FORMAT_ACTIVE, .target = selection->target,
	};
	int ret;

	if (node->id != LEGACY_IMAGE)
		return -ENOTTY;
	ret = v4l2_subdev_call_state_active(node->unicam->sensor, pad, get_selection, &of_sensor);
	if (!ret)
		selection->r = of_sensor.r;
	return ret;
}

static int enum_input(struct file *file, void *priv, struct v4l2_input *input)
{
	if (input->index)
		return -EINVAL;
	input->type = V4L2_INPUT_TYPE_CAMERA;
	strscpy(input->name, "Camera 0", sizeof(input->name));
	return 0;
}

static int get_input(struct file *file, void *priv, unsigned int *index)
{
	*index = 0;
	return 0;
}

static int set_input(struct file *file, void *priv, unsigned int index)
{
	return index ? -EINVAL : 0;
}

const struct v4l2_ioctl_ops legacy_node_ioctl_ops = {
	.vidioc_querycap = legacy_querycap,
	.vidioc_enum_fmt_vid_cap = enum_images,
	.vidioc_g_fmt_vid_cap = get_image,
	.vidioc_s_fmt_vid_cap = set_image,
	.vidioc_try_fmt_vid_cap = try_image,
	.vidioc_enum_fmt_meta_cap = legacy_enum_metadata,
	.vidioc_g_fmt_meta_cap = legacy_get_metadata,
	.vidioc_s_fmt_meta_cap = legacy_get_metadata,
	.vidioc_try_fmt_meta_cap = legacy_get_metadata,
	.vidioc_enum_input = enum_input,
	.vidioc_g_input = get_input,
	.vidioc_s_input = set_input,
	.vidioc_enum_framesizes = enum_sizes,
	.vidioc_g_selection = get_selection,
	.vidioc_reqbufs = vb2_ioctl_reqbufs,
	.vidioc_create_bufs = vb2_ioctl_create_bufs,
	.vidioc_prepare_buf = vb2_ioctl_prepare_buf,
	.vidioc_querybuf = vb2_ioctl_querybuf,
	.vidioc_qbuf = vb2_ioctl_qbuf,
	.vidioc_dqbuf = vb2_ioctl_dqbuf,
	.vidioc_expbuf = vb2_ioctl_expbuf,
	.vidioc_streamon = vb2_ioctl_streamon,
	.vidioc_streamoff = vb2_ioctl_streamoff,
	.vidioc_subscribe_event = legacy_subscribe,
	.vidioc_unsubscribe_event = v4l2_event_unsubscribe,
};
