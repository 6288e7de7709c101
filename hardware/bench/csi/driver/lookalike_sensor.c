// SPDX-License-Identifier: GPL-2.0
/*
 * Look-alike sensor drivers: registers, modes, start and stop. The compatible string says which driver is played:
 *
 *   framelock,imx219           of the Raspberry Pi's kernels: a second source pad for metadata
 *   framelock,imx219-streams   of a coming mainline: internal sink pads, two streams of one source pad
 *   sony,imx477, sony,imx708   of the Raspberry Pi's kernels; the mainline has none
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/unaligned.h>
#include <media/v4l2-device.h>

#include "lookalike_sensor.h"

int look_sensor_read16(struct look_sensor *sensor, u16 address, u32 *value)
{
	struct i2c_client *client = sensor->client;
	u8 at[2], data[2];
	struct i2c_msg messages[] = {
		{ .addr = client->addr, .len = 2, .buf = at },
		{ .addr = client->addr, .flags = I2C_M_RD, .len = 2, .buf = data },
	};

	put_unaligned_be16(address, at);
	if (i2c_transfer(client->adapter, messages, 2) != 2)
		return -EIO;
	*value = get_unaligned_be16(data);
	return 0;
}

int look_sensor_write(struct look_sensor *sensor, u16 address, unsigned int bytes, u32 value)
{
	u8 data[6];

	put_unaligned_be16(address, data);
	put_unaligned_be32(value << (32 - 8 * bytes), data + 2);
	return i2c_master_send(sensor->client, data, bytes + 2) == bytes + 2 ? 0 : -EIO;
}

/* The code of the same depth that goes with the flips; the first one for a code that the sensor does not have. */
u32 look_sensor_code(const struct look_sensor *sensor, u32 code)
{
	const struct look_sensor_type *type = sensor->type;
	unsigned int at = 0;

	for (unsigned int i = 0; i < type->code_count; i++)
		if (type->codes[i] == code)
			at = i & ~3;
	return type->codes[at | (sensor->flip->val ? 2 : 0) | (sensor->mirror->val ? 1 : 0)];
}

static bool fits_code(const struct look_mode *mode, u32 code)
{
	return !mode->bits || mode->bits == look_format_of_code(code, LOOK_CFE)->depth;
}

static const struct look_mode *modes_of(const struct look_sensor *sensor, unsigned int *count)
{
	bool wide = sensor->wide_range && sensor->wide_range->val;

	*count = wide ? sensor->type->wide_range_mode_count : sensor->type->mode_count;
	return wide ? sensor->type->wide_range_modes : sensor->type->modes;
}

const struct look_mode *look_sensor_nearest(const struct look_sensor *sensor, u32 code, u32 width, u32 height)
{
	const struct look_mode *best = NULL, *modes;
	u32 least = U32_MAX;
	unsigned int count;

	modes = modes_of(sensor, &count);
	for (unsigned int i = 0; i < count; i++) {
		u32 away = abs((int)(modes[i].width - width)) + abs((int)(modes[i].height - height));

		if (fits_code(&modes[i], code) && away < least) {
			least = away;
			best = &modes[i];
		}
	}
	return best;
}

int look_sensor_enum_sizes(struct look_sensor *sensor, struct v4l2_subdev_frame_size_enum *sizes)
{
	unsigned int count, place = 0;
	const struct look_mode *modes = modes_of(sensor, &count);

	if (sizes->code != look_sensor_code(sensor, sizes->code))
		return -EINVAL;
	for (unsigned int i = 0; i < count; i++) {
		if (!fits_code(&modes[i], sizes->code) || place++ != sizes->index)
			continue;
		sizes->min_width = sizes->max_width = modes[i].width;
		sizes->min_height = sizes->max_height = modes[i].height;
		return 0;
	}
	return -EINVAL;
}

/* Another mode takes its usual frame rate, and imx219 keeps the length of its lines. */
void look_sensor_set_mode(struct look_sensor *sensor, const struct look_mode *mode, u32 code)
{
	s64 line = sensor->mode->width + sensor->hblank->val;
	bool same = sensor->mode == mode && (sensor->code == code || !sensor->type->keeps_line);

	sensor->code = code;
	if (same && !sensor->type->keeps_vblank)
		return;
	sensor->mode = mode;
	look_sensor_set_limits(sensor);
	if (sensor->type->keeps_line)
		__v4l2_ctrl_s_ctrl(sensor->hblank, line - mode->width);
}

void look_sensor_fill_image(const struct look_mode *mode, u32 code, struct v4l2_mbus_framefmt *format)
{
	format->width = mode->width;
	format->height = mode->height;
	format->code = code;
	format->field = V4L2_FIELD_NONE;
	format->colorspace = V4L2_COLORSPACE_RAW;
	format->ycbcr_enc = V4L2_MAP_YCBCR_ENC_DEFAULT(format->colorspace);
	format->quantization = V4L2_MAP_QUANTIZATION_DEFAULT(true, format->colorspace, format->ycbcr_enc);
	format->xfer_func = V4L2_MAP_XFER_FUNC_DEFAULT(format->colorspace);
}

