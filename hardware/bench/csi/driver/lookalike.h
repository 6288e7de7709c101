/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the look-alike receivers share: formats, and a video node's buffers.
 *
 * A look-alike presents to user space what a driver of the Raspberry Pi's kernels presents: entities, pads, nodes,
 * formats, rules and errors. Below it there is no hardware but the frames that the rig sends (csi.h).
 */
#ifndef FRAMELOCK_LOOKALIKE_H
#define FRAMELOCK_LOOKALIKE_H

#include <linux/media-bus-format.h>
#include <linux/videodev2.h>
#include <media/videobuf2-v4l2.h>

#include "csi.h"

/* Of the Raspberry Pi's kernels, unknown to the mainline of this version. */
#ifndef MEDIA_BUS_FMT_SENSOR_DATA
#define MEDIA_BUS_FMT_SENSOR_DATA 0x7002
#endif
#ifndef V4L2_META_FMT_SENSOR_DATA
#define V4L2_META_FMT_SENSOR_DATA v4l2_fourcc('S', 'E', 'N', 'S')
#endif
#ifndef V4L2_META_FMT_RPI_FE_CFG
#define V4L2_META_FMT_RPI_FE_CFG v4l2_fourcc('R', 'P', 'F', 'C')
#define V4L2_META_FMT_RPI_FE_STATS v4l2_fourcc('R', 'P', 'F', 'S')
#endif

/* In whose table a format is. */
#define LOOK_CFE BIT(0)      /* rp1-cfe of the Raspberry Pi's kernels */
#define LOOK_RP1 BIT(1)      /* rp1-cfe of the mainline */
#define LOOK_UNICAM BIT(2)   /* unicam of the Raspberry Pi's kernels */
#define LOOK_FRONT_END BIT(3) /* leaves the front end */
#define LOOK_META BIT(4)

struct look_format {
	u32 code;
	u32 fourcc;
	/* Other fourccs of the same code, 0 where there is none: 16 bits a pixel with the low ones used (unicam) … */
	u32 unpacked;
	/* … with the high ones used, and 8 bits compressed (CFE). */
	u32 remapped, compressed;
	u8 depth;
	u8 flags;
};

const struct look_format *look_format_of_code(u32 code, unsigned int where);
const struct look_format *look_format_of_fourcc(u32 fourcc, unsigned int where);
/* By its number in the table, NULL behind the last one. */
const struct look_format *look_format_at(unsigned int index);
bool look_is_metadata(u32 code);
/* What the core of this version cannot say of a format of the Raspberry Pi's kernels. */
void look_describe(struct v4l2_fmtdesc *f);

struct look_buffer {
	struct vb2_v4l2_buffer vb;
	struct list_head list;
};

static inline struct look_buffer *to_look_buffer(struct vb2_buffer *vb)
{
	return container_of(to_vb2_v4l2_buffer(vb), struct look_buffer, vb);
}

/* A number of the receiver's node in the device tree: which port of the rig it listens to. */
int look_port(struct device *dev, u32 *port);

/* How a frame goes to memory. */
enum look_writing { LOOK_NOTHING, LOOK_PACKED, LOOK_LOW_BITS, LOOK_HIGH_BITS, LOOK_EMBEDDED };

void look_write(struct look_buffer *buffer, const struct csi_frame *frame, enum look_writing how, u32 bytes_per_line);

/* At least three buffers of the size, as the originals want it. */
int look_queue_setup(struct vb2_queue *queue, u32 size, unsigned int *buffers, unsigned int *planes,
		     unsigned int sizes[]);
int look_buffer_prepare(struct vb2_buffer *vb, u32 size);

#endif
