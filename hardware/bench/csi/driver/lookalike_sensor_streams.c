// SPDX-License-Identifier: GPL-2.0
/*
 * A look-alike sensor with internal sink pads, as a coming mainline has it: one source pad that sends two streams, the
 * image (0) and the embedded data (1), which come from two sinks that nothing can be linked to.
 */
#include <media/mipi-csi2.h>
#include <media/v4l2-async.h>
#include <media/v4l2-common.h>
#include <media/v4l2-device.h>
#include <media/v4l2-event.h>

#include "lookalike_sensor.h"

/* Unknown to this version; the number is that of later ones. */
#ifndef MEDIA_PAD_FL_INTERNAL
#define MEDIA_PAD_FL_INTERNAL (1U << 3)
#endif

#define IMAGE_STREAM 0
#define METADATA_STREAM 1
#define METADATA_LINES 2

static u32 metadata_code(u32 image_code)
{
	switch (look_format_of_code(image_code, LOOK_CFE)->depth) {
	case 8:
		return MEDIA_BUS_FMT_META_8;
	case 12:
		return MEDIA_BUS_FMT_META_12;
	default:
		return MEDIA_BUS_FMT_META_10;
	}
}

static void fill_metadata(const struct v4l2_mbus_framefmt *image, struct v4l2_mbus_framefmt *format)
{
	memset(format, 0, sizeof(*format));
	format->width = image->width;
	format->height = METADATA_LINES;
	format->code = metadata_code(image->code);
	format->field = V4L2_FIELD_NONE;
}

/* The formats of all pads follow from the image's. */
static void fill_state(struct look_sensor *sensor, struct v4l2_subdev_state *state, const struct look_mode *mode,
		       u32 code)
{
	struct v4l2_mbus_framefmt *image = v4l2_subdev_state_get_format(state, LOOK_SOURCE, IMAGE_STREAM);
	struct v4l2_mbus_framefmt *metadata = v4l2_subdev_state_get_format(state, LOOK_SOURCE, METADATA_STREAM);
	struct v4l2_mbus_framefmt *inner = v4l2_subdev_state_get_format(state, LOOK_INTERNAL_IMAGE, 0);

	look_sensor_fill_image(mode, code, image);
	if (inner) {
		*inner = *image;
		inner->width = sensor->type->active.width;
		inner->height = sensor->type->active.height;
	}
	if (metadata)
		fill_metadata(image, metadata);
	metadata = v4l2_subdev_state_get_format(state, LOOK_INTERNAL_METADATA, 0);
	if (metadata)
		fill_metadata(image, metadata);
}

static int enum_codes(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, struct v4l2_subdev_mbus_code_enum *codes)
{
	struct look_sensor *sensor = to_look_sensor(sd);
	bool metadata = codes->pad == LOOK_INTERNAL_METADATA || codes->stream == METADATA_STREAM;

	if (codes->index >= (metadata ? 1 : sensor->type->code_count / 4))
		return -EINVAL;
	if (metadata)
		codes->code = metadata_code(v4l2_subdev_state_get_format(state, LOOK_SOURCE, IMAGE_STREAM)->code);
	else
		codes->code = look_sensor_code(sensor, sensor->type->codes[codes->index * 4]);
	return 0;
}

static int enum_sizes(struct v4l2_subdev *sd, struct v4l2_subdev_state *state,
		      struct v4l2_subdev_frame_size_enum *sizes)
{
	struct v4l2_mbus_framefmt *format = v4l2_subdev_state_get_format(state, sizes->pad, sizes->stream);

	if (sizes->pad == LOOK_SOURCE && sizes->stream == IMAGE_STREAM)
		return look_sensor_enum_sizes(to_look_sensor(sd), sizes);
	if (!format || sizes->index || sizes->code != format->code)
		return -EINVAL;
	sizes->min_width = sizes->max_width = format->width;
	sizes->min_height = sizes->max_height = format->height;
	return 0;
}

/* Only the image can be chosen, and only where it leaves the sensor. */
static int set_fmt(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, struct v4l2_subdev_format *format)
{
	struct look_sensor *sensor = to_look_sensor(sd);
	const struct look_mode *mode;
	u32 code;

	if (format->pad != LOOK_SOURCE || format->stream != IMAGE_STREAM)
		return v4l2_subdev_get_fmt(sd, state, format);
	if (format->which == V4L2_SUBDEV_FORMAT_ACTIVE && sensor->streaming)
		return -EBUSY;
	code = look_sensor_code(sensor, format->format.code);
	mode = look_sensor_nearest(sensor, code, format->format.width, format->format.height);
	fill_state(sensor, state, mode, code);
	format->format = *v4l2_subdev_state_get_format(state, LOOK_SOURCE, IMAGE_STREAM);
	if (format->which == V4L2_SUBDEV_FORMAT_ACTIVE)
		look_sensor_set_mode(sensor, mode, code);
	return 0;
}

