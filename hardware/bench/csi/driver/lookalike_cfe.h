/* SPDX-License-Identifier: GPL-2.0 */
/* A look-alike of the Raspberry Pi 5's receiver, rp1-cfe, as its own kernels have it and as the mainline has it. */
#ifndef FRAMELOCK_LOOKALIKE_CFE_H
#define FRAMELOCK_LOOKALIKE_CFE_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <media/media-device.h>
#include <media/v4l2-async.h>
#include <media/v4l2-device.h>
#include <media/v4l2-subdev.h>

#include "lookalike.h"

#define CFE_CHANNELS 4

enum cfe_node_id {
	CFE_CH0, CFE_CH1, CFE_CH2, CFE_CH3,
	CFE_FE_IMAGE0, CFE_FE_IMAGE1, CFE_FE_STATS, CFE_FE_CONFIG,
	CFE_NODES
};

enum cfe_fe_pad { FE_STREAM, FE_CONFIG, FE_OUTPUT0, FE_OUTPUT1, FE_STATS, FE_PADS };

/* Which driver is played. */
struct cfe_flavour {
	unsigned int table;            /* LOOK_CFE or LOOK_RP1 */
	bool streams;
	u32 sinks;                     /* pads of csi2 before its four sources */
	const char *names[CFE_NODES];
	u32 config_code, stats_code;   /* of pisp-fe's pads for metadata */
};

struct cfe;

struct cfe_node {
	struct cfe *cfe;
	enum cfe_node_id id;
	struct video_device vdev;
	struct media_pad pad;
	struct vb2_queue queue;
	struct mutex lock;
	struct v4l2_format image, meta;

	/* Under the device's lock. */
	struct list_head queued;
	struct look_buffer *filling, *armed;
	bool enabled, streaming;
	bool started;                  /* a frame began and did not end yet */
	u32 frames;                    /* frame starts since STREAMON */
	u64 time_ns;                   /* of the last of them */
	enum look_writing how;
};

struct cfe {
	struct device *dev;
	const struct cfe_flavour *flavour;
	u32 port;
	struct media_device media;
	struct v4l2_device v4l2;
	struct v4l2_async_notifier notifier;
	struct media_pipeline pipe;

	struct v4l2_subdev csi2, fe;
	struct media_pad csi2_pads[CFE_CHANNELS * 2], fe_pads[FE_PADS];
	struct v4l2_subdev *sensor;
	u32 sensor_pad;                /* mainline: the one that sends */
	u64 sensor_streams;            /* mainline: those that were started */
	bool sensor_runs;

	spinlock_t lock;
	bool ready;                    /* every enabled node has a buffer for another frame */
	bool armed;                    /* the next frame has its buffers */
	int fe_channel;                /* which the front end listens to, -1 for none */
	struct cfe_node nodes[CFE_NODES];
};

extern const struct v4l2_mbus_framefmt cfe_default_image;
extern const struct cfe_flavour cfe_downstream, cfe_mainline;

static inline bool cfe_is_channel(const struct cfe_node *node)
{
	return node->id < CFE_FE_IMAGE0;
}

static inline u32 cfe_source_pad(const struct cfe *cfe, unsigned int channel)
{
	return cfe->flavour->sinks + channel;
}

static inline bool cfe_takes_images(const struct cfe_node *node)
{
	return node->queue.type == V4L2_BUF_TYPE_VIDEO_CAPTURE;
}

int cfe_register_csi2(struct cfe *cfe);
int cfe_register_fe(struct cfe *cfe);
int cfe_register_node(struct cfe *cfe, enum cfe_node_id id);

/* Capabilities of a node, and what its link on the side of csi2 or pisp-fe is. */
u32 cfe_node_caps(enum cfe_node_id id);
u32 cfe_node_remote_pad(const struct cfe_node *node);

extern const struct vb2_ops cfe_queue_ops;
extern const struct v4l2_ioctl_ops cfe_ioctl_ops;
extern const struct csi_receiver_ops cfe_receiver_ops;
extern const struct media_entity_operations cfe_node_entity_ops;

u32 cfe_buffer_size(const struct cfe_node *node);
int cfe_default_formats(struct cfe_node *node);

bool cfe_takes_metadata(const struct cfe_node *node);
int cfe_try_metadata(struct cfe_node *node, struct v4l2_format *f);
int cfe_enum_metadata(struct file *file, void *priv, struct v4l2_fmtdesc *f);
int cfe_get_metadata(struct file *file, void *priv, struct v4l2_format *f);
int cfe_set_metadata(struct file *file, void *priv, struct v4l2_format *f);
int cfe_try_metadata_of_file(struct file *file, void *priv, struct v4l2_format *f);

/* With the lock held. */
bool cfe_all_enabled_stream(const struct cfe *cfe);
bool cfe_all_enabled_have_buffers(const struct cfe *cfe);
void cfe_arm(struct cfe *cfe);

int cfe_start_sensor(struct cfe *cfe);
void cfe_stop_sensor(struct cfe *cfe);

#endif
