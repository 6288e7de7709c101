// SPDX-License-Identifier: GPL-2.0
/* What the look-alike receivers do with buffers. */
#include <linux/device.h>
#include <linux/property.h>

#include "lookalike.h"

/* More is refused, as where a receiver's memory must be in one piece: here it would end the whole guest. */
#define LOOK_BUFFER_MOST (64U << 20)

int look_port(struct device *dev, u32 *port)
{
	int ret = device_property_read_u32(dev, "framelock,port", port);

	return ret ? dev_err_probe(dev, ret, "the board does not say which port of the rig this receiver listens to\n") : 0;
}

/* What a receiver that fills 16 bits does: the pixel in the high bits, zeros below. */
static void shift_up(u16 *pixels, size_t count, unsigned int by)
{
	while (count--)
		*pixels++ <<= by;
}

void look_write(struct look_buffer *buffer, const struct csi_frame *frame, enum look_writing how, u32 bytes_per_line)
{
	struct vb2_buffer *vb = &buffer->vb.vb2_buf;
	void *to = vb2_plane_vaddr(vb, 0);
	size_t size = vb2_get_plane_payload(vb, 0), written;

	switch (how) {
	case LOOK_NOTHING:
		break;
	case LOOK_PACKED:
		csi_frame_image(frame, CSI_PACKED, to, bytes_per_line, size);
		break;
	case LOOK_LOW_BITS:
		csi_frame_image(frame, CSI_UNPACKED, to, bytes_per_line, size);
		break;
	case LOOK_HIGH_BITS:
		written = csi_frame_image(frame, CSI_UNPACKED, to, bytes_per_line, size);
		shift_up(to, written / 2, 16 - frame->bits);
		break;
	case LOOK_EMBEDDED:
		/* Where a frame brings no lines, the buffer keeps what it holds. */
		csi_frame_embedded(frame, to, bytes_per_line, size);
		break;
	}
}

int look_queue_setup(struct vb2_queue *queue, u32 size, unsigned int *buffers, unsigned int *planes,
		     unsigned int sizes[])
{
	unsigned int there = vb2_get_num_buffers(queue);

	if (size > LOOK_BUFFER_MOST)
		return -ENOMEM;
	if (there + *buffers < 3)
		*buffers = 3 - there;
	if (*planes)
		return sizes[0] < size ? -EINVAL : 0;
	*planes = 1;
	sizes[0] = size;
	return 0;
}

int look_buffer_prepare(struct vb2_buffer *vb, u32 size)
{
	if (vb2_plane_size(vb, 0) < size)
		return -EINVAL;
	vb2_set_plane_payload(vb, 0, size);
	return 0;
}
