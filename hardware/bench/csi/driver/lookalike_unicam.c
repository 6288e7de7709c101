// SPDX-License-Identifier: GPL-2.0
/*
 * A look-alike of the unicam driver of the Raspberry Pi's kernels. The compatible string says how it is used:
 * framelock,unicam by the media controller, framelock,unicam-video by its video node alone (as with the original's
 * compatible string brcm,bcm2835-unicam-legacy).
 */
#include <linux/init.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <media/v4l2-event.h>
#include <media/v4l2-fwnode.h>
#include <media/v4l2-ioctl.h>
#include <media/videobuf2-vmalloc.h>

#include "lookalike_unicam.h"

#define LEGACY_EMBEDDED_SIZE 8192

static int node_open(struct file *file)
{
	struct legacy_node *node = video_drvdata(file);
	int ret;

	mutex_lock(&node->lock);
	ret = v4l2_fh_open(file);
	if (!ret)
		node->open++;
	mutex_unlock(&node->lock);
	return ret;
}

static int node_release(struct file *file)
{
	struct legacy_node *node = video_drvdata(file);
	int ret;

	mutex_lock(&node->lock);
	ret = _vb2_fop_release(file, NULL);
	node->open--;
	mutex_unlock(&node->lock);
	return ret;
}

static const struct v4l2_file_operations file_ops = {
	.owner = THIS_MODULE,
	.open = node_open,
	.release = node_release,
	.read = vb2_fop_read,
	.poll = vb2_fop_poll,
	.unlocked_ioctl = video_ioctl2,
	.mmap = vb2_fop_mmap,
};

static int init_queue(struct legacy_node *node)
{
	struct vb2_queue *queue = &node->queue;

	queue->type = node->format.type;
	queue->io_modes = VB2_MMAP | VB2_DMABUF | VB2_READ;
	queue->drv_priv = node;
	queue->ops = &legacy_queue_ops;
	queue->mem_ops = &vb2_vmalloc_memops;
	queue->buf_struct_size = sizeof(struct look_buffer);
	queue->timestamp_flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
	queue->lock = &node->lock;
	queue->min_queued_buffers = 1;
	queue->dev = node->unicam->dev;
	return vb2_queue_init(queue);
}

/* The image's format is the sensor's, packed; the metadata's is fixed. */
static int first_format(struct legacy_node *node)
{
	struct legacy *unicam = node->unicam;
	struct v4l2_mbus_framefmt on_pad = {};
	const struct look_format *format;
	int ret = 0;

	if (node->id == LEGACY_IMAGE || unicam->has_metadata)
		ret = legacy_sensor_format(unicam, node->id, &on_pad);
	if (ret)
		return ret;
	if (node->id == LEGACY_EMBEDDED) {
		node->format.type = V4L2_BUF_TYPE_META_CAPTURE;
		node->format.fmt.meta.dataformat = V4L2_META_FMT_SENSOR_DATA;
		node->format.fmt.meta.buffersize =
			unicam->has_metadata ? on_pad.width * on_pad.height : LEGACY_EMBEDDED_SIZE;
		return 0;
	}
	format = look_format_of_code(on_pad.code, LOOK_UNICAM);
	if (!format)
		return -EINVAL;
	node->format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
	v4l2_fill_pix_format(&node->format.fmt.pix, &on_pad);
	node->format.fmt.pix.pixelformat = format->fourcc;
	legacy_fit_image(&node->format.fmt.pix, format);
	return 0;
}

static int register_node(struct legacy *unicam, enum legacy_node_id id)
{
	struct legacy_node *node = &unicam->nodes[id];
	struct video_device *vdev = &node->vdev;
	bool image = id == LEGACY_IMAGE;
	int ret;

	node->unicam = unicam;
	node->id = id;
	mutex_init(&node->lock);
	INIT_LIST_HEAD(&node->queued);
	ret = first_format(node);
	if (!ret)
		ret = init_queue(node);
	if (ret)
		return ret;
	snprintf(vdev->name, sizeof(vdev->name), "unicam-%s", image ? "image" : "embedded");
	vdev->release = video_device_release_empty;
	vdev->fops = &file_ops;
	vdev->ioctl_ops = unicam->media_controlled ? &legacy_controlled_ioctl_ops : &legacy_node_ioctl_ops;
	if (unicam->media_controlled)
		vdev->entity.ops = &legacy_controlled_entity_ops;
	else if (image)
		vdev->ctrl_handler = &unicam->handler;
	vdev->v4l2_dev = &unicam->v4l2;
	vdev->queue = &node->queue;
	vdev->lock = &node->lock;
	vdev->device_caps = (image ? V4L2_CAP_VIDEO_CAPTURE : V4L2_CAP_META_CAPTURE) | V4L2_CAP_STREAMING |
			    (unicam->media_controlled ? V4L2_CAP_IO_MC : 0);
	if (image)
		vdev->entity.flags |= MEDIA_ENT_FL_DEFAULT;
	node->pad.flags = MEDIA_PAD_FL_SINK;
	ret = media_entity_pads_init(&vdev->entity, 1, &node->pad);
	if (ret)
		return ret;
	video_set_drvdata(vdev, node);
	ret = video_register_device(vdev, VFL_TYPE_VIDEO, -1);
	if (ret || (!image && !unicam->has_metadata))
		return ret;
	return media_create_pad_link(&unicam->sensor->entity, id, &vdev->entity, 0,
				     MEDIA_LNK_FL_ENABLED | MEDIA_LNK_FL_IMMUTABLE);
}

