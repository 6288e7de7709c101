// SPDX-License-Identifier: GPL-2.0
/* The look-alike of rp1-cfe while it streams: the start rule, the buffers of a frame, frame starts and ends. */
#include <linux/timekeeping.h>
#include <media/v4l2-event.h>

#include "lookalike_cfe.h"

bool cfe_all_enabled_stream(const struct cfe *cfe)
{
	for (unsigned int id = 0; id < CFE_NODES; id++)
		if (cfe->nodes[id].enabled && !cfe->nodes[id].streaming)
			return false;
	return true;
}

bool cfe_all_enabled_have_buffers(const struct cfe *cfe)
{
	for (unsigned int id = 0; id < CFE_NODES; id++)
		if (cfe->nodes[id].enabled && list_empty(&cfe->nodes[id].queued))
			return false;
	return true;
}

/* Gives every node its buffer for the next frame: all of them, or none. */
void cfe_arm(struct cfe *cfe)
{
	cfe->armed = true;
	for (unsigned int id = 0; id < CFE_NODES; id++) {
		struct cfe_node *node = &cfe->nodes[id];

		if (!node->streaming)
			continue;
		node->armed = list_first_entry(&node->queued, struct look_buffer, list);
		list_del(&node->armed->list);
	}
	cfe->ready = cfe_all_enabled_have_buffers(cfe);
}

static void finish_buffer(struct cfe_node *node, enum vb2_buffer_state state)
{
	node->filling->vb.sequence = node->frames - 1;
	node->filling->vb.field = V4L2_FIELD_NONE;
	vb2_buffer_done(&node->filling->vb.vb2_buf, state);
	node->filling = NULL;
}

static void write_frame(struct cfe_node *node, const struct csi_frame *frame)
{
	u32 stride = node->image.fmt.pix.bytesperline;

	if (!node->filling)
		return;
	/* Lines of embedded data follow one another without a gap. */
	if (node->how == LOOK_EMBEDDED)
		stride = DIV_ROUND_UP(frame->width * frame->bits, 8);
	look_write(node->filling, frame, node->how, stride);
}

static void node_frame_end(struct cfe_node *node)
{
	if (node->filling)
		finish_buffer(node, VB2_BUF_STATE_DONE);
	node->started = false;
}

static void tell_frame_start(struct cfe_node *node)
{
	struct v4l2_event event = {
		.type = V4L2_EVENT_FRAME_SYNC,
		.u.frame_sync.frame_sequence = node->frames - 1,
	};

	if (cfe_takes_images(node))
		v4l2_event_queue(&node->vdev, &event);
}

static void node_frame_start(struct cfe_node *node)
{
	struct cfe *cfe = node->cfe;
	bool last = true;

	/* The end of the frame before was not heard. */
	if (node->started)
		node_frame_end(node);
	node->filling = node->armed;
	node->armed = NULL;
	node->frames++;
	node->time_ns = ktime_get_ns();
	for (unsigned int id = 0; id < CFE_NODES; id++) {
		struct cfe_node *other = &cfe->nodes[id];

		if (other == node || !other->streaming)
			continue;
		/* Who heard of this frame first gives all of them its time. */
		if (other->frames >= node->frames)
			node->time_ns = other->time_ns;
		if (other->frames != node->frames)
			last = false;
	}
	if (last)
		cfe->armed = false;
	if (node->filling)
		node->filling->vb.vb2_buf.timestamp = node->time_ns;
	node->started = true;
	tell_frame_start(node);
}

static void frame_start(void *receiver, const struct csi_frame *frame)
{
	struct cfe *cfe = receiver;
	unsigned long irq;

	spin_lock_irqsave(&cfe->lock, irq);
	for (unsigned int id = 0; id < CFE_NODES; id++) {
		struct cfe_node *node = &cfe->nodes[id];

		if (!node->streaming)
			continue;
		node_frame_start(node);
		/* Nobody will tell its end, but it is written all the same. */
		if (frame->lose_frame_end_interrupt)
			write_frame(node, frame);
		if (!cfe->armed && cfe->ready)
			cfe_arm(cfe);
	}
	spin_unlock_irqrestore(&cfe->lock, irq);
}

static void frame_end(void *receiver, const struct csi_frame *frame)
{
	struct cfe *cfe = receiver;
	unsigned long irq;

	spin_lock_irqsave(&cfe->lock, irq);
	for (unsigned int id = 0; id < CFE_NODES; id++) {
		struct cfe_node *node = &cfe->nodes[id];

		if (!node->streaming)
			continue;
		write_frame(node, frame);
		node_frame_end(node);
		if (!cfe->armed && cfe->ready)
			cfe_arm(cfe);
	}
	spin_unlock_irqrestore(&cfe->lock, irq);
}

const struct csi_receiver_ops cfe_receiver_ops = {
	.frame_start = frame_start,
	.frame_end = frame_end,
};

static u64 routed_streams(struct cfe *cfe)
{
	struct v4l2_subdev_state *state = v4l2_subdev_lock_and_get_active_state(&cfe->csi2);
	struct v4l2_subdev_route *route;
	u64 streams = 0;

	for_each_active_route(&state->routing, route)
		streams |= BIT_ULL(route->sink_stream);
	v4l2_subdev_unlock_state(state);
	return streams;
}

int cfe_start_sensor(struct cfe *cfe)
{
	int ret;

	if (cfe->flavour->streams) {
		cfe->sensor_streams = routed_streams(cfe);
		ret = v4l2_subdev_enable_streams(cfe->sensor, cfe->sensor_pad, cfe->sensor_streams);
	} else {
		ret = v4l2_subdev_call(cfe->sensor, video, s_stream, 1);
	}
	cfe->sensor_runs = ret >= 0;
	return ret;
}

/* Nothing to do where it never ran: a node may stop that waited for another one. */
void cfe_stop_sensor(struct cfe *cfe)
{
	int ret;

	if (!cfe->sensor_runs)
		return;
	cfe->sensor_runs = false;
	if (cfe->flavour->streams)
		ret = v4l2_subdev_disable_streams(cfe->sensor, cfe->sensor_pad, cfe->sensor_streams);
	else
		ret = v4l2_subdev_call(cfe->sensor, video, s_stream, 0);
	if (ret < 0)
		dev_err(cfe->dev, "the sensor did not stop: %d\n", ret);
}