static struct v4l2_subdev_route routes[] = {
	{
		.sink_pad = LOOK_INTERNAL_IMAGE, .source_pad = LOOK_SOURCE, .source_stream = IMAGE_STREAM,
		.flags = V4L2_SUBDEV_ROUTE_FL_ACTIVE,
	}, {
		.sink_pad = LOOK_INTERNAL_METADATA, .source_pad = LOOK_SOURCE, .source_stream = METADATA_STREAM,
		.flags = V4L2_SUBDEV_ROUTE_FL_ACTIVE,
	},
};

/* The routes are what they are: another set is answered with this one, as the original does. */
static int set_routes(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, enum v4l2_subdev_format_whence which,
		      struct v4l2_subdev_krouting *routing)
{
	struct look_sensor *sensor = to_look_sensor(sd);
	struct v4l2_subdev_krouting fixed = {
		.len_routes = ARRAY_SIZE(routes), .num_routes = ARRAY_SIZE(routes), .routes = routes,
	};
	int ret = v4l2_subdev_set_routing(sd, state, &fixed);

	if (!ret)
		fill_state(sensor, state, sensor->mode, sensor->code);
	return ret;
}

static int init_state(struct v4l2_subdev *sd, struct v4l2_subdev_state *state)
{
	return set_routes(sd, state, V4L2_SUBDEV_FORMAT_ACTIVE, NULL);
}

static int describe_frame(struct v4l2_subdev *sd, unsigned int pad, struct v4l2_mbus_frame_desc *description)
{
	struct v4l2_subdev_state *state = v4l2_subdev_lock_and_get_active_state(sd);
	u32 code = v4l2_subdev_state_get_format(state, LOOK_SOURCE, IMAGE_STREAM)->code;

	v4l2_subdev_unlock_state(state);
	memset(description, 0, sizeof(*description));
	description->type = V4L2_MBUS_FRAME_DESC_TYPE_CSI2;
	description->num_entries = 2;
	description->entry[0].stream = IMAGE_STREAM;
	description->entry[0].pixelcode = code;
	description->entry[0].bus.csi2.dt = look_format_of_code(code, LOOK_CFE)->depth == 8 ? MIPI_CSI2_DT_RAW8 :
											       MIPI_CSI2_DT_RAW10;
	description->entry[1].stream = METADATA_STREAM;
	description->entry[1].pixelcode = metadata_code(code);
	description->entry[1].bus.csi2.dt = MIPI_CSI2_DT_EMBEDDED_8B;
	return 0;
}

static int enable(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, u32 pad, u64 streams)
{
	return look_sensor_start(to_look_sensor(sd));
}

static int disable(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, u32 pad, u64 streams)
{
	look_sensor_stop(to_look_sensor(sd));
	return 0;
}

static const struct v4l2_subdev_core_ops core_ops = {
	.subscribe_event = v4l2_ctrl_subdev_subscribe_event,
	.unsubscribe_event = v4l2_event_subdev_unsubscribe,
};

static const struct v4l2_subdev_video_ops video_ops = { .s_stream = v4l2_subdev_s_stream_helper };

static const struct v4l2_subdev_pad_ops pad_ops = {
	.enum_mbus_code = enum_codes,
	.enum_frame_size = enum_sizes,
	.get_fmt = v4l2_subdev_get_fmt,
	.set_fmt = set_fmt,
	.set_routing = set_routes,
	.get_frame_desc = describe_frame,
	.enable_streams = enable,
	.disable_streams = disable,
	.get_selection = look_sensor_get_selection,
};

static const struct v4l2_subdev_ops subdev_ops = { .core = &core_ops, .video = &video_ops, .pad = &pad_ops };
static const struct v4l2_subdev_internal_ops internal_ops = { .init_state = init_state };

int look_sensor_register_streams(struct look_sensor *sensor)
{
	struct v4l2_subdev *sd = &sensor->sd;
	int ret;

	v4l2_i2c_subdev_init(sd, sensor->client, &subdev_ops);
	v4l2_i2c_subdev_set_name(sd, sensor->client, sensor->type->name, NULL);
	sd->internal_ops = &internal_ops;
	sd->flags |= V4L2_SUBDEV_FL_HAS_DEVNODE | V4L2_SUBDEV_FL_HAS_EVENTS | V4L2_SUBDEV_FL_STREAMS;
	sd->entity.function = MEDIA_ENT_F_CAM_SENSOR;
	ret = look_sensor_init_controls(sensor);
	if (ret)
		return ret;
	sensor->pads[LOOK_SOURCE].flags = MEDIA_PAD_FL_SOURCE;
	sensor->pads[LOOK_INTERNAL_IMAGE].flags = MEDIA_PAD_FL_SINK | MEDIA_PAD_FL_INTERNAL;
	sensor->pads[LOOK_INTERNAL_METADATA].flags = MEDIA_PAD_FL_SINK | MEDIA_PAD_FL_INTERNAL;
	ret = media_entity_pads_init(&sd->entity, LOOK_STREAM_PADS, sensor->pads);
	if (ret)
		return ret;
	/* One lock for controls and formats. */
	sd->state_lock = sensor->handler.lock;
	ret = v4l2_subdev_init_finalize(sd);
	return ret ?: v4l2_async_register_subdev_sensor(sd);
}
