// SPDX-License-Identifier: GPL-2.0
/* The video nodes of the look-alike of rp1-cfe: what they are called, which formats they take, what they refuse. */
#include <media/v4l2-ctrls.h>
#include <media/v4l2-event.h>
#include <media/v4l2-ioctl.h>

#include "lookalike_cfe.h"

#define CFE_STRIDE 16
#define CFE_STRIDE_MOST 0xffffff00
#define CFE_MOST 16384
#define CFE_LEAST 16

static const struct {
	u32 caps, remote_pad;
} kinds[CFE_NODES] = {
	[CFE_CH0] = { V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE },
	[CFE_CH1] = { V4L2_CAP_META_CAPTURE },
	[CFE_CH2] = { V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE },
	[CFE_CH3] = { V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE },
	[CFE_FE_IMAGE0] = { V4L2_CAP_VIDEO_CAPTURE, FE_OUTPUT0 },
	[CFE_FE_IMAGE1] = { V4L2_CAP_VIDEO_CAPTURE, FE_OUTPUT1 },
	[CFE_FE_STATS] = { V4L2_CAP_META_CAPTURE, FE_STATS },
	[CFE_FE_CONFIG] = { V4L2_CAP_META_OUTPUT, FE_CONFIG },
};

u32 cfe_node_caps(enum cfe_node_id id)
{
	return kinds[id].caps;
}

u32 cfe_node_remote_pad(const struct cfe_node *node)
{
	return cfe_is_channel(node) ? cfe_source_pad(node->cfe, node->id) : kinds[node->id].remote_pad;
}

u32 cfe_buffer_size(const struct cfe_node *node)
{
	return cfe_takes_images(node) ? node->image.fmt.pix.sizeimage : node->meta.fmt.meta.buffersize;
}

static int querycap(struct file *file, void *priv, struct v4l2_capability *cap)
{
	strscpy(cap->driver, "rp1-cfe", sizeof(cap->driver));
	strscpy(cap->card, "rp1-cfe", sizeof(cap->card));
	cap->capabilities |= V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE | V4L2_CAP_META_OUTPUT;
	return 0;
}

/* Every format of the table, whatever the sensor has; those of the front end alone for its nodes. */
static int enum_images(struct file *file, void *priv, struct v4l2_fmtdesc *f)
{
	struct cfe_node *node = video_drvdata(file);
	unsigned int table = node->cfe->flavour->table, place = 0;
	const struct look_format *format;

	if (!(kinds[node->id].caps & V4L2_CAP_VIDEO_CAPTURE))
		return -EINVAL;
	for (unsigned int i = 0; (format = look_format_at(i)); i++) {
		if (!(format->flags & table) || format->flags & LOOK_META)
			continue;
		if (f->mbus_code && format->code != f->mbus_code)
			continue;
		if (!cfe_is_channel(node) && !(format->flags & LOOK_FRONT_END))
			continue;
		if (place++ == f->index) {
			f->pixelformat = format->fourcc;
			return 0;
		}
	}
	return -EINVAL;
}

static int get_image(struct file *file, void *priv, struct v4l2_format *f)
{
	struct cfe_node *node = video_drvdata(file);

	if (!(kinds[node->id].caps & V4L2_CAP_VIDEO_CAPTURE))
		return -EINVAL;
	*f = node->image;
	return 0;
}

static int try_image(struct cfe_node *node, struct v4l2_format *f)
{
	unsigned int table = node->cfe->flavour->table;
	struct v4l2_pix_format *pix = &f->fmt.pix;
	const struct look_format *format;
	u32 least;

	if (!(kinds[node->id].caps & V4L2_CAP_VIDEO_CAPTURE))
		return -EINVAL;
	format = look_format_of_fourcc(pix->pixelformat, table);
	if (!format)
		format = look_format_of_code(MEDIA_BUS_FMT_SBGGR10_1X10, table);
	if (!cfe_is_channel(node) && format->remapped)
		format = look_format_of_fourcc(format->remapped, table);
	pix->pixelformat = format->fourcc;
	pix->field = V4L2_FIELD_NONE;
	v4l_bound_align_image(&pix->width, CFE_LEAST, CFE_MOST, 2, &pix->height, CFE_LEAST, CFE_MOST, 0, 0);
	least = ALIGN(pix->width * format->depth >> 3, CFE_STRIDE);
	pix->bytesperline = pix->bytesperline > least && pix->bytesperline <= CFE_STRIDE_MOST ?
			    ALIGN(pix->bytesperline, CFE_STRIDE) : least;
	pix->sizeimage = pix->height * pix->bytesperline;
	return 0;
}

static int try_image_ioctl(struct file *file, void *priv, struct v4l2_format *f)
{
	return try_image(video_drvdata(file), f);
}

