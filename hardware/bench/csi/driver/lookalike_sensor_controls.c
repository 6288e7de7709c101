// SPDX-License-Identifier: GPL-2.0
/* The controls of the look-alike sensors. A value reaches the sensor while it streams, or when it starts to. */
#include <media/v4l2-fwnode.h>

#include "lookalike_sensor.h"

static const char *const test_patterns[] = { "Disabled", "Color Bars", "Solid Color", "Grey Color Bars", "PN9" };

/* What the menu's entries are to the sensors. */
static const u8 test_pattern_codes[] = { 0, 2, 1, 3, 4 };

static struct look_sensor *of_handler(struct v4l2_ctrl *ctrl)
{
	return container_of(ctrl->handler, struct look_sensor, handler);
}

static void limit_exposure(struct look_sensor *sensor, s32 vblank)
{
	struct v4l2_ctrl *exposure = sensor->exposure;
	s64 most = sensor->mode->height + vblank - sensor->type->margin;

	__v4l2_ctrl_modify_range(exposure, exposure->minimum, most, exposure->step,
				 min(most, sensor->type->keeps_line ? 0x640LL : (s64)exposure->val));
}

/* A frame too long for its register is counted in 2, 4 … lines, and the exposure with it. */
static int write_frame_length(struct look_sensor *sensor, u32 lines)
{
	const struct look_sensor_type *type = sensor->type;
	int ret;

	lines /= sensor->mode->rate_factor;
	for (sensor->shift = 0; lines > type->frame_most; sensor->shift++)
		lines >>= 1;
	ret = look_sensor_write(sensor, type->frame_length, 2, lines);
	if (!ret && type->frame_shift)
		ret = look_sensor_write(sensor, 0x3100, 1, sensor->shift);
	return ret;
}

static int write_exposure(struct look_sensor *sensor, u32 lines)
{
	const struct look_mode *mode = sensor->mode;

	lines = max(lines, mode->exposure_least);
	lines -= lines % mode->exposure_step;
	return look_sensor_write(sensor, sensor->type->exposure, 2, (lines / mode->rate_factor) >> sensor->shift);
}

static int write_colour_gains(struct look_sensor *sensor)
{
	const u32 *gains = sensor->colour_gains->p_new.p_u32;

	return look_sensor_write(sensor, 0x0b92, 2, gains[0]) ?: look_sensor_write(sensor, 0x0b90, 2, gains[3]);
}

static int apply(struct look_sensor *sensor, struct v4l2_ctrl *ctrl)
{
	const struct look_sensor_type *type = sensor->type;

	switch (ctrl->id) {
	case V4L2_CID_VBLANK:
		return write_frame_length(sensor, sensor->mode->height + ctrl->val);
	case V4L2_CID_HBLANK:
		return look_sensor_write(sensor, type->line_length, 2, sensor->mode->width + ctrl->val);
	case V4L2_CID_EXPOSURE:
		return write_exposure(sensor, ctrl->val);
	case V4L2_CID_ANALOGUE_GAIN:
		return look_sensor_write(sensor, type->gain, type->gain_bytes, ctrl->val);
	case V4L2_CID_DIGITAL_GAIN:
		return look_sensor_write(sensor, type->digital_gain, 2, ctrl->val);
	case V4L2_CID_HFLIP:
	case V4L2_CID_VFLIP:
		return look_sensor_write(sensor, type->orientation, 1, sensor->mirror->val | sensor->flip->val << 1);
	case V4L2_CID_TEST_PATTERN:
		return look_sensor_write(sensor, 0x0600, 2, test_pattern_codes[ctrl->val]);
	case V4L2_CID_TEST_PATTERN_RED ... V4L2_CID_TEST_PATTERN_GREENB:
		return look_sensor_write(sensor, 0x0602 + 2 * (ctrl->id - V4L2_CID_TEST_PATTERN_RED), 2, ctrl->val);
	case V4L2_CID_NOTIFY_GAINS:
		return write_colour_gains(sensor);
	default:
		return 0;
	}
}

static void change_range(struct look_sensor *sensor, bool wide)
{
	const struct look_sensor_type *type = sensor->type;
	const struct look_mode *modes = wide ? type->wide_range_modes : type->modes;
	unsigned int count = wide ? type->wide_range_mode_count : type->mode_count;

	sensor->mode = v4l2_find_nearest_size(modes, count, width, height, sensor->mode->width, sensor->mode->height);
	look_sensor_set_limits(sensor);
}

static int set_ctrl(struct v4l2_ctrl *ctrl)
{
	struct look_sensor *sensor = of_handler(ctrl);

	if (ctrl->id == V4L2_CID_VBLANK)
		limit_exposure(sensor, ctrl->val);
	if (ctrl->id == V4L2_CID_WIDE_DYNAMIC_RANGE)
		change_range(sensor, ctrl->val);
	return sensor->streaming ? apply(sensor, ctrl) : 0;
}

static const struct v4l2_ctrl_ops ctrl_ops = { .s_ctrl = set_ctrl };

static const struct v4l2_ctrl_config colour_gains = {
	.ops = &ctrl_ops, .id = V4L2_CID_NOTIFY_GAINS, .type = V4L2_CTRL_TYPE_U32,
	.min = 1, .max = 0xffff, .step = 1, .def = 0x100, .dims = { 4 }, .elem_size = sizeof(u32),
};

