// SPDX-License-Identifier: GPL-2.0
/* The look-alike of unicam while it streams: its start rule, frame starts and ends. */
#include <linux/timekeeping.h>
#include <media/v4l2-event.h>

#include "lookalike_unicam.h"

static int queue_setup(struct vb2_queue *queue, unsigned int *buffers, unsigned int *planes, unsigned int sizes[],
		       struct device *devices[])
{
	return look_queue_setup(queue, legacy_buffer_size(vb2_get_drv_priv(queue)), buffers, planes, sizes);
}

static int buffer_prepare(struct vb2_buffer *vb)
{
	return look_buffer_prepare(vb, legacy_buffer_size(vb2_get_drv_priv(vb->vb2_queue)));
}

static void buffer_queue(struct vb2_buffer *vb)
{
	struct legacy_node *node = vb2_get_drv_priv(vb->vb2_queue);
	unsigned long irq;

	spin_lock_irqsave(&node->unicam->lock, irq);
	list_add_tail(&to_look_buffer(vb)->list, &node->queued);
	spin_unlock_irqrestore(&node->unicam->lock, irq);
}

static void return_buffers(struct legacy_node *node, enum vb2_buffer_state state)
{
	struct look_buffer *buffer, *following;
	unsigned long irq;

	spin_lock_irqsave(&node->unicam->lock, irq);
	node->runs = false;
	list_for_each_entry_safe(buffer, following, &node->queued, list) {
		list_del(&buffer->list);
		vb2_buffer_done(&buffer->vb.vb2_buf, state);
	}
	if (node->filling)
		vb2_buffer_done(&node->filling->vb.vb2_buf, state);
	if (node->next && node->next != node->filling)
		vb2_buffer_done(&node->next->vb.vb2_buf, state);
	node->filling = NULL;
	node->next = NULL;
	spin_unlock_irqrestore(&node->unicam->lock, irq);
}

static void take_next(struct legacy_node *node)
{
	if (node->next || list_empty(&node->queued))
		return;
	node->next = list_first_entry(&node->queued, struct look_buffer, list);
	list_del(&node->next->list);
}

static void write_frame(struct legacy_node *node, const struct csi_frame *frame)
{
	u32 stride = node->id == LEGACY_IMAGE ? node->format.fmt.pix.bytesperline :
						ALIGN(DIV_ROUND_UP(frame->width * frame->bits, 8), 16);

	if (node->filling)
		look_write(node->filling, frame, node->how, stride);
}

static void tell_frame_start(struct legacy *unicam)
{
	struct v4l2_event event = {
		.type = V4L2_EVENT_FRAME_SYNC,
		.u.frame_sync.frame_sequence = unicam->sequence,
	};

	v4l2_event_queue(&unicam->nodes[LEGACY_IMAGE].vdev, &event);
}

static void frame_start(void *receiver, const struct csi_frame *frame)
{
	struct legacy *unicam = receiver;
	u64 now = ktime_get_ns();
	unsigned long irq;

	spin_lock_irqsave(&unicam->lock, irq);
	for (unsigned int id = 0; id < LEGACY_NODES; id++) {
		struct legacy_node *node = &unicam->nodes[id];

		if (!node->runs)
			continue;
		if (node->filling)
			node->filling->vb.vb2_buf.timestamp = now;
		if (frame->lose_frame_end_interrupt)
			write_frame(node, frame);
		/* What comes next goes to waste, unless there is a buffer by then. */
		if (node->next != node->filling && node->next)
			list_add(&node->next->list, &node->queued);
		node->next = NULL;
		take_next(node);
	}
	if (unicam->nodes[LEGACY_IMAGE].runs)
		tell_frame_start(unicam);
	unicam->frame_started = true;
	spin_unlock_irqrestore(&unicam->lock, irq);
}

/* The number goes up with each frame that began, or that leaves a buffer full; a frame that never came leaves no gap. */
static void frame_end(void *receiver, const struct csi_frame *frame)
{
	struct legacy *unicam = receiver;
	bool counts = unicam->frame_started;
	unsigned long irq;

	spin_lock_irqsave(&unicam->lock, irq);
	for (unsigned int id = 0; id < LEGACY_NODES; id++) {
		struct legacy_node *node = &unicam->nodes[id];

		if (!node->runs)
			continue;
		write_frame(node, frame);
		/* A buffer that came during the frame was seen at one of its lines. */
		if (unicam->frame_started)
			take_next(node);
		if (node->filling && node->filling != node->next) {
			node->filling->vb.sequence = unicam->sequence;
			node->filling->vb.field = V4L2_FIELD_NONE;
			vb2_buffer_done(&node->filling->vb.vb2_buf, VB2_BUF_STATE_DONE);
			counts = true;
		}
		node->filling = node->next;
	}
	if (counts)
		unicam->sequence++;
	unicam->frame_started = false;
	spin_unlock_irqrestore(&unicam->lock, irq);
}

