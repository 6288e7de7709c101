// SPDX-License-Identifier: GPL-2.0
/* The look-alike of rp1-cfe: buffers that come, STREAMON and STREAMOFF. */
#include "lookalike_cfe.h"

static int queue_setup(struct vb2_queue *queue, unsigned int *buffers, unsigned int *planes, unsigned int sizes[],
		       struct device *devices[])
{
	return look_queue_setup(queue, cfe_buffer_size(vb2_get_drv_priv(queue)), buffers, planes, sizes);
}

static int buffer_prepare(struct vb2_buffer *vb)
{
	return look_buffer_prepare(vb, cfe_buffer_size(vb2_get_drv_priv(vb->vb2_queue)));
}

static void buffer_queue(struct vb2_buffer *vb)
{
	struct cfe_node *node = vb2_get_drv_priv(vb->vb2_queue);
	struct cfe *cfe = node->cfe;
	unsigned long irq;

	spin_lock_irqsave(&cfe->lock, irq);
	list_add_tail(&to_look_buffer(vb)->list, &node->queued);
	if (!cfe->ready)
		cfe->ready = cfe_all_enabled_have_buffers(cfe);
	if (!cfe->armed && cfe->ready && cfe_all_enabled_stream(cfe))
		cfe_arm(cfe);
	spin_unlock_irqrestore(&cfe->lock, irq);
}

static void return_buffers(struct cfe_node *node, enum vb2_buffer_state state)
{
	struct look_buffer *buffer, *next;
	unsigned long irq;

	spin_lock_irqsave(&node->cfe->lock, irq);
	list_for_each_entry_safe(buffer, next, &node->queued, list) {
		list_del(&buffer->list);
		vb2_buffer_done(&buffer->vb.vb2_buf, state);
	}
	if (node->filling)
		vb2_buffer_done(&node->filling->vb.vb2_buf, state);
	if (node->armed)
		vb2_buffer_done(&node->armed->vb.vb2_buf, state);
	node->filling = NULL;
	node->armed = NULL;
	spin_unlock_irqrestore(&node->cfe->lock, irq);
}

static enum look_writing writing_of_image(const struct cfe_node *node, u32 code)
{
	const struct look_format *on_pad = look_format_of_code(code, node->cfe->flavour->table);
	u32 fourcc = node->image.fmt.pix.pixelformat;
	const struct look_format *format = look_format_of_fourcc(fourcc, node->cfe->flavour->table);

	if (!on_pad || !format)
		return LOOK_NOTHING;
	if (format->depth == 16)
		return LOOK_HIGH_BITS;
	return fourcc == on_pad->fourcc && !(on_pad->flags & LOOK_FRONT_END) ? LOOK_PACKED : LOOK_NOTHING;
}

/* Compressed pixels and statistics are not played: such buffers come in time, with what was in them. */
static enum look_writing writing(struct cfe_node *node)
{
	struct v4l2_subdev *sd = cfe_is_channel(node) ? &node->cfe->csi2 : &node->cfe->fe;
	struct v4l2_subdev_state *state = v4l2_subdev_lock_and_get_active_state(sd);
	const struct v4l2_mbus_framefmt *on_pad = v4l2_subdev_state_get_format(state, cfe_node_remote_pad(node));
	u32 code = on_pad ? on_pad->code : 0;

	v4l2_subdev_unlock_state(state);
	if (cfe_takes_images(node))
		return writing_of_image(node, code);
	return cfe_is_channel(node) && look_is_metadata(code) ? LOOK_EMBEDDED : LOOK_NOTHING;
}

/* Returns whether this node is the last of those enabled: then the sensor starts. */
static bool node_streams(struct cfe_node *node)
{
	struct cfe *cfe = node->cfe;
	enum look_writing how = writing(node);
	unsigned long irq;
	bool all;

	spin_lock_irqsave(&cfe->lock, irq);
	node->how = how;
	node->started = false;
	node->frames = 0;
	node->streaming = true;
	all = cfe_all_enabled_stream(cfe);
	if (cfe->ready && all)
		cfe_arm(cfe);
	spin_unlock_irqrestore(&cfe->lock, irq);
	return all;
}

static bool node_stops(struct cfe_node *node)
{
	struct cfe *cfe = node->cfe;
	bool any = false;
	unsigned long irq;

	spin_lock_irqsave(&cfe->lock, irq);
	cfe->ready = false;
	node->streaming = false;
	for (unsigned int id = 0; id < CFE_NODES; id++)
		any |= cfe->nodes[id].streaming;
	if (!any)
		cfe->armed = false;
	spin_unlock_irqrestore(&cfe->lock, irq);
	return !any;
}

/* STREAMON succeeds for every node whose pipeline is valid, and nothing comes until each enabled one streams. */
static int start_streaming(struct vb2_queue *queue, unsigned int count)
{
	struct cfe_node *node = vb2_get_drv_priv(queue);
	struct cfe *cfe = node->cfe;
	int ret = -EINVAL;

	if (!node->enabled) {
		dev_err(cfe->dev, "%s: its link is not enabled\n", node->vdev.name);
		goto fail;
	}
	if (cfe->fe_channel >= 0 && !cfe->nodes[CFE_FE_CONFIG].enabled) {
		dev_err(cfe->dev, "the front end has its stream but no configuration\n");
		goto fail;
	}
	ret = media_pipeline_start(&node->pad, &cfe->pipe);
	if (ret) {
		dev_err(cfe->dev, "%s: the pipeline does not start: %d\n", node->vdev.name, ret);
		goto fail;
	}
	if (!node_streams(node))
		return 0;
	ret = cfe_start_sensor(cfe);
	if (ret >= 0)
		return 0;
	dev_err(cfe->dev, "the sensor does not start: %d\n", ret);
	node_stops(node);
	media_pipeline_stop(&node->pad);
fail:
	return_buffers(node, VB2_BUF_STATE_QUEUED);
	return ret;
}

/* The sensor runs until the last node stops. */
static void stop_streaming(struct vb2_queue *queue)
{
	struct cfe_node *node = vb2_get_drv_priv(queue);

	if (node_stops(node))
		cfe_stop_sensor(node->cfe);
	media_pipeline_stop(&node->pad);
	return_buffers(node, VB2_BUF_STATE_ERROR);
}

const struct vb2_ops cfe_queue_ops = {
	.queue_setup = queue_setup,
	.buf_prepare = buffer_prepare,
	.buf_queue = buffer_queue,
	.start_streaming = start_streaming,
	.stop_streaming = stop_streaming,
};