int look_sensor_get_selection(struct v4l2_subdev *sd, struct v4l2_subdev_state *state,
			      struct v4l2_subdev_selection *selection)
{
	struct look_sensor *sensor = to_look_sensor(sd);

	switch (selection->target) {
	case V4L2_SEL_TGT_CROP:
		selection->r = selection->which == V4L2_SUBDEV_FORMAT_TRY ? sensor->type->active : sensor->mode->crop;
		return 0;
	case V4L2_SEL_TGT_NATIVE_SIZE:
		selection->r = sensor->type->native;
		return 0;
	case V4L2_SEL_TGT_CROP_DEFAULT:
	case V4L2_SEL_TGT_CROP_BOUNDS:
		selection->r = sensor->type->active;
		return 0;
	}
	return -EINVAL;
}

static void grab(struct look_sensor *sensor, bool streaming)
{
	sensor->streaming = streaming;
	__v4l2_ctrl_grab(sensor->mirror, streaming);
	__v4l2_ctrl_grab(sensor->flip, streaming);
	if (sensor->wide_range)
		__v4l2_ctrl_grab(sensor->wide_range, streaming);
}

/* Power, the mode's registers, the controls' values, and go. */
int look_sensor_start(struct look_sensor *sensor)
{
	int ret;

	if (sensor->streaming)
		return 0;
	usleep_range(sensor->type->power_on_us, sensor->type->power_on_us + 1000);
	ret = sensor->type->write_mode(sensor);
	if (ret)
		return ret;
	sensor->streaming = true;
	ret = __v4l2_ctrl_handler_setup(&sensor->handler);
	if (!ret)
		ret = look_sensor_write(sensor, 0x0100, 1, 1);
	grab(sensor, !ret);
	return ret;
}

void look_sensor_stop(struct look_sensor *sensor)
{
	if (!sensor->streaming)
		return;
	if (look_sensor_write(sensor, 0x0100, 1, 0))
		dev_err(&sensor->client->dev, "the sensor does not answer when it is to stop\n");
	grab(sensor, false);
}

static int identify(struct look_sensor *sensor)
{
	struct device *dev = &sensor->client->dev;
	u32 id;
	int ret;

	usleep_range(sensor->type->power_on_us, sensor->type->power_on_us + 1000);
	ret = look_sensor_read16(sensor, sensor->type->id_register, &id);
	if (ret)
		return dev_err_probe(dev, ret, "no answer when asked for the chip's number\n");
	if (id != sensor->type->id)
		return dev_err_probe(dev, -EIO, "chip 0x%04x, not 0x%04x\n", id, sensor->type->id);
	return 0;
}

struct playing {
	const struct look_sensor_type *type;
	int (*register_it)(struct look_sensor *sensor);
};

static int probe(struct i2c_client *client)
{
	const struct playing *playing = of_device_get_match_data(&client->dev);
	struct look_sensor *sensor;
	int ret;

	/* The kernel compares names without their vendor, too: a real driver's sensor that failed to probe is not ours. */
	if (!playing)
		return -ENODEV;
	/* Freed only if there is no such sensor: the driver is part of the kernel, and its devices are never unbound. */
	sensor = kzalloc(sizeof(*sensor), GFP_KERNEL);
	if (!sensor)
		return -ENOMEM;
	sensor->client = client;
	sensor->type = playing->type;
	sensor->mode = &sensor->type->modes[0];
	sensor->code = sensor->type->codes[0];
	ret = identify(sensor);
	if (!ret)
		return playing->register_it(sensor);
	kfree(sensor);
	return ret;
}

static const struct playing imx219 = { &look_imx219, look_sensor_register_pads };
static const struct playing imx219_streams = { &look_imx219, look_sensor_register_streams };
static const struct playing imx477 = { &look_imx477, look_sensor_register_pads };
static const struct playing imx708 = { &look_imx708, look_sensor_register_pads };

static const struct of_device_id matches[] = {
	{ .compatible = "framelock,imx219", .data = &imx219 },
	{ .compatible = "framelock,imx219-streams", .data = &imx219_streams },
	{ .compatible = "sony,imx477", .data = &imx477 },
	{ .compatible = "sony,imx708", .data = &imx708 },
	{}
};

static struct i2c_driver driver = {
	.driver = { .name = "framelock-sensor", .of_match_table = matches, .suppress_bind_attrs = true },
	.probe = probe,
};

static int __init start(void)
{
	return i2c_add_driver(&driver);
}
device_initcall(start);
