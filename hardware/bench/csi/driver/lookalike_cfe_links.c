// SPDX-License-Identifier: GPL-2.0
/* The look-alike of rp1-cfe: how its video nodes are registered, and what they demand of the pad they hang on. */
#include <media/v4l2-ioctl.h>
#include <media/videobuf2-vmalloc.h>

#include "lookalike_cfe.h"

/* Downstream: packed as on the bus, or what the channel can make of it. */
static bool image_fits_downstream(const struct v4l2_pix_format *pix, const struct look_format *on_pad)
{
	u32 fourcc = pix->pixelformat;

	return fourcc == on_pad->fourcc || fourcc == on_pad->remapped || fourcc == on_pad->compressed ||
	       (fourcc == V4L2_PIX_FMT_BGR24 && on_pad->code == MEDIA_BUS_FMT_BGR888_1X24) ||
	       (fourcc == V4L2_PIX_FMT_RGB24 && on_pad->code == MEDIA_BUS_FMT_RGB888_1X24);
}

/* Mainline: a row of the table must have both the code and the fourcc. */
static bool in_table(u32 code, u32 fourcc, unsigned int table)
{
	const struct look_format *format;

	for (unsigned int i = 0; (format = look_format_at(i)); i++)
		if (format->flags & table && format->code == code && format->fourcc == fourcc)
			return true;
	return false;
}

static int check_image(struct cfe_node *node, const struct v4l2_mbus_framefmt *on_pad)
{
	const struct v4l2_pix_format *pix = &node->image.fmt.pix;
	const struct cfe_flavour *flavour = node->cfe->flavour;
	const struct look_format *format = look_format_of_code(on_pad->code, flavour->table);
	bool fits;

	if (on_pad->width != pix->width || on_pad->height != pix->height) {
		dev_err(node->cfe->dev, "%s: %ux%u, but the pad has %ux%u\n", node->vdev.name, pix->width, pix->height,
			on_pad->width, on_pad->height);
		return -EINVAL;
	}
	if (flavour->streams)
		fits = in_table(on_pad->code, pix->pixelformat, flavour->table);
	else
		fits = format && image_fits_downstream(pix, format);
	if (!fits)
		dev_err(node->cfe->dev, "%s: %p4cc does not go with code 0x%04x of the pad\n", node->vdev.name,
			&pix->pixelformat, on_pad->code);
	return fits ? 0 : -EINVAL;
}

static int check_metadata(struct cfe_node *node, const struct v4l2_mbus_framefmt *on_pad)
{
	const struct v4l2_meta_format *meta = &node->meta.fmt.meta;

	if (node->cfe->flavour->streams)
		return on_pad->width == meta->width && on_pad->height == meta->height &&
		       in_table(on_pad->code, meta->dataformat, LOOK_RP1) ? 0 : -EINVAL;
	if (on_pad->code != MEDIA_BUS_FMT_SENSOR_DATA || meta->dataformat != V4L2_META_FMT_SENSOR_DATA)
		return -EINVAL;
	return on_pad->width * on_pad->height > meta->buffersize ? -EINVAL : 0;
}

/* Of a link between a node and a sub-device, in whichever direction. */
static int check_link(struct media_link *link)
{
	bool output = is_media_entity_v4l2_video_device(link->source->entity);
	struct media_entity *outer = output ? link->source->entity : link->sink->entity;
	struct media_pad *pad = output ? link->sink : link->source;
	struct video_device *vdev = media_entity_to_video_device(outer);
	struct cfe_node *node = container_of(vdev, struct cfe_node, vdev);
	struct v4l2_subdev *sd = media_entity_to_v4l2_subdev(pad->entity);
	struct v4l2_subdev_state *state;
	const struct v4l2_mbus_framefmt *on_pad;
	int ret = 0;

	state = v4l2_subdev_lock_and_get_active_state(sd);
	on_pad = v4l2_subdev_state_get_format(state, pad->index);
	if (!on_pad)
		ret = -EINVAL;
	else if (cfe_takes_images(node))
		ret = check_image(node, on_pad);
	else if (cfe_is_channel(node))
		ret = check_metadata(node, on_pad);
	v4l2_subdev_unlock_state(state);
	return ret;
}

const struct media_entity_operations cfe_node_entity_ops = { .link_validate = check_link };

static const struct v4l2_file_operations file_ops = {
	.owner = THIS_MODULE,
	.open = v4l2_fh_open,
	.release = vb2_fop_release,
	.poll = vb2_fop_poll,
	.unlocked_ioctl = video_ioctl2,
	.mmap = vb2_fop_mmap,
};

static int init_queue(struct cfe_node *node)
{
	struct vb2_queue *queue = &node->queue;

	queue->type = cfe_node_caps(node->id) & V4L2_CAP_VIDEO_CAPTURE ? node->image.type : node->meta.type;
	queue->io_modes = VB2_MMAP | VB2_DMABUF;
	queue->drv_priv = node;
	queue->ops = &cfe_queue_ops;
	queue->mem_ops = &vb2_vmalloc_memops;
	queue->buf_struct_size = sizeof(struct look_buffer);
	queue->timestamp_flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
	queue->lock = &node->lock;
	queue->min_queued_buffers = 1;
	queue->dev = node->cfe->dev;
	return vb2_queue_init(queue);
}

int cfe_register_node(struct cfe *cfe, enum cfe_node_id id)
{
	struct cfe_node *node = &cfe->nodes[id];
	struct video_device *vdev = &node->vdev;
	bool output = id == CFE_FE_CONFIG;
	int ret;

	node->cfe = cfe;
	node->id = id;
	mutex_init(&node->lock);
	INIT_LIST_HEAD(&node->queued);
	ret = cfe_default_formats(node);
	if (!ret)
		ret = init_queue(node);
	if (ret)
		return ret;

	snprintf(vdev->name, sizeof(vdev->name), "rp1-cfe-%s", cfe->flavour->names[id]);
	vdev->release = video_device_release_empty;
	vdev->fops = &file_ops;
	vdev->ioctl_ops = &cfe_ioctl_ops;
	vdev->entity.ops = &cfe_node_entity_ops;
	vdev->v4l2_dev = &cfe->v4l2;
	vdev->vfl_dir = output ? VFL_DIR_TX : VFL_DIR_RX;
	vdev->queue = &node->queue;
	vdev->lock = &node->lock;
	vdev->device_caps = cfe_node_caps(id) | V4L2_CAP_STREAMING | V4L2_CAP_IO_MC;
	if (id == CFE_FE_IMAGE0 && !cfe->flavour->streams)
		vdev->entity.flags |= MEDIA_ENT_FL_DEFAULT;
	node->pad.flags = (output ? MEDIA_PAD_FL_SOURCE : MEDIA_PAD_FL_SINK) | MEDIA_PAD_FL_MUST_CONNECT;
	ret = media_entity_pads_init(&vdev->entity, 1, &node->pad);
	if (ret)
		return ret;
	if (!(cfe_node_caps(id) & V4L2_CAP_VIDEO_CAPTURE))
		v4l2_disable_ioctl(vdev, VIDIOC_ENUM_FRAMESIZES);
	video_set_drvdata(vdev, node);
	return video_register_device(vdev, VFL_TYPE_VIDEO, -1);
}
