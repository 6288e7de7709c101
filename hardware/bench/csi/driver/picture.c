// SPDX-License-Identifier: GPL-2.0
/*
 * The pixels of a frame: at the top what the frame says of itself, below it a scene that its exposure and gain made.
 * The README tells the layout. Integers only, so that every machine makes the same picture.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "rig.h"

#define PATTERN_WORDS 16
#define PATTERN_MAGIC 0xc51a0110
#define BLOCK 8
#define BLOCKS_A_ROW 64
#define PATTERN_ROWS (PATTERN_WORDS * 32 / BLOCKS_A_ROW * BLOCK)

/* ---- Packing ---- */

static size_t row_bytes(u32 width, u32 bits, enum csi_layout layout)
{
	return layout == CSI_UNPACKED ? width * 2 : width * bits / 8;
}

static void pack_row(const u16 *values, u32 width, u32 bits, enum csi_layout layout, u8 *to)
{
	u32 column;

	if (layout == CSI_UNPACKED) {
		for (column = 0; column < width; column++, to += 2)
			put_unaligned_le16(values[column], to);
	} else if (bits == 8) {
		for (column = 0; column < width; column++)
			*to++ = values[column];
	} else if (bits == 10) {
		for (column = 0; column + 3 < width; column += 4, values += 4) {
			*to++ = values[0] >> 2;
			*to++ = values[1] >> 2;
			*to++ = values[2] >> 2;
			*to++ = values[3] >> 2;
			*to++ = (values[0] & 3) | (values[1] & 3) << 2 | (values[2] & 3) << 4 | (values[3] & 3) << 6;
		}
	} else if (bits == 12) {
		for (column = 0; column + 1 < width; column += 2, values += 2) {
			*to++ = values[0] >> 4;
			*to++ = values[1] >> 4;
			*to++ = (values[0] & 15) | (values[1] & 15) << 4;
		}
	}
}

/* Counts of 1024, or of the depth. */
static u32 at_depth(u64 counts, u32 bits)
{
	return bits >= 10 ? counts << (bits - 10) : counts >> (10 - bits);
}

/* ---- What the frame says of itself ---- */

/* CRC-16/CCITT-FALSE. */
static u16 checksum(const u8 *bytes, size_t count)
{
	u16 sum = 0xffff;

	while (count--) {
		sum ^= *bytes++ << 8;
		for (int bit = 0; bit < 8; bit++)
			sum = sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1;
	}
	return sum;
}

static void pattern_bytes(const struct csi_truth *truth, u8 bytes[PATTERN_WORDS * 4])
{
	const struct csi_settings *settings = &truth->settings;
	const struct csi_frame *frame = &truth->frame;
	const u32 words[PATTERN_WORDS] = {
		PATTERN_MAGIC, frame->number, truth->stream, truth->exposure_lines,
		truth->exposure_ns >> 32, truth->exposure_ns, settings->gain_code << 16 | settings->digital_code,
		settings->gain, settings->frame_length, settings->line_length,
		frame->start_ns >> 32, frame->start_ns,
		div_u64(settings->rate + settings->rate_divisor / 2, settings->rate_divisor),
		settings->lens << 16 | frame->port->index << 8 | frame->bits, 0, frame->port->model->id << 16,
	};

	for (int word = 0; word < PATTERN_WORDS; word++)
		put_unaligned_be32(words[word], bytes + 4 * word);
	put_unaligned_be16(checksum(bytes, PATTERN_WORDS * 4 - 2), bytes + PATTERN_WORDS * 4 - 2);
}

/* Blocks of 8 by 8 pixels, 64 in a row, the first bit on the left: a 1 is bright, a 0 dark. */
static void pattern_row(const struct csi_truth *truth, const u8 *bits_of_row, u16 *values)
{
	u32 bits = truth->frame.bits;
	u16 dark = at_depth(truth->frame.port->model->black, bits), bright = at_depth(800, bits);

	for (u32 column = 0; column < truth->frame.width; column++) {
		u32 bit = column / BLOCK;

		values[column] = bit < BLOCKS_A_ROW && (bits_of_row[bit / 8] & 0x80 >> bit % 8) ? bright : dark;
	}
}

/* ---- The scene ---- */

struct light {
	u32 black, most;
	/* The left half, and the two shades of the checks in the right half, in 1/256 counts. */
	u64 flat, bright, dark;
	u64 noise;
};

/* What exposure, gain and focus make of the scene, for a row that saw the light for so long. */
static struct light light_of(const struct csi_truth *truth, u64 lit_ns)
{
	const struct csi_options *options = &truth->frame.port->options;
	u32 bits = truth->frame.bits;
	s64 away = (s64)truth->settings.lens - options->best_focus;
	u64 width = (u64)options->focus_width * options->focus_width;
	u64 signal = div_u64(options->scene * truth->exposure_ns + options->light * lit_ns, 1000000), swing;
	struct light light = { .black = at_depth(truth->frame.port->model->black, bits), .most = BIT(bits) - 1 };

	signal = min(div_u64(mul_u64_u32_shr(signal, truth->settings.gain, 16) * 256, 1000), 1ULL << 28);
	swing = signal / 2;
	/* Without a lens all is sharp. */
	if (truth->frame.port->has_lens)
		swing = div64_u64(swing * width, width + away * away);
	light.flat = at_depth(signal, bits);
	light.bright = at_depth(signal + swing, bits);
	light.dark = at_depth(signal - swing, bits);
	light.noise = at_depth(options->noise * 16, bits);
	return light;
}

