/* SPDX-License-Identifier: GPL-2.0 */
/* A look-alike of the unicam driver of the Raspberry Pi's kernels: two nodes, linked to the sensor itself. */
#ifndef FRAMELOCK_LOOKALIKE_UNICAM_H
#define FRAMELOCK_LOOKALIKE_UNICAM_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <media/media-device.h>
#include <media/v4l2-async.h>
#include <media/v4l2-ctrls.h>
#include <media/v4l2-device.h>
#include <media/v4l2-subdev.h>

#include "lookalike.h"

/* Numbers of the nodes, and of the sensor's pads that they are linked to. */
enum legacy_node_id { LEGACY_IMAGE, LEGACY_EMBEDDED, LEGACY_NODES };

struct legacy;

struct legacy_node {
	struct legacy *unicam;
	enum legacy_node_id id;
	struct video_device vdev;
	struct media_pad pad;
	struct vb2_queue queue;
	struct mutex lock;
	struct v4l2_format format;
	/* Files that hold it open. */
	unsigned int open;
	bool streaming;

	/* Under the device's lock. */
	struct list_head queued;
	struct look_buffer *filling, *next;
	bool runs;
	enum look_writing how;
};

struct legacy {
	struct device *dev;
	/* Programs set the sub-devices; else the node sets the sensor, and sub-devices are read-only. */
	bool media_controlled;
	u32 port;
	struct media_device media;
	struct v4l2_device v4l2;
	struct v4l2_async_notifier notifier;
	struct media_pipeline pipe;
	struct v4l2_ctrl_handler handler;
	struct v4l2_subdev *sensor;
	struct v4l2_subdev_state *tried;
	bool has_metadata, sensor_runs;

	spinlock_t lock;
	u32 sequence;
	bool frame_started;
	struct legacy_node nodes[LEGACY_NODES];
};

extern const struct v4l2_ioctl_ops legacy_controlled_ioctl_ops, legacy_node_ioctl_ops;
extern const struct vb2_ops legacy_queue_ops;
extern const struct csi_receiver_ops legacy_receiver_ops;
extern const struct media_entity_operations legacy_controlled_entity_ops;

u32 legacy_buffer_size(const struct legacy_node *node);
/* Widths, strides and sizes that fit the format. */
void legacy_fit_image(struct v4l2_pix_format *pix, const struct look_format *format);
int legacy_sensor_format(struct legacy *unicam, enum legacy_node_id pad, struct v4l2_mbus_framefmt *format);

int legacy_querycap(struct file *file, void *priv, struct v4l2_capability *cap);
int legacy_enum_metadata(struct file *file, void *priv, struct v4l2_fmtdesc *f);
int legacy_get_metadata(struct file *file, void *priv, struct v4l2_format *f);
int legacy_subscribe(struct v4l2_fh *fh, const struct v4l2_event_subscription *wanted);

#endif
