/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Look-alike sensor drivers: what the drivers of the Raspberry Pi's kernels (and one of a coming mainline) show to
 * user space, above the register-level models of the rig.
 */
#ifndef FRAMELOCK_LOOKALIKE_SENSOR_H
#define FRAMELOCK_LOOKALIKE_SENSOR_H

#include <linux/i2c.h>
#include <media/v4l2-ctrls.h>
#include <media/v4l2-subdev.h>

#include "lookalike.h"

struct look_mode {
	u32 width, height;
	struct v4l2_rect crop;
	u8 bits;                       /* 0: any of the sensor's */
	u8 binning;
	u32 line;                      /* pixels of a line, blanking included */
	u32 frame_least, frame_usual;  /* lines of a frame */
	u64 pixel_rate;
	u32 exposure_least, exposure_step;
	u16 multiplier, divisor;       /* of the clock that reads pixels */
	/* Twice the lines as the registers count them, at twice their rate. */
	u8 rate_factor;
};

struct look_sensor;

struct look_sensor_type {
	const char *name;
	u16 id_register, id;
	struct v4l2_rect native, active;
	/* Groups of four: unflipped, mirrored, upside down, both. */
	const u32 *codes;
	unsigned int code_count;
	const struct look_mode *modes, *wide_range_modes;
	unsigned int mode_count, wide_range_mode_count;
	u32 embedded_width, embedded_height;
	u64 link_frequency;
	/* Registers and ranges. */
	u16 exposure, gain, digital_gain, frame_length, line_length, orientation;
	u8 gain_bytes;
	u32 frame_most, frame_shift, line_most, margin;
	u32 gain_least, gain_most, digital_most, exposure_least, test_colour_most;
	/* imx708: the format of the pad is set anew each time, VBLANK keeps what it was. */
	bool keeps_vblank;
	/* imx219: another mode keeps the length of a line. */
	bool keeps_line;
	bool has_colour_gains, has_wide_range;
	u32 power_on_us;
	int (*write_mode)(struct look_sensor *sensor);
};

enum look_pad { LOOK_IMAGE_PAD, LOOK_METADATA_PAD, LOOK_PADS };

/* Pads of a sensor with internal pads: it is the image's and the metadata's source that are its sinks. */
enum look_stream_pad { LOOK_SOURCE, LOOK_INTERNAL_IMAGE, LOOK_INTERNAL_METADATA, LOOK_STREAM_PADS };

struct look_sensor {
	struct v4l2_subdev sd;
	struct i2c_client *client;
	const struct look_sensor_type *type;
	struct media_pad pads[LOOK_STREAM_PADS];
	struct v4l2_ctrl_handler handler;
	struct v4l2_ctrl *pixel_rate, *vblank, *hblank, *exposure, *mirror, *flip, *colour_gains, *wide_range;

	/* Under the handler's lock. */
	const struct look_mode *mode;
	u32 code;
	bool streaming;
	u32 shift;                     /* how often frame length and exposure were halved */
};

static inline struct look_sensor *to_look_sensor(struct v4l2_subdev *sd)
{
	return container_of(sd, struct look_sensor, sd);
}

extern const struct look_sensor_type look_imx219, look_imx477, look_imx708;

int look_sensor_read16(struct look_sensor *sensor, u16 address, u32 *value);
int look_sensor_write(struct look_sensor *sensor, u16 address, unsigned int bytes, u32 value);

int look_sensor_init_controls(struct look_sensor *sensor);

/* All with the handler's lock held. */
u32 look_sensor_code(const struct look_sensor *sensor, u32 code);
const struct look_mode *look_sensor_nearest(const struct look_sensor *sensor, u32 code, u32 width, u32 height);
void look_sensor_set_mode(struct look_sensor *sensor, const struct look_mode *mode, u32 code);
void look_sensor_set_limits(struct look_sensor *sensor);
void look_sensor_fill_image(const struct look_mode *mode, u32 code, struct v4l2_mbus_framefmt *format);
int look_sensor_start(struct look_sensor *sensor);
void look_sensor_stop(struct look_sensor *sensor);

int look_sensor_register_pads(struct look_sensor *sensor);
int look_sensor_register_streams(struct look_sensor *sensor);
int look_sensor_enum_sizes(struct look_sensor *sensor, struct v4l2_subdev_frame_size_enum *sizes);
int look_sensor_get_selection(struct v4l2_subdev *sd, struct v4l2_subdev_state *state,
			      struct v4l2_subdev_selection *selection);

#endif