static int set_image(struct file *file, void *priv, struct v4l2_format *f)
{
	struct cfe_node *node = video_drvdata(file);
	int ret;

	if (vb2_is_busy(&node->queue))
		return -EBUSY;
	ret = try_image(node, f);
	if (!ret)
		node->image = *f;
	return ret;
}

int cfe_default_formats(struct cfe_node *node)
{
	u32 caps = kinds[node->id].caps;
	int ret = 0;

	if (caps & V4L2_CAP_VIDEO_CAPTURE) {
		node->image.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
		v4l2_fill_pix_format(&node->image.fmt.pix, &cfe_default_image);
		node->image.fmt.pix.pixelformat = V4L2_PIX_FMT_SRGGB10P;
		ret = try_image(node, &node->image);
	}
	if (!ret && cfe_takes_metadata(node)) {
		node->meta.type = caps & V4L2_CAP_META_OUTPUT ? V4L2_BUF_TYPE_META_OUTPUT :
								V4L2_BUF_TYPE_META_CAPTURE;
		ret = cfe_try_metadata(node, &node->meta);
	}
	return ret;
}

static int enum_sizes(struct file *file, void *priv, struct v4l2_frmsizeenum *sizes)
{
	struct cfe_node *node = video_drvdata(file);

	if (sizes->index || !look_format_of_fourcc(sizes->pixel_format, node->cfe->flavour->table))
		return -EINVAL;
	sizes->type = V4L2_FRMSIZE_TYPE_STEPWISE;
	sizes->stepwise = (struct v4l2_frmsize_stepwise) {
		.min_width = CFE_LEAST, .max_width = CFE_MOST, .step_width = 2,
		.min_height = CFE_LEAST, .max_height = CFE_MOST, .step_height = 1,
	};
	return 0;
}

/* A node of both kinds becomes one or the other by the first request for buffers. */
static int request_buffers(struct file *file, void *priv, struct v4l2_requestbuffers *request)
{
	return vb2_queue_change_type(video_devdata(file)->queue, request->type) ?:
	       vb2_ioctl_reqbufs(file, priv, request);
}

static int create_buffers(struct file *file, void *priv, struct v4l2_create_buffers *request)
{
	return vb2_queue_change_type(video_devdata(file)->queue, request->format.type) ?:
	       vb2_ioctl_create_bufs(file, priv, request);
}

static int subscribe(struct v4l2_fh *fh, const struct v4l2_event_subscription *wanted)
{
	struct cfe_node *node = video_get_drvdata(fh->vdev);
	u32 caps = kinds[node->id].caps;

	if (wanted->type == V4L2_EVENT_FRAME_SYNC && caps & V4L2_CAP_VIDEO_CAPTURE)
		return v4l2_event_subscribe(fh, wanted, 2, NULL);
	if (wanted->type == V4L2_EVENT_SOURCE_CHANGE && !(caps & V4L2_CAP_META_OUTPUT))
		return v4l2_event_subscribe(fh, wanted, 4, NULL);
	return v4l2_ctrl_subscribe_event(fh, wanted);
}

const struct v4l2_ioctl_ops cfe_ioctl_ops = {
	.vidioc_querycap = querycap,
	.vidioc_enum_fmt_vid_cap = enum_images,
	.vidioc_g_fmt_vid_cap = get_image,
	.vidioc_s_fmt_vid_cap = set_image,
	.vidioc_try_fmt_vid_cap = try_image_ioctl,
	.vidioc_enum_fmt_meta_cap = cfe_enum_metadata,
	.vidioc_g_fmt_meta_cap = cfe_get_metadata,
	.vidioc_s_fmt_meta_cap = cfe_set_metadata,
	.vidioc_try_fmt_meta_cap = cfe_try_metadata_of_file,
	.vidioc_enum_fmt_meta_out = cfe_enum_metadata,
	.vidioc_g_fmt_meta_out = cfe_get_metadata,
	.vidioc_s_fmt_meta_out = cfe_set_metadata,
	.vidioc_try_fmt_meta_out = cfe_try_metadata_of_file,
	.vidioc_enum_framesizes = enum_sizes,
	.vidioc_reqbufs = request_buffers,
	.vidioc_create_bufs = create_buffers,
	.vidioc_prepare_buf = vb2_ioctl_prepare_buf,
	.vidioc_querybuf = vb2_ioctl_querybuf,
	.vidioc_qbuf = vb2_ioctl_qbuf,
	.vidioc_dqbuf = vb2_ioctl_dqbuf,
	.vidioc_expbuf = vb2_ioctl_expbuf,
	.vidioc_streamon = vb2_ioctl_streamon,
	.vidioc_streamoff = vb2_ioctl_streamoff,
	.vidioc_subscribe_event = subscribe,
	.vidioc_unsubscribe_event = v4l2_event_unsubscribe,
};
