// SPDX-License-Identifier: GPL-2.0
/*
 * A look-alike sensor as the Raspberry Pi's kernels have it: source pad 0 sends the image, source pad 1 the metadata.
 * No sub-device state of its own: the active format is the mode.
 */
#include <media/v4l2-async.h>
#include <media/v4l2-common.h>
#include <media/v4l2-device.h>
#include <media/v4l2-event.h>

#include "lookalike_sensor.h"

static void fill_metadata(const struct look_sensor *sensor, struct v4l2_mbus_framefmt *format)
{
	format->width = sensor->type->embedded_width;
	format->height = sensor->type->embedded_height;
	format->code = MEDIA_BUS_FMT_SENSOR_DATA;
	format->field = V4L2_FIELD_NONE;
}

static int enum_codes(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, struct v4l2_subdev_mbus_code_enum *codes)
{
	struct look_sensor *sensor = to_look_sensor(sd);

	if (codes->pad == LOOK_METADATA_PAD) {
		codes->code = MEDIA_BUS_FMT_SENSOR_DATA;
		return codes->index ? -EINVAL : 0;
	}
	if (codes->index >= sensor->type->code_count / 4)
		return -EINVAL;
	mutex_lock(sensor->handler.lock);
	codes->code = look_sensor_code(sensor, sensor->type->codes[codes->index * 4]);
	mutex_unlock(sensor->handler.lock);
	return 0;
}

static int enum_sizes(struct v4l2_subdev *sd, struct v4l2_subdev_state *state,
		      struct v4l2_subdev_frame_size_enum *sizes)
{
	struct look_sensor *sensor = to_look_sensor(sd);
	int ret;

	if (sizes->pad == LOOK_METADATA_PAD) {
		if (sizes->index || sizes->code != MEDIA_BUS_FMT_SENSOR_DATA)
			return -EINVAL;
		sizes->min_width = sizes->max_width = sensor->type->embedded_width;
		sizes->min_height = sizes->max_height = sensor->type->embedded_height;
		return 0;
	}
	mutex_lock(sensor->handler.lock);
	ret = look_sensor_enum_sizes(sensor, sizes);
	mutex_unlock(sensor->handler.lock);
	return ret;
}

static int get_fmt(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, struct v4l2_subdev_format *format)
{
	struct look_sensor *sensor = to_look_sensor(sd);
	struct v4l2_mbus_framefmt *tried;

	mutex_lock(sensor->handler.lock);
	if (format->which == V4L2_SUBDEV_FORMAT_TRY) {
		tried = v4l2_subdev_state_get_format(state, format->pad);
		if (format->pad == LOOK_IMAGE_PAD)
			tried->code = look_sensor_code(sensor, tried->code);
		format->format = *tried;
	} else if (format->pad == LOOK_IMAGE_PAD) {
		look_sensor_fill_image(sensor->mode, look_sensor_code(sensor, sensor->code), &format->format);
	} else {
		fill_metadata(sensor, &format->format);
	}
	mutex_unlock(sensor->handler.lock);
	return 0;
}

static int set_fmt(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, struct v4l2_subdev_format *format)
{
	struct look_sensor *sensor = to_look_sensor(sd);
	const struct look_mode *mode = NULL;

	mutex_lock(sensor->handler.lock);
	if (format->pad == LOOK_IMAGE_PAD) {
		u32 code = look_sensor_code(sensor, format->format.code);

		mode = look_sensor_nearest(sensor, code, format->format.width, format->format.height);
		look_sensor_fill_image(mode, code, &format->format);
	} else {
		fill_metadata(sensor, &format->format);
	}
	if (format->which == V4L2_SUBDEV_FORMAT_TRY)
		*v4l2_subdev_state_get_format(state, format->pad) = format->format;
	else if (mode)
		look_sensor_set_mode(sensor, mode, format->format.code);
	mutex_unlock(sensor->handler.lock);
	return 0;
}

static int init_state(struct v4l2_subdev *sd, struct v4l2_subdev_state *state)
{
	struct look_sensor *sensor = to_look_sensor(sd);

	look_sensor_fill_image(&sensor->type->modes[0], sensor->type->codes[0],
			       v4l2_subdev_state_get_format(state, LOOK_IMAGE_PAD));
	fill_metadata(sensor, v4l2_subdev_state_get_format(state, LOOK_METADATA_PAD));
	return 0;
}

static int s_stream(struct v4l2_subdev *sd, int on)
{
	struct look_sensor *sensor = to_look_sensor(sd);
	int ret = 0;

	mutex_lock(sensor->handler.lock);
	if (on)
		ret = look_sensor_start(sensor);
	else
		look_sensor_stop(sensor);
	mutex_unlock(sensor->handler.lock);
	return ret;
}

static const struct v4l2_subdev_core_ops core_ops = {
	.subscribe_event = v4l2_ctrl_subdev_subscribe_event,
	.unsubscribe_event = v4l2_event_subdev_unsubscribe,
};

static const struct v4l2_subdev_video_ops video_ops = { .s_stream = s_stream };

static const struct v4l2_subdev_pad_ops pad_ops = {
	.enum_mbus_code = enum_codes,
	.enum_frame_size = enum_sizes,
	.get_fmt = get_fmt,
	.set_fmt = set_fmt,
	.get_selection = look_sensor_get_selection,
};

static const struct v4l2_subdev_ops subdev_ops = { .core = &core_ops, .video = &video_ops, .pad = &pad_ops };
static const struct v4l2_subdev_internal_ops internal_ops = { .init_state = init_state };

int look_sensor_register_pads(struct look_sensor *sensor)
{
	struct v4l2_subdev *sd = &sensor->sd;
	int ret;

	v4l2_i2c_subdev_init(sd, sensor->client, &subdev_ops);
	v4l2_i2c_subdev_set_name(sd, sensor->client, sensor->type->name, NULL);
	/* That of the imx708 calls itself after the kind of its lens and filter. */
	if (sensor->type->has_wide_range)
		strscpy(sd->name, "imx708", sizeof(sd->name));
	sd->internal_ops = &internal_ops;
	sd->flags |= V4L2_SUBDEV_FL_HAS_DEVNODE | V4L2_SUBDEV_FL_HAS_EVENTS;
	sd->entity.function = MEDIA_ENT_F_CAM_SENSOR;
	ret = look_sensor_init_controls(sensor);
	if (ret)
		return ret;
	sensor->pads[LOOK_IMAGE_PAD].flags = MEDIA_PAD_FL_SOURCE;
	sensor->pads[LOOK_METADATA_PAD].flags = MEDIA_PAD_FL_SOURCE;
	ret = media_entity_pads_init(&sd->entity, LOOK_PADS, sensor->pads);
	return ret ?: v4l2_async_register_subdev_sensor(sd);
}
