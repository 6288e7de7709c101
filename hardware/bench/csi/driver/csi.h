/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a receiver sees of the rig: CSI-2 ports, each with one sensor model that sends frames into it.
 *
 * The rig (rig.c and sensors) decides what each frame is: its time on the bus, its settings, its pixels, whether it is
 * sent at all. A receiver (the real bcm2835-unicam above emulated registers, or a look-alike) only takes it in.
 */
#ifndef FRAMELOCK_CSI_H
#define FRAMELOCK_CSI_H

#include <linux/types.h>

#define CSI_PORTS 8

struct csi_port;

/* One frame on its way over the bus. Valid until frame_end() returns. */
struct csi_frame {
	struct csi_port *port;
	/* Frames that the sensor made since it began to stream, sent or not; from 0. */
	u32 number;
	/* CLOCK_MONOTONIC: when the first line (embedded ones included) goes over the bus, and when the last has. */
	u64 start_ns, end_ns;
	/* Of the image; bits a pixel as the sensor sends them: 8, 10, 12. */
	u32 width, height, bits;
	/* Lines of embedded data before the image, 0 where this frame carries none. */
	u32 embedded_lines;
	/* What a receiver must do wrong about this frame, by a fault that was asked for. */
	bool lose_frame_start_interrupt, lose_frame_end_interrupt;
	/* How late the receiver's frame-start interrupt is told, in addition to nothing. */
	u64 interrupt_delay_ns;
};

/* Called in hard interrupt context, at the true time plus the interrupt's delay; a lost interrupt is not called. */
struct csi_receiver_ops {
	void (*frame_start)(void *receiver, const struct csi_frame *frame);
	void (*frame_end)(void *receiver, const struct csi_frame *frame);
};

/*
 * Makes a receiver the only one of a port (the number of the port is a property of the device tree's node).
 * Returns 0, -ENODEV where the rig has no such port, -EBUSY where it is taken.
 */
int csi_receiver_attach(unsigned int port, const struct csi_receiver_ops *ops, void *receiver);
void csi_receiver_detach(unsigned int port);

/* MIPI packing (RAW8, RAW10: 5 bytes for 4 pixels, RAW12: 3 for 2), or 16 bits a pixel, low bits used. */
enum csi_layout { CSI_PACKED, CSI_UNPACKED };

/* Writes what the frame's image is, at most `size` bytes; returns the bytes written. */
size_t csi_frame_image(const struct csi_frame *frame, enum csi_layout layout, void *to, size_t bytes_per_line,
		       size_t size);

/*
 * Writes the frame's embedded lines as they go over the bus (packed as the image is: RAW10 has a filler byte 0x55 after
 * four, RAW12 after two), at most `size` bytes; returns the bytes written, 0 where the frame carries none.
 */
size_t csi_frame_embedded(const struct csi_frame *frame, void *to, size_t bytes_per_line, size_t size);

#endif