void look_sensor_set_limits(struct look_sensor *sensor)
{
	const struct look_sensor_type *type = sensor->type;
	const struct look_mode *mode = sensor->mode;
	s64 vblank = mode->frame_usual - mode->height, hblank = mode->line - mode->width;
	s64 hblank_most = !type->line_most ? hblank : type->keeps_line ? type->line_most - mode->width : type->line_most;

	sensor->shift = 0;
	__v4l2_ctrl_modify_range(sensor->pixel_rate, mode->pixel_rate, mode->pixel_rate, 1, mode->pixel_rate);
	__v4l2_ctrl_modify_range(sensor->vblank, mode->frame_least - mode->height,
				 ((s64)type->frame_most << type->frame_shift) - mode->height, 1, vblank);
	if (!type->keeps_vblank)
		__v4l2_ctrl_s_ctrl(sensor->vblank, vblank);
	limit_exposure(sensor, sensor->vblank->val);
	__v4l2_ctrl_modify_range(sensor->hblank, hblank, hblank_most, 1, hblank);
	/* imx219 takes the length of a line along into the next mode. */
	if (!type->keeps_line)
		__v4l2_ctrl_s_ctrl(sensor->hblank, hblank);
}

static void add_exposure(struct look_sensor *sensor)
{
	const struct look_sensor_type *type = sensor->type;
	struct v4l2_ctrl_handler *handler = &sensor->handler;

	sensor->exposure = v4l2_ctrl_new_std(handler, &ctrl_ops, V4L2_CID_EXPOSURE, type->exposure_least,
					     type->frame_most - type->margin, 1, 0x640);
	v4l2_ctrl_new_std(handler, &ctrl_ops, V4L2_CID_ANALOGUE_GAIN, type->gain_least, type->gain_most, 1,
			  type->gain_least);
	v4l2_ctrl_new_std(handler, &ctrl_ops, V4L2_CID_DIGITAL_GAIN, 0x100, type->digital_most, 1, 0x100);
}

static void add_pattern(struct look_sensor *sensor)
{
	u32 most = sensor->type->test_colour_most;

	v4l2_ctrl_new_std_menu_items(&sensor->handler, &ctrl_ops, V4L2_CID_TEST_PATTERN,
				     ARRAY_SIZE(test_patterns) - 1, 0, 0, test_patterns);
	for (unsigned int i = 0; i < 4; i++)
		v4l2_ctrl_new_std(&sensor->handler, &ctrl_ops, V4L2_CID_TEST_PATTERN_RED + i, 0, most, 1, most);
}

static void add_timing(struct look_sensor *sensor)
{
	struct v4l2_ctrl_handler *handler = &sensor->handler;
	const struct look_mode *mode = sensor->mode;
	struct v4l2_ctrl *link;

	sensor->pixel_rate = v4l2_ctrl_new_std(handler, &ctrl_ops, V4L2_CID_PIXEL_RATE, mode->pixel_rate,
					       mode->pixel_rate, 1, mode->pixel_rate);
	link = v4l2_ctrl_new_int_menu(handler, &ctrl_ops, V4L2_CID_LINK_FREQ, 0, 0, &sensor->type->link_frequency);
	if (link)
		link->flags |= V4L2_CTRL_FLAG_READ_ONLY;
	sensor->vblank = v4l2_ctrl_new_std(handler, &ctrl_ops, V4L2_CID_VBLANK, 0, 0xffff, 1, 0);
	sensor->hblank = v4l2_ctrl_new_std(handler, &ctrl_ops, V4L2_CID_HBLANK, 0, 0xffff, 1, 0);
}

static void add_flips(struct look_sensor *sensor)
{
	sensor->mirror = v4l2_ctrl_new_std(&sensor->handler, &ctrl_ops, V4L2_CID_HFLIP, 0, 1, 1, 0);
	sensor->flip = v4l2_ctrl_new_std(&sensor->handler, &ctrl_ops, V4L2_CID_VFLIP, 0, 1, 1, 0);
	if (sensor->mirror)
		sensor->mirror->flags |= V4L2_CTRL_FLAG_MODIFY_LAYOUT;
	if (sensor->flip)
		sensor->flip->flags |= V4L2_CTRL_FLAG_MODIFY_LAYOUT;
}

int look_sensor_init_controls(struct look_sensor *sensor)
{
	struct v4l2_ctrl_handler *handler = &sensor->handler;
	struct v4l2_fwnode_device_properties properties;

	v4l2_ctrl_handler_init(handler, 20);
	/* VBLANK before EXPOSURE: when a stream starts they are written in this order. */
	add_timing(sensor);
	add_exposure(sensor);
	add_flips(sensor);
	add_pattern(sensor);
	if (sensor->type->has_colour_gains)
		sensor->colour_gains = v4l2_ctrl_new_custom(handler, &colour_gains, NULL);
	if (sensor->type->has_wide_range)
		sensor->wide_range = v4l2_ctrl_new_std(handler, &ctrl_ops, V4L2_CID_WIDE_DYNAMIC_RANGE, 0, 1, 1, 0);
	if (!v4l2_fwnode_device_parse(&sensor->client->dev, &properties))
		v4l2_ctrl_new_fwnode_properties(handler, &ctrl_ops, &properties);
	if (handler->error)
		return handler->error;
	if (!sensor->type->line_most)
		sensor->hblank->flags |= V4L2_CTRL_FLAG_READ_ONLY;
	if (sensor->wide_range)
		sensor->wide_range->flags |= V4L2_CTRL_FLAG_MODIFY_LAYOUT;
	sensor->sd.ctrl_handler = handler;

	mutex_lock(handler->lock);
	look_sensor_set_limits(sensor);
	if (sensor->type->keeps_vblank)
		__v4l2_ctrl_s_ctrl(sensor->vblank, sensor->mode->frame_usual - sensor->mode->height);
	mutex_unlock(handler->lock);
	return 0;
}
