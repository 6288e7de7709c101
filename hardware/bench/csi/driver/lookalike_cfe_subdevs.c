// SPDX-License-Identifier: GPL-2.0
/* The sub-devices csi2 and pisp-fe of the look-alike of rp1-cfe. Validation of links is v4l2-core's. */
#include "lookalike_cfe.h"

static struct cfe *of_csi2(struct v4l2_subdev *sd)
{
	return container_of(sd, struct cfe, csi2);
}

static struct cfe *of_fe(struct v4l2_subdev *sd)
{
	return container_of(sd, struct cfe, fe);
}

/* The code that a channel can turn this one into, 0 where it can not. */
static u32 code_of_fourcc(u32 fourcc, unsigned int table)
{
	const struct look_format *format = fourcc ? look_format_of_fourcc(fourcc, table) : NULL;

	return format ? format->code : 0;
}

static bool can_become(u32 sink, u32 source, unsigned int table)
{
	const struct look_format *format = look_format_of_code(sink, table);

	return format && source && (source == code_of_fourcc(format->remapped, table) ||
				    source == code_of_fourcc(format->compressed, table));
}

static int csi2_set_fmt(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, struct v4l2_subdev_format *format)
{
	struct cfe *cfe = of_csi2(sd);
	u32 sinks = cfe->flavour->sinks;
	struct v4l2_mbus_framefmt *mine = v4l2_subdev_state_get_format(state, format->pad, format->stream);
	struct v4l2_mbus_framefmt *other;

	if (cfe->flavour->streams)
		other = v4l2_subdev_state_get_opposite_stream_format(state, format->pad, format->stream);
	else
		other = v4l2_subdev_state_get_format(state, format->pad < sinks ? format->pad + sinks :
								 format->pad - sinks);
	if (!mine || !other)
		return -EINVAL;
	if (format->pad < sinks) {
		/* As the originals do: the sink keeps the field that was asked for, the source gets NONE. */
		*mine = format->format;
		format->format.field = V4L2_FIELD_NONE;
		*other = format->format;
	} else {
		/* A source's code alone can be changed. It stays changed until the sink is set again. */
		if (can_become(other->code, format->format.code, cfe->flavour->table))
			mine->code = format->format.code;
		format->format.code = mine->code;
	}
	return 0;
}

static int csi2_set_routes(struct v4l2_subdev *sd, struct v4l2_subdev_state *state,
			   enum v4l2_subdev_format_whence which, struct v4l2_subdev_krouting *routing)
{
	int ret = v4l2_subdev_routing_validate(sd, routing, V4L2_SUBDEV_ROUTING_ONLY_1_TO_1 |
						       V4L2_SUBDEV_ROUTING_NO_SOURCE_MULTIPLEXING);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < routing->num_routes; i++)
		if (routing->routes[i].source_stream)
			return -EINVAL;
	return v4l2_subdev_set_routing_with_fmt(sd, state, routing, &cfe_default_image);
}

static int csi2_init_streams(struct v4l2_subdev *sd, struct v4l2_subdev_state *state)
{
	struct v4l2_subdev_route route = { .source_pad = 1, .flags = V4L2_SUBDEV_ROUTE_FL_ACTIVE };
	struct v4l2_subdev_krouting routing = { .len_routes = 1, .num_routes = 1, .routes = &route };

	return v4l2_subdev_set_routing_with_fmt(sd, state, &routing, &cfe_default_image);
}

static const struct v4l2_mbus_framefmt default_embedded = {
	.width = 16384, .height = 1, .code = MEDIA_BUS_FMT_SENSOR_DATA, .field = V4L2_FIELD_NONE,
};

static int csi2_init_state(struct v4l2_subdev *sd, struct v4l2_subdev_state *state)
{
	struct cfe *cfe = of_csi2(sd);

	if (cfe->flavour->streams)
		return csi2_init_streams(sd, state);
	for (unsigned int pad = 0; pad < CFE_CHANNELS * 2; pad++)
		*v4l2_subdev_state_get_format(state, pad) =
			pad % CFE_CHANNELS == CFE_CH1 ? default_embedded : cfe_default_image;
	return 0;
}

static const struct v4l2_subdev_pad_ops csi2_pad_ops = {
	.get_fmt = v4l2_subdev_get_fmt,
	.set_fmt = csi2_set_fmt,
	.link_validate = v4l2_subdev_link_validate_default,
};

static const struct v4l2_subdev_pad_ops csi2_streams_pad_ops = {
	.get_fmt = v4l2_subdev_get_fmt,
	.set_fmt = csi2_set_fmt,
	.set_routing = csi2_set_routes,
	.link_validate = v4l2_subdev_link_validate_default,
};

static const struct v4l2_subdev_ops csi2_ops = { .pad = &csi2_pad_ops };
static const struct v4l2_subdev_ops csi2_streams_ops = { .pad = &csi2_streams_pad_ops };
static const struct v4l2_subdev_internal_ops csi2_internal_ops = { .init_state = csi2_init_state };

static const struct media_entity_operations csi2_entity_ops = { .link_validate = v4l2_subdev_link_validate };
static const struct media_entity_operations csi2_streams_entity_ops = {
	.link_validate = v4l2_subdev_link_validate,
	.has_pad_interdep = v4l2_subdev_has_pad_interdep,
};