const struct csi_receiver_ops legacy_receiver_ops = {
	.frame_start = frame_start,
	.frame_end = frame_end,
};

static enum look_writing writing(struct legacy_node *node)
{
	const struct look_format *format;

	if (node->id == LEGACY_EMBEDDED)
		return node->unicam->has_metadata ? LOOK_EMBEDDED : LOOK_NOTHING;
	format = look_format_of_fourcc(node->format.fmt.pix.pixelformat, LOOK_UNICAM);
	return format && node->format.fmt.pix.pixelformat == format->fourcc ? LOOK_PACKED : LOOK_LOW_BITS;
}

/* Each node begins with one buffer for the first frame. */
static void prepare_nodes(struct legacy *unicam)
{
	unsigned long irq;

	spin_lock_irqsave(&unicam->lock, irq);
	unicam->sequence = 0;
	unicam->frame_started = false;
	for (unsigned int id = 0; id < LEGACY_NODES; id++) {
		struct legacy_node *node = &unicam->nodes[id];

		if (!node->streaming)
			continue;
		node->how = writing(node);
		take_next(node);
		node->filling = node->next;
		node->runs = true;
	}
	spin_unlock_irqrestore(&unicam->lock, irq);
}

/*
 * The image streams, and the metadata too unless nobody has its node open: only then the sensor starts. A program
 * that just holds unicam-embedded open keeps everybody waiting, and STREAMON says that all is well.
 */
static bool may_start(const struct legacy *unicam)
{
	const struct legacy_node *image = &unicam->nodes[LEGACY_IMAGE], *embedded = &unicam->nodes[LEGACY_EMBEDDED];

	return image->open && image->streaming && (!embedded->open || embedded->streaming);
}

static int start_streaming(struct vb2_queue *queue, unsigned int count)
{
	struct legacy_node *node = vb2_get_drv_priv(queue);
	struct legacy *unicam = node->unicam;
	int ret = 0;

	node->streaming = true;
	/* Metadata that comes after the image started: the original loses its buffers then; here none comes. */
	if (unicam->sensor_runs || !may_start(unicam))
		return 0;
	if (unicam->media_controlled)
		ret = media_pipeline_start(&unicam->nodes[LEGACY_IMAGE].pad, &unicam->pipe);
	if (ret) {
		dev_err(unicam->dev, "Failed to start media pipeline: %d\n", ret);
		goto fail;
	}
	prepare_nodes(unicam);
	ret = v4l2_subdev_call(unicam->sensor, video, s_stream, 1);
	if (ret >= 0) {
		unicam->sensor_runs = true;
		return 0;
	}
	dev_err(unicam->dev, "the sensor does not start: %d\n", ret);
	if (unicam->media_controlled)
		media_pipeline_stop(&unicam->nodes[LEGACY_IMAGE].pad);
fail:
	return_buffers(node, VB2_BUF_STATE_QUEUED);
	node->streaming = false;
	return ret;
}

/* With the image the sensor stops; metadata alone can not be had. */
static void stop_streaming(struct vb2_queue *queue)
{
	struct legacy_node *node = vb2_get_drv_priv(queue);
	struct legacy *unicam = node->unicam;

	node->streaming = false;
	if (node->id == LEGACY_IMAGE && unicam->sensor_runs) {
		unicam->sensor_runs = false;
		if (v4l2_subdev_call(unicam->sensor, video, s_stream, 0) < 0)
			dev_err(unicam->dev, "the sensor did not stop\n");
		if (unicam->media_controlled)
			media_pipeline_stop(&node->pad);
	}
	return_buffers(node, VB2_BUF_STATE_ERROR);
}

const struct vb2_ops legacy_queue_ops = {
	.queue_setup = queue_setup,
	.buf_prepare = buffer_prepare,
	.buf_queue = buffer_queue,
	.start_streaming = start_streaming,
	.stop_streaming = stop_streaming,
};
