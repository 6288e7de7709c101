// SPDX-License-Identifier: GPL-2.0
/*
 * A look-alike of rp1-cfe: the device, its sensor and its links. The compatible string says which driver is played:
 * framelock,rp1-cfe is that of the Raspberry Pi's kernels (6.1 to 6.12 and later), framelock,rp1-cfe-mainline is
 * that of Linux 6.13 and later.
 */
#include <linux/init.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <media/v4l2-fwnode.h>
#include <media/v4l2-mc.h>

#include "lookalike_cfe.h"

/* Numbers of our own: those of the Raspberry Pi's kernels are not known here. */
#define PISP_FE_CONFIG_CODE 0x5f10
#define PISP_FE_STATS_CODE 0x5f11

const struct v4l2_mbus_framefmt cfe_default_image = {
	.width = 640,
	.height = 480,
	.code = MEDIA_BUS_FMT_SRGGB10_1X10,
	.field = V4L2_FIELD_NONE,
	.colorspace = V4L2_COLORSPACE_RAW,
	.ycbcr_enc = V4L2_YCBCR_ENC_601,
	.quantization = V4L2_QUANTIZATION_FULL_RANGE,
	.xfer_func = V4L2_XFER_FUNC_NONE,
};

const struct cfe_flavour cfe_downstream = {
	.table = LOOK_CFE,
	.sinks = CFE_CHANNELS,
	.names = { "csi2_ch0", "embedded", "csi2_ch2", "csi2_ch3", "fe_image0", "fe_image1", "fe_stats", "fe_config" },
	.config_code = PISP_FE_CONFIG_CODE,
	.stats_code = PISP_FE_STATS_CODE,
};

const struct cfe_flavour cfe_mainline = {
	.table = LOOK_RP1,
	.streams = true,
	.sinks = 1,
	.names = { "csi2-ch0", "csi2-ch1", "csi2-ch2", "csi2-ch3", "fe-image0", "fe-image1", "fe-stats", "fe-config" },
	.config_code = MEDIA_BUS_FMT_FIXED,
	.stats_code = MEDIA_BUS_FMT_FIXED,
};

/* Downstream: the n-th source pad of the sensor goes to the n-th sink. */
static int link_sensor_pads(struct cfe *cfe)
{
	struct media_entity *sensor = &cfe->sensor->entity;
	unsigned int channel = 0;
	int ret;

	for (unsigned int pad = 0; pad < sensor->num_pads && channel < CFE_CHANNELS; pad++) {
		if (!(sensor->pads[pad].flags & MEDIA_PAD_FL_SOURCE))
			continue;
		ret = media_create_pad_link(sensor, pad, &cfe->csi2.entity, channel++,
					    MEDIA_LNK_FL_ENABLED | MEDIA_LNK_FL_IMMUTABLE);
		if (ret)
			return ret;
	}
	return 0;
}

/* Mainline: one link, whose streams the routing tells apart. */
static int link_sensor_streams(struct cfe *cfe)
{
	struct media_pad *remote;
	int ret = v4l2_create_fwnode_links_to_pad(cfe->sensor, &cfe->csi2_pads[0],
						  MEDIA_LNK_FL_ENABLED | MEDIA_LNK_FL_IMMUTABLE);

	if (ret)
		return ret;
	remote = media_pad_remote_pad_unique(&cfe->csi2_pads[0]);
	if (IS_ERR(remote))
		return PTR_ERR(remote);
	cfe->sensor_pad = remote->index;
	return 0;
}

static int link_node(struct cfe_node *node)
{
	struct cfe *cfe = node->cfe;
	struct media_entity *inner = cfe_is_channel(node) ? &cfe->csi2.entity : &cfe->fe.entity;
	struct media_entity *outer = &node->vdev.entity;
	u32 pad = cfe_node_remote_pad(node);
	int ret;

	if (node->id == CFE_FE_CONFIG)
		return media_create_pad_link(outer, 0, inner, pad, 0);
	ret = media_create_pad_link(inner, pad, outer, 0, 0);
	if (ret || !cfe_is_channel(node) || !(cfe_node_caps(node->id) & V4L2_CAP_VIDEO_CAPTURE))
		return ret;
	return media_create_pad_link(inner, pad, &cfe->fe.entity, FE_STREAM, 0);
}

static int sensor_bound(struct v4l2_async_notifier *notifier, struct v4l2_subdev *sensor,
			struct v4l2_async_connection *connection)
{
	struct cfe *cfe = container_of(notifier, struct cfe, notifier);

	cfe->sensor = sensor;
	return 0;
}