static int sensor_bound(struct v4l2_async_notifier *notifier, struct v4l2_subdev *sensor,
			struct v4l2_async_connection *connection)
{
	container_of(notifier, struct legacy, notifier)->sensor = sensor;
	return 0;
}

static int sensor_complete(struct v4l2_async_notifier *notifier)
{
	struct legacy *unicam = container_of(notifier, struct legacy, notifier);
	static struct lock_class_key key;
	int ret;

	unicam->has_metadata = unicam->sensor->entity.num_pads >= 2;
	unicam->tried = __v4l2_subdev_state_alloc(unicam->sensor, "unicam:tried->lock", &key);
	if (IS_ERR(unicam->tried))
		return PTR_ERR(unicam->tried);
	if (!unicam->media_controlled) {
		v4l2_ctrl_handler_init(&unicam->handler, 16);
		ret = v4l2_ctrl_add_handler(&unicam->handler, unicam->sensor->ctrl_handler, NULL, true);
		if (ret)
			return ret;
	}
	for (unsigned int id = 0; id < LEGACY_NODES; id++) {
		ret = register_node(unicam, id);
		if (ret)
			return ret;
	}
	return unicam->media_controlled ? v4l2_device_register_subdev_nodes(&unicam->v4l2) :
					  v4l2_device_register_ro_subdev_nodes(&unicam->v4l2);
}

static const struct v4l2_async_notifier_operations sensor_ops = {
	.bound = sensor_bound,
	.complete = sensor_complete,
};

static int await_sensor(struct legacy *unicam)
{
	struct fwnode_handle *endpoint = fwnode_graph_get_endpoint_by_id(dev_fwnode(unicam->dev), 0, 0, 0);
	struct v4l2_async_connection *connection;

	if (!endpoint)
		return dev_err_probe(unicam->dev, -ENODEV, "no sensor in the device tree\n");
	v4l2_async_nf_init(&unicam->notifier, &unicam->v4l2);
	unicam->notifier.ops = &sensor_ops;
	connection = v4l2_async_nf_add_fwnode_remote(&unicam->notifier, endpoint, struct v4l2_async_connection);
	fwnode_handle_put(endpoint);
	return IS_ERR(connection) ? PTR_ERR(connection) : v4l2_async_nf_register(&unicam->notifier);
}

static int register_media(struct legacy *unicam)
{
	int ret;

	unicam->media.dev = unicam->dev;
	/* The mainline's driver of this name is in the same kernel: ours cannot be called so, its device can. */
	strscpy(unicam->media.driver_name, "unicam", sizeof(unicam->media.driver_name));
	strscpy(unicam->media.model, "unicam", sizeof(unicam->media.model));
	snprintf(unicam->media.bus_info, sizeof(unicam->media.bus_info), "platform:%s", dev_name(unicam->dev));
	media_device_init(&unicam->media);
	unicam->v4l2.mdev = &unicam->media;
	ret = v4l2_device_register(unicam->dev, &unicam->v4l2);
	return ret ?: media_device_register(&unicam->media);
}

static int unicam_probe(struct platform_device *pdev)
{
	/* Never freed: the driver is part of the kernel and its devices are never unbound. */
	struct legacy *unicam = kzalloc(sizeof(*unicam), GFP_KERNEL);
	int ret;

	if (!unicam)
		return -ENOMEM;
	unicam->dev = &pdev->dev;
	unicam->media_controlled = of_device_is_compatible(pdev->dev.of_node, "framelock,unicam");
	spin_lock_init(&unicam->lock);
	ret = look_port(unicam->dev, &unicam->port);
	if (ret)
		return ret;
	ret = csi_receiver_attach(unicam->port, &legacy_receiver_ops, unicam);
	if (ret)
		return dev_err_probe(unicam->dev, ret, "port %u of the rig cannot be had\n", unicam->port);
	ret = register_media(unicam);
	return ret ?: await_sensor(unicam);
}

static const struct of_device_id matches[] = {
	{ .compatible = "framelock,unicam" },
	{ .compatible = "framelock,unicam-video" },
	{}
};

static struct platform_driver driver = {
	.probe = unicam_probe,
	.driver = { .name = "framelock-unicam", .of_match_table = matches, .suppress_bind_attrs = true },
};

static int __init start(void)
{
	return platform_driver_register(&driver);
}
device_initcall(start);