int cfe_register_csi2(struct cfe *cfe)
{
	struct v4l2_subdev *sd = &cfe->csi2;
	bool streams = cfe->flavour->streams;
	u32 sinks = cfe->flavour->sinks;
	int ret;

	v4l2_subdev_init(sd, streams ? &csi2_streams_ops : &csi2_ops);
	sd->internal_ops = &csi2_internal_ops;
	sd->entity.function = MEDIA_ENT_F_VID_IF_BRIDGE;
	sd->entity.ops = streams ? &csi2_streams_entity_ops : &csi2_entity_ops;
	sd->flags = V4L2_SUBDEV_FL_HAS_DEVNODE | (streams ? V4L2_SUBDEV_FL_STREAMS : 0);
	sd->dev = cfe->dev;
	strscpy(sd->name, "csi2", sizeof(sd->name));
	for (u32 pad = 0; pad < sinks + CFE_CHANNELS; pad++)
		cfe->csi2_pads[pad].flags = pad < sinks ? MEDIA_PAD_FL_SINK : MEDIA_PAD_FL_SOURCE;
	ret = media_entity_pads_init(&sd->entity, sinks + CFE_CHANNELS, cfe->csi2_pads);
	if (!ret)
		ret = v4l2_subdev_init_finalize(sd);
	return ret ?: v4l2_device_register_subdev(&cfe->v4l2, sd);
}

static int fe_init_state(struct v4l2_subdev *sd, struct v4l2_subdev_state *state)
{
	const struct cfe_flavour *flavour = of_fe(sd)->flavour;

	for (unsigned int pad = 0; pad < FE_PADS; pad++) {
		struct v4l2_mbus_framefmt *format = v4l2_subdev_state_get_format(state, pad);

		*format = pad == FE_CONFIG || pad == FE_STATS ? default_embedded : cfe_default_image;
		format->code = pad == FE_CONFIG ? flavour->config_code :
			       pad == FE_STATS ? flavour->stats_code : MEDIA_BUS_FMT_SRGGB16_1X16;
	}
	return 0;
}

/* The front end takes 16 bits or compressed pixels only: any other code becomes SRGGB16. Nothing is propagated. */
static int fe_set_fmt(struct v4l2_subdev *sd, struct v4l2_subdev_state *state, struct v4l2_subdev_format *format)
{
	const struct cfe_flavour *flavour = of_fe(sd)->flavour;
	const struct look_format *known;

	if (format->pad == FE_CONFIG) {
		format->format.code = flavour->config_code;
	} else if (format->pad == FE_STATS) {
		format->format.code = flavour->stats_code;
	} else {
		known = look_format_of_code(format->format.code, flavour->table);
		if (!known || !(known->flags & LOOK_FRONT_END))
			format->format.code = MEDIA_BUS_FMT_SRGGB16_1X16;
	}
	*v4l2_subdev_state_get_format(state, format->pad) = format->format;
	return 0;
}

/* Width and code alone, as in the original (whose comparison of heights compares widths). */
static int fe_link_validate(struct v4l2_subdev *sd, struct media_link *link, struct v4l2_subdev_format *source,
			    struct v4l2_subdev_format *sink)
{
	if (source->format.width != sink->format.width || source->format.code != sink->format.code)
		return -EPIPE;
	return 0;
}

static const struct v4l2_subdev_pad_ops fe_pad_ops = {
	.get_fmt = v4l2_subdev_get_fmt,
	.set_fmt = fe_set_fmt,
	.link_validate = fe_link_validate,
};

static const struct v4l2_subdev_ops fe_ops = { .pad = &fe_pad_ops };
static const struct v4l2_subdev_internal_ops fe_internal_ops = { .init_state = fe_init_state };
static const struct media_entity_operations fe_entity_ops = { .link_validate = v4l2_subdev_link_validate };

int cfe_register_fe(struct cfe *cfe)
{
	struct v4l2_subdev *sd = &cfe->fe;
	int ret;

	v4l2_subdev_init(sd, &fe_ops);
	sd->internal_ops = &fe_internal_ops;
	sd->entity.function = MEDIA_ENT_F_PROC_VIDEO_SCALER;
	sd->entity.ops = &fe_entity_ops;
	sd->flags = V4L2_SUBDEV_FL_HAS_DEVNODE;
	sd->dev = cfe->dev;
	strscpy(sd->name, "pisp-fe", sizeof(sd->name));
	for (unsigned int pad = 0; pad < FE_PADS; pad++)
		cfe->fe_pads[pad].flags = pad > FE_CONFIG ? MEDIA_PAD_FL_SOURCE : MEDIA_PAD_FL_SINK;
	cfe->fe_pads[FE_STREAM].flags |= MEDIA_PAD_FL_MUST_CONNECT;
	ret = media_entity_pads_init(&sd->entity, FE_PADS, cfe->fe_pads);
	if (!ret)
		ret = v4l2_subdev_init_finalize(sd);
	return ret ?: v4l2_device_register_subdev(&cfe->v4l2, sd);
}