static int sensor_complete(struct v4l2_async_notifier *notifier)
{
	struct cfe *cfe = container_of(notifier, struct cfe, notifier);
	int ret;

	for (unsigned int id = 0; id < CFE_NODES; id++) {
		ret = cfe_register_node(cfe, id);
		if (ret)
			return ret;
	}
	ret = cfe->flavour->streams ? link_sensor_streams(cfe) : link_sensor_pads(cfe);
	if (ret)
		return ret;
	for (unsigned int id = 0; id < CFE_NODES; id++) {
		ret = link_node(&cfe->nodes[id]);
		if (ret)
			return ret;
	}
	return v4l2_device_register_subdev_nodes(&cfe->v4l2);
}

static const struct v4l2_async_notifier_operations sensor_ops = {
	.bound = sensor_bound,
	.complete = sensor_complete,
};

/* Remembers which nodes take part, and which channel the front end listens to. */
static int link_changed(struct media_link *link, u32 flags, unsigned int notification)
{
	struct cfe *cfe = container_of(link->graph_obj.mdev, struct cfe, media);
	bool on = link->flags & MEDIA_LNK_FL_ENABLED;
	unsigned long irq;

	if (notification != MEDIA_DEV_NOTIFY_POST_LINK_CH)
		return 0;
	spin_lock_irqsave(&cfe->lock, irq);
	for (unsigned int id = 0; id < CFE_NODES; id++) {
		struct media_entity *entity = &cfe->nodes[id].vdev.entity;

		if (link->sink->entity == entity || link->source->entity == entity)
			cfe->nodes[id].enabled = on;
	}
	if (link->source->entity == &cfe->csi2.entity && link->sink == &cfe->fe_pads[FE_STREAM])
		cfe->fe_channel = on ? link->source->index - cfe->flavour->sinks : -1;
	spin_unlock_irqrestore(&cfe->lock, irq);
	return 0;
}

static const struct media_device_ops media_ops = { .link_notify = link_changed };

static int await_sensor(struct cfe *cfe)
{
	struct fwnode_handle *endpoint = fwnode_graph_get_endpoint_by_id(dev_fwnode(cfe->dev), 0, 0, 0);
	struct v4l2_async_connection *connection;

	if (!endpoint)
		return dev_err_probe(cfe->dev, -ENODEV, "no sensor in the device tree\n");
	v4l2_async_nf_init(&cfe->notifier, &cfe->v4l2);
	cfe->notifier.ops = &sensor_ops;
	connection = v4l2_async_nf_add_fwnode_remote(&cfe->notifier, endpoint, struct v4l2_async_connection);
	fwnode_handle_put(endpoint);
	if (IS_ERR(connection))
		return PTR_ERR(connection);
	return v4l2_async_nf_register(&cfe->notifier);
}

static int register_graph(struct cfe *cfe)
{
	int ret;

	cfe->media.dev = cfe->dev;
	cfe->media.ops = &media_ops;
	strscpy(cfe->media.model, "rp1-cfe", sizeof(cfe->media.model));
	snprintf(cfe->media.bus_info, sizeof(cfe->media.bus_info), "platform:%s", dev_name(cfe->dev));
	media_device_init(&cfe->media);
	cfe->v4l2.mdev = &cfe->media;
	ret = v4l2_device_register(cfe->dev, &cfe->v4l2);
	if (!ret)
		ret = cfe_register_csi2(cfe);
	if (!ret)
		ret = cfe_register_fe(cfe);
	if (!ret)
		ret = media_device_register(&cfe->media);
	return ret;
}

static int cfe_probe(struct platform_device *pdev)
{
	/* Never freed: the driver is part of the kernel and its devices are never unbound. */
	struct cfe *cfe = kzalloc(sizeof(*cfe), GFP_KERNEL);
	int ret;

	if (!cfe)
		return -ENOMEM;
	cfe->dev = &pdev->dev;
	cfe->flavour = of_device_get_match_data(&pdev->dev);
	cfe->fe_channel = -1;
	spin_lock_init(&cfe->lock);
	ret = look_port(cfe->dev, &cfe->port);
	if (ret)
		return ret;
	ret = csi_receiver_attach(cfe->port, &cfe_receiver_ops, cfe);
	if (ret)
		return dev_err_probe(cfe->dev, ret, "port %u of the rig cannot be had\n", cfe->port);
	ret = register_graph(cfe);
	if (!ret)
		ret = await_sensor(cfe);
	return ret;
}

static const struct of_device_id cfe_match[] = {
	{ .compatible = "framelock,rp1-cfe", .data = &cfe_downstream },
	{ .compatible = "framelock,rp1-cfe-mainline", .data = &cfe_mainline },
	{}
};

static struct platform_driver cfe_driver = {
	.probe = cfe_probe,
	.driver = {
		.name = "rp1-cfe",
		.of_match_table = cfe_match,
		.suppress_bind_attrs = true,
	},
};

static int __init cfe_init(void)
{
	return platform_driver_register(&cfe_driver);
}
device_initcall(cfe_init);
