// SPDX-License-Identifier: GPL-2.0
/* The formats of the look-alike of unicam, in both ways of use, and what a link demands. */
#include <media/v4l2-ctrls.h>
#include <media/v4l2-event.h>
#include <media/v4l2-ioctl.h>

#include "lookalike_unicam.h"

#define LEGACY_STRIDE 32
#define LEGACY_STRIDE_MOST ((1U << 16) - LEGACY_STRIDE)
#define LEGACY_MOST (LEGACY_STRIDE_MOST / 4)
#define LEGACY_LEAST 16

u32 legacy_buffer_size(const struct legacy_node *node)
{
	return node->id == LEGACY_IMAGE ? node->format.fmt.pix.sizeimage : node->format.fmt.meta.buffersize;
}

void legacy_fit_image(struct v4l2_pix_format *pix, const struct look_format *format)
{
	u32 bits = pix->pixelformat == format->fourcc ? format->depth : 16;
	u32 least;

	v4l_bound_align_image(&pix->width, LEGACY_LEAST, LEGACY_MOST, 2, &pix->height, LEGACY_LEAST, LEGACY_MOST, 0,
			      0);
	least = ALIGN(pix->width * bits >> 3, LEGACY_STRIDE);
	pix->bytesperline = pix->bytesperline > least && pix->bytesperline <= LEGACY_STRIDE_MOST ?
			    ALIGN(pix->bytesperline, LEGACY_STRIDE) : least;
	pix->sizeimage = pix->height * pix->bytesperline;
}

int legacy_sensor_format(struct legacy *unicam, enum legacy_node_id pad, struct v4l2_mbus_framefmt *format)
{
	struct v4l2_subdev_format wanted = { .which = V4L2_SUBDEV_FORMAT_ACTIVE, .pad = pad };
	int ret = v4l2_subdev_call_state_active(unicam->sensor, pad, get_fmt, &wanted);

	*format = wanted.format;
	return ret;
}

int legacy_querycap(struct file *file, void *priv, struct v4l2_capability *cap)
{
	strscpy(cap->driver, "unicam", sizeof(cap->driver));
	strscpy(cap->card, "unicam", sizeof(cap->card));
	cap->capabilities |= V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE;
	return 0;
}

int legacy_subscribe(struct v4l2_fh *fh, const struct v4l2_event_subscription *wanted)
{
	if (wanted->type == V4L2_EVENT_FRAME_SYNC)
		return v4l2_event_subscribe(fh, wanted, 2, NULL);
	if (wanted->type == V4L2_EVENT_SOURCE_CHANGE)
		return v4l2_event_subscribe(fh, wanted, 4, NULL);
	return v4l2_ctrl_subscribe_event(fh, wanted);
}

int legacy_enum_metadata(struct file *file, void *priv, struct v4l2_fmtdesc *f)
{
	struct legacy_node *node = video_drvdata(file);

	if (node->id != LEGACY_EMBEDDED || f->index)
		return -EINVAL;
	f->pixelformat = V4L2_META_FMT_SENSOR_DATA;
	look_describe(f);
	return 0;
}

/* Also the answer to those who want to set or try one: it is fixed. */
int legacy_get_metadata(struct file *file, void *priv, struct v4l2_format *f)
{
	struct legacy_node *node = video_drvdata(file);

	if (node->id != LEGACY_EMBEDDED)
		return -EINVAL;
	*f = node->format;
	return 0;
}