/* About normal: the sum of four equal ones. Mean 0, standard deviation 147. */
static s32 normal(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (s32)(*state & 0xff) + (s32)(*state >> 8 & 0xff) + (s32)(*state >> 16 & 0xff) +
	       (s32)(*state >> 24 & 0xff) - 510;
}

static void scene_row(const struct csi_truth *truth, const struct light *light, u32 row, u64 noise_state, u16 *values)
{
	u32 width = truth->frame.width, half = width / 2;

	for (u32 column = 0; column < width; column++) {
		s64 value = light->flat;

		if (column >= half) {
			/* Three bands of checks side by side, their sides 2, 4 and 8 pixels. */
			u32 shift = 1 + min((column - half) * 3 / max(width - half, 1U), 2U);

			value = (column >> shift ^ row >> shift) & 1 ? light->bright : light->dark;
		}
		if (noise_state)
			value += div_s64(normal(&noise_state) * (s64)light->noise, 147);
		value = light->black + ((value + 128) >> 8);
		values[column] = clamp_t(s64, value, 0, light->most);
	}
}

/* Makes the rows of this frame's scene, packed, unless they are there. */
static void make_rows(struct csi_port *port, const struct csi_truth *truth, enum csi_layout layout, size_t bytes)
{
	struct light light = light_of(truth, 0);
	int variants = light.noise ? CSI_NOISE_VARIANTS : 1;

	if (port->rows_of.stream == truth->stream && port->rows_of.number == truth->frame.number + 1 &&
	    port->rows_of.layout == layout)
		return;
	for (int row = 0; row < CSI_SCENE_ROWS * variants; row++) {
		u64 state = variants > 1 ? csi_random(port->options.seed, truth->frame.number, row) | 1 : 0;

		scene_row(truth, &light, row % CSI_SCENE_ROWS, state, port->values);
		pack_row(port->values, truth->frame.width, truth->frame.bits, layout, port->rows + row * bytes);
	}
	port->rows_of.stream = truth->stream;
	port->rows_of.number = truth->frame.number + 1;
	port->rows_of.layout = layout;
	memset(port->lit_rows, 0, sizeof(port->lit_rows));
}

/* A row of the scene as it goes over the bus; one that saw the light is made, unless the last of its kind will do. */
static const u8 *row_of(struct csi_port *port, const struct csi_truth *truth, enum csi_layout layout, size_t bytes,
			u32 row, u64 lit_ns)
{
	u32 kind = row % CSI_SCENE_ROWS, noise = port->options.noise;
	u32 variant = noise ? csi_random(port->options.seed, truth->frame.number, row) % CSI_NOISE_VARIANTS : 0;
	u8 *made = port->rows + (CSI_SCENE_ROWS * CSI_NOISE_VARIANTS + 1 + kind) * bytes;
	struct light light;

	if (!lit_ns)
		return port->rows + (kind + CSI_SCENE_ROWS * variant) * bytes;
	if (port->lit_rows[kind] != lit_ns || noise) {
		light = light_of(truth, lit_ns);
		scene_row(truth, &light, kind, noise ? csi_random(port->options.seed, ~truth->frame.number, row) | 1 : 0,
			  port->values);
		pack_row(port->values, truth->frame.width, truth->frame.bits, layout, made);
		port->lit_rows[kind] = lit_ns;
	}
	return made;
}

/* Copies one row to its place, as far as there is room; returns where the written bytes end. */
static size_t put_row(u8 *to, size_t size, size_t offset, const u8 *row, size_t bytes)
{
	if (offset >= size)
		return size;
	bytes = min(bytes, size - offset);
	memcpy(to + offset, row, bytes);
	return offset + bytes;
}

size_t csi_frame_image(const struct csi_frame *frame, enum csi_layout layout, void *to, size_t bytes_per_line,
		       size_t size)
{
	const struct csi_truth *truth = csi_truth(frame);
	struct csi_port *port = frame->port;
	size_t bytes = row_bytes(frame->width, frame->bits, layout), end = 0;
	bool has_pattern = port->options.pattern && frame->width >= BLOCK * BLOCKS_A_ROW;
	bool is_dark = csi_light_is_off(port, truth);
	u8 pattern[PATTERN_WORDS * 4];

	if (frame->width > CSI_WIDTH_MAX)
		return 0;
	make_rows(port, truth, layout, bytes);
	pattern_bytes(truth, pattern);
	for (u32 row = 0; row < frame->height; row++) {
		const u8 *from;

		if (has_pattern && row < PATTERN_ROWS) {
			/* Its place is behind those of the scene. */
			u8 *made = port->rows + CSI_SCENE_ROWS * CSI_NOISE_VARIANTS * bytes;

			if (row % BLOCK == 0) {
				pattern_row(truth, pattern + row / BLOCK * (BLOCKS_A_ROW / 8), port->values);
				pack_row(port->values, frame->width, frame->bits, layout, made);
			}
			from = made;
		} else {
			from = row_of(port, truth, layout, bytes, row, is_dark ? 0 : csi_light_of_row(port, truth, row));
		}
		end = put_row(to, size, row * bytes_per_line, from, bytes);
	}
	return end;
}
EXPORT_SYMBOL_GPL(csi_frame_image);
