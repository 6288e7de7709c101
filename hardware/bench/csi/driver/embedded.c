// SPDX-License-Identifier: GPL-2.0
/*
 * Embedded lines: the registers that a frame was made with, as SMIA's sensors send them before the picture.
 *
 * A line is 0x0a, then tags with a value each: 0xaa and 0xa5 set the address's upper and lower byte, 0x5a is the value
 * of that register and goes on to the next one; 0x07 fills the rest of the line. At 10 and 12 bits a pixel each group of
 * pixels has one more byte, 0x55.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "rig.h"

struct line {
	u8 *bytes;
	size_t count, size;
	u32 bits;
	size_t pixels;
};

static void put(struct line *line, u8 byte)
{
	u32 group = line->bits == 10 ? 4 : line->bits == 12 ? 2 : 0;

	if (line->count < line->size)
		line->bytes[line->count++] = byte;
	line->pixels++;
	if (group && line->pixels % group == 0 && line->count < line->size)
		line->bytes[line->count++] = 0x55;
}

/* Big-endian, from the address on. */
static void put_registers(struct line *line, u16 address, u64 value, int bytes)
{
	put(line, 0xaa);
	put(line, address >> 8);
	put(line, 0xa5);
	put(line, address & 0xff);
	while (bytes--) {
		put(line, 0x5a);
		put(line, value >> 8 * bytes);
	}
}

static void end_line(struct line *line)
{
	while (line->count < line->size)
		put(line, 0x07);
}

/* The frame whose registers are told: another one where that was asked for, as long as it is remembered. */
static const struct csi_truth *told(const struct csi_frame *frame)
{
	const struct csi_truth *truth = csi_truth(frame);

	return &frame->port->truths[truth->embedded_number % CSI_SAMPLES];
}

static void first_line(struct line *line, const struct csi_frame *frame)
{
	const struct csi_truth *truth = told(frame);
	const struct csi_settings *settings = &truth->settings;
	u16 id = frame->port->model->id;

	put(line, 0x0a);
	put_registers(line, 0x0000, (u64)id << 32 | (truth->frame.number & 0xff), 6);
	/* Where imx219 has them. */
	if (id == 0x0219) {
		put_registers(line, 0x0157, (u64)(settings->gain_code & 0xff) << 32 |
			      (u64)settings->digital_code << 16 | truth->exposure_lines, 5);
		put_registers(line, 0x0160, settings->frame_length, 2);
		put_registers(line, 0x0162, settings->line_length, 2);
	}
	/* Where SMIA has them; imx219 too, so that it can stand in for others. */
	put_registers(line, 0x0202, truth->exposure_lines >> settings->shift, 2);
	put_registers(line, 0x0204, settings->gain_code, 2);
	put_registers(line, 0x020e, settings->digital_code, 2);
	put_registers(line, 0x013a, 40, 1);
	put_registers(line, 0x0340, settings->frame_length >> settings->shift, 2);
	put_registers(line, 0x0342, settings->line_length, 2);
	put_registers(line, 0x034c, settings->width << 16 | settings->height, 4);
	end_line(line);
}

size_t csi_frame_embedded(const struct csi_frame *frame, void *to, size_t bytes_per_line, size_t size)
{
	size_t bytes = frame->width * frame->bits / 8, end = 0;

	for (u32 row = 0; row < frame->embedded_lines && row * bytes_per_line < size; row++) {
		struct line line = {
			.bytes = (u8 *)to + row * bytes_per_line,
			.size = min(bytes, size - row * bytes_per_line), .bits = frame->bits,
		};

		if (row == 0) {
			first_line(&line, frame);
		} else {
			put(&line, 0x0a);
			end_line(&line);
		}
		end = row * bytes_per_line + line.count;
	}
	return end;
}
EXPORT_SYMBOL_GPL(csi_frame_embedded);