/* Each format packed and, where there is one, unpacked; whatever the sensor has. */
static int enum_images(struct file *file, void *priv, struct v4l2_fmtdesc *f)
{
	struct legacy_node *node = video_drvdata(file);
	const struct look_format *format;
	unsigned int place = 0;

	if (node->id != LEGACY_IMAGE)
		return -EINVAL;
	for (unsigned int i = 0; (format = look_format_at(i)); i++) {
		if (!(format->flags & LOOK_UNICAM) || format->flags & LOOK_META)
			continue;
		if (f->mbus_code && format->code != f->mbus_code)
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

static int get_image(struct file *file, void *priv, struct v4l2_format *f)
{
	struct legacy_node *node = video_drvdata(file);

	if (node->id != LEGACY_IMAGE)
		return -EINVAL;
	*f = node->format;
	return 0;
}

static int try_image(struct file *file, void *priv, struct v4l2_format *f)
{
	struct legacy_node *node = video_drvdata(file);
	struct v4l2_pix_format *pix = &f->fmt.pix;
	const struct look_format *format;

	if (node->id != LEGACY_IMAGE)
		return -EINVAL;
	format = look_format_of_fourcc(pix->pixelformat, LOOK_UNICAM);
	if (!format) {
		format = look_format_at(0);
		pix->pixelformat = format->fourcc;
	}
	if (pix->field == V4L2_FIELD_ANY)
		pix->field = V4L2_FIELD_NONE;
	legacy_fit_image(pix, format);
	return 0;
}

static int set_image(struct file *file, void *priv, struct v4l2_format *f)
{
	struct legacy_node *node = video_drvdata(file);
	int ret;

	if (vb2_is_busy(&node->queue))
		return -EBUSY;
	ret = try_image(file, priv, f);
	if (!ret)
		node->format = *f;
	return ret;
}

static int enum_sizes(struct file *file, void *priv, struct v4l2_frmsizeenum *sizes)
{
	if (sizes->index || !look_format_of_fourcc(sizes->pixel_format, LOOK_UNICAM))
		return -EINVAL;
	sizes->type = V4L2_FRMSIZE_TYPE_STEPWISE;
	sizes->stepwise = (struct v4l2_frmsize_stepwise) {
		.min_width = LEGACY_LEAST, .max_width = LEGACY_MOST, .step_width = 1,
		.min_height = LEGACY_LEAST, .max_height = LEGACY_MOST, .step_height = 1,
	};
	return 0;
}

/* The node must have the sensor's size, and one of the two formats of its code; the metadata's all bytes of the pad. */
static int check_link(struct media_link *link)
{
	struct video_device *vdev = media_entity_to_video_device(link->sink->entity);
	struct legacy_node *node = container_of(vdev, struct legacy_node, vdev);
	const struct v4l2_pix_format *pix = &node->format.fmt.pix;
	const struct look_format *format;
	struct v4l2_mbus_framefmt on_pad;
	int ret = legacy_sensor_format(node->unicam, node->id, &on_pad);

	if (ret)
		return ret;
	if (node->id == LEGACY_EMBEDDED)
		return on_pad.width * on_pad.height == node->format.fmt.meta.buffersize &&
		       on_pad.code == MEDIA_BUS_FMT_SENSOR_DATA ? 0 : -EINVAL;
	if (on_pad.width != pix->width || on_pad.height != pix->height) {
		dev_err(node->unicam->dev, "Wrong width or height %ux%u (remote pad set to %ux%u)\n", pix->width,
			pix->height, on_pad.width, on_pad.height);
		return -EINVAL;
	}
	format = look_format_of_code(on_pad.code, LOOK_UNICAM);
	return format && (pix->pixelformat == format->fourcc || pix->pixelformat == format->unpacked) ? 0 : -EINVAL;
}

const struct media_entity_operations legacy_controlled_entity_ops = { .link_validate = check_link };

const struct v4l2_ioctl_ops legacy_controlled_ioctl_ops = {
	.vidioc_querycap = legacy_querycap,
	.vidioc_enum_fmt_vid_cap = enum_images,
	.vidioc_g_fmt_vid_cap = get_image,
	.vidioc_s_fmt_vid_cap = set_image,
	.vidioc_try_fmt_vid_cap = try_image,
	.vidioc_enum_fmt_meta_cap = legacy_enum_metadata,
	.vidioc_g_fmt_meta_cap = legacy_get_metadata,
	.vidioc_s_fmt_meta_cap = legacy_get_metadata,
	.vidioc_try_fmt_meta_cap = legacy_get_metadata,
	.vidioc_enum_framesizes = enum_sizes,
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
