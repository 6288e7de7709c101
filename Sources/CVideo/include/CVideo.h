// The kernel's V4L2 and media interfaces as Swift can call them.
//
// One typed inline function per request, returning the ioctl's result (>= 0) or -errno, so that errno never has to
// survive a call made by Swift's runtime. EINTR is retried here and nowhere else. Plain ioctls only: libv4l's own open
// may switch on software auto gain and white balance.
#pragma once

#include <linux/media.h>
#include <linux/v4l2-subdev.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <string.h>

#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

// Functions of the capture path: Swift may call them where it may neither allocate nor lock.
#ifdef __clang__
#define FL_RT __attribute__((swift_attr("@_noLocks")))
#else
#define FL_RT
#endif

// Definitions that older kernel headers lack.
#ifndef V4L2_CAP_IO_MC
#define V4L2_CAP_IO_MC 0x20000000
#endif
#ifndef V4L2_CID_PRIVACY
#define V4L2_CID_PRIVACY 0x009a0910
#endif
#ifndef MEDIA_LNK_FL_ANCILLARY_LINK
#define MEDIA_LNK_FL_ANCILLARY_LINK (2 << 28)
#endif

// Since Linux 6.16; an internal pad's pixels or metadata are made inside the entity.
#ifndef MEDIA_PAD_FL_INTERNAL
#define MEDIA_PAD_FL_INTERNAL (1U << 3)
#endif

// Streams and routes of sub-devices as Linux has them since 6.8. The headers of Debian 12 know none; those of 6.3 to
// 6.7 have another layout, whose requests have other numbers, so that such a kernel answers ENOTTY: no streams.
struct fl_subdev_capability {
  uint32_t version;
  uint32_t capabilities;
  uint32_t reserved[14];
};
struct fl_subdev_client_capability {
  uint64_t capabilities;
};
struct fl_subdev_route {
  uint32_t sink_pad;
  uint32_t sink_stream;
  uint32_t source_pad;
  uint32_t source_stream;
  uint32_t flags;
  uint32_t reserved[5];
};
struct fl_subdev_routing {
  uint32_t which;
  uint32_t len_routes;
  uint64_t routes;
  uint32_t num_routes;
  uint32_t reserved[11];
};
#define FL_SUBDEV_QUERYCAP _IOR('V', 0, struct fl_subdev_capability)
#define FL_SUBDEV_G_ROUTING _IOWR('V', 38, struct fl_subdev_routing)
#define FL_SUBDEV_S_ROUTING _IOWR('V', 39, struct fl_subdev_routing)
#define FL_SUBDEV_S_CLIENT_CAP _IOWR('V', 102, struct fl_subdev_client_capability)

/// What a test puts in the place of the kernel: same contract as ioctl(2), -1 and errno included.
typedef int (*fl_ioctl_hook)(void *_Nullable context, int fd, unsigned long request,
                             void *_Nonnull argument);

/// Installs a hook for this thread; NULL removes it. Does nothing in release builds.
///
/// Returns 1 if hooks exist in this build, else 0.
int fl_set_ioctl_hook(fl_ioctl_hook _Nullable hook, void *_Nullable context);

/// ioctl(2) on a device, retried on EINTR: the result, or -errno.
FL_RT int fl_device_ioctl(int fd, unsigned long request, void *_Nonnull argument);

/// open(2) without blocking and closed on exec: the descriptor, or -errno.
int fl_device_open(const char *_Nonnull path);

/// Maps `length` bytes of a buffer at `offset`: 0 and the address in `start`, or -errno.
int fl_buffer_map(int fd, uint64_t length, uint64_t offset, void *_Nullable *_Nonnull start);

/// Unmaps what fl_buffer_map gave: 0, or -errno.
int fl_buffer_unmap(void *_Nonnull start, uint64_t length);

/// The poll events that stand for a descriptor right now (POLLERR, POLLHUP and POLLNVAL included), or -errno.
FL_RT int fl_device_poll(int fd);

#define FL_REQUEST(name, request, type)                                        \
  FL_RT static inline int fl_##name(int fd, type *_Nonnull argument) {         \
    return fl_device_ioctl(fd, request, argument);                             \
  }

// Device and inputs.
FL_REQUEST(querycap, VIDIOC_QUERYCAP, struct v4l2_capability)
FL_REQUEST(s_priority, VIDIOC_S_PRIORITY, uint32_t)
FL_REQUEST(enuminput, VIDIOC_ENUMINPUT, struct v4l2_input)
FL_REQUEST(g_input, VIDIOC_G_INPUT, int)
FL_REQUEST(s_input, VIDIOC_S_INPUT, int)
FL_REQUEST(enum_dv_timings, VIDIOC_ENUM_DV_TIMINGS, struct v4l2_enum_dv_timings)
FL_REQUEST(query_dv_timings, VIDIOC_QUERY_DV_TIMINGS, struct v4l2_dv_timings)
FL_REQUEST(g_dv_timings, VIDIOC_G_DV_TIMINGS, struct v4l2_dv_timings)
FL_REQUEST(s_dv_timings, VIDIOC_S_DV_TIMINGS, struct v4l2_dv_timings)

// Formats, rates, regions.
FL_REQUEST(enum_fmt, VIDIOC_ENUM_FMT, struct v4l2_fmtdesc)
FL_REQUEST(try_fmt, VIDIOC_TRY_FMT, struct v4l2_format)
FL_REQUEST(enum_framesizes, VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum)
FL_REQUEST(enum_frameintervals, VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum)
FL_REQUEST(g_fmt, VIDIOC_G_FMT, struct v4l2_format)
FL_REQUEST(s_fmt, VIDIOC_S_FMT, struct v4l2_format)
FL_REQUEST(g_parm, VIDIOC_G_PARM, struct v4l2_streamparm)
FL_REQUEST(s_parm, VIDIOC_S_PARM, struct v4l2_streamparm)
FL_REQUEST(g_selection, VIDIOC_G_SELECTION, struct v4l2_selection)
FL_REQUEST(s_selection, VIDIOC_S_SELECTION, struct v4l2_selection)

// Controls.
FL_REQUEST(query_ext_ctrl, VIDIOC_QUERY_EXT_CTRL, struct v4l2_query_ext_ctrl)
FL_REQUEST(g_ext_ctrls, VIDIOC_G_EXT_CTRLS, struct v4l2_ext_controls)
FL_REQUEST(s_ext_ctrls, VIDIOC_S_EXT_CTRLS, struct v4l2_ext_controls)

// Events.
FL_REQUEST(subscribe_event, VIDIOC_SUBSCRIBE_EVENT, struct v4l2_event_subscription)
FL_REQUEST(dqevent, VIDIOC_DQEVENT, struct v4l2_event)

// Buffers and streaming.
FL_REQUEST(reqbufs, VIDIOC_REQBUFS, struct v4l2_requestbuffers)
FL_REQUEST(querybuf, VIDIOC_QUERYBUF, struct v4l2_buffer)
FL_REQUEST(qbuf, VIDIOC_QBUF, struct v4l2_buffer)
FL_REQUEST(dqbuf, VIDIOC_DQBUF, struct v4l2_buffer)
FL_REQUEST(streamon, VIDIOC_STREAMON, int)
FL_REQUEST(streamoff, VIDIOC_STREAMOFF, int)

// Media graph.
FL_REQUEST(media_device_info, MEDIA_IOC_DEVICE_INFO, struct media_device_info)
FL_REQUEST(media_topology, MEDIA_IOC_G_TOPOLOGY, struct media_v2_topology)
FL_REQUEST(media_setup_link, MEDIA_IOC_SETUP_LINK, struct media_link_desc)
FL_REQUEST(subdev_g_fmt, VIDIOC_SUBDEV_G_FMT, struct v4l2_subdev_format)
FL_REQUEST(subdev_s_fmt, VIDIOC_SUBDEV_S_FMT, struct v4l2_subdev_format)
FL_REQUEST(subdev_enum_code, VIDIOC_SUBDEV_ENUM_MBUS_CODE, struct v4l2_subdev_mbus_code_enum)
FL_REQUEST(subdev_enum_size, VIDIOC_SUBDEV_ENUM_FRAME_SIZE, struct v4l2_subdev_frame_size_enum)
FL_REQUEST(subdev_g_selection, VIDIOC_SUBDEV_G_SELECTION, struct v4l2_subdev_selection)
FL_REQUEST(subdev_querycap, FL_SUBDEV_QUERYCAP, struct fl_subdev_capability)
FL_REQUEST(subdev_client_cap, FL_SUBDEV_S_CLIENT_CAP, struct fl_subdev_client_capability)
FL_REQUEST(subdev_g_routing, FL_SUBDEV_G_ROUTING, struct fl_subdev_routing)
FL_REQUEST(subdev_s_routing, FL_SUBDEV_S_ROUTING, struct fl_subdev_routing)

#undef FL_REQUEST

/// Says of which stream of its pad a format is: the first reserved word of headers before 6.3.
static inline void fl_subdev_format_set_stream(struct v4l2_subdev_format *_Nonnull format, uint32_t stream) {
  memcpy((char *)format + 56, &stream, sizeof stream);
}

/// The same for an enumeration of bus codes.
static inline void fl_subdev_code_set_stream(struct v4l2_subdev_mbus_code_enum *_Nonnull code, uint32_t stream) {
  memcpy((char *)code + 20, &stream, sizeof stream);
}

/// Width and height of line-based metadata; headers before 6.10 have only code and size.
static inline void fl_meta_set_lines(struct v4l2_format *_Nonnull format, uint32_t width, uint32_t height) {
  memcpy((char *)&format->fmt.meta + 8, &width, sizeof width);
  memcpy((char *)&format->fmt.meta + 12, &height, sizeof height);
}
static inline uint32_t fl_meta_width(const struct v4l2_format *_Nonnull format) {
  uint32_t value;
  memcpy(&value, (const char *)&format->fmt.meta + 8, sizeof value);
  return value;
}
static inline uint32_t fl_meta_height(const struct v4l2_format *_Nonnull format) {
  uint32_t value;
  memcpy(&value, (const char *)&format->fmt.meta + 12, sizeof value);
  return value;
}

// Constants that Swift drops because they are written with casts or function-like macros.
static const uint32_t fl_ctrl_next = V4L2_CTRL_FLAG_NEXT_CTRL;
static const uint32_t fl_timestamp_mask = V4L2_BUF_FLAG_TIMESTAMP_MASK;
static const uint32_t fl_timestamp_monotonic = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
static const uint32_t fl_timestamp_copy = V4L2_BUF_FLAG_TIMESTAMP_COPY;
static const uint32_t fl_timestamp_source_mask = V4L2_BUF_FLAG_TSTAMP_SRC_MASK;
static const uint32_t fl_timestamp_source_start = V4L2_BUF_FLAG_TSTAMP_SRC_SOE;
static const uint32_t fl_meta_uvc = V4L2_META_FMT_UVC;
// What sensors send beside their pixels: the Raspberry Pi's own kernels call it SENS, mainline by its packing.
static const uint32_t fl_meta_sensor = v4l2_fourcc('S', 'E', 'N', 'S');
static const uint32_t fl_meta_sensor_8 = v4l2_fourcc('M', 'E', 'T', '8');
static const uint32_t fl_meta_sensor_10 = v4l2_fourcc('M', 'C', '1', 'A');
static const uint32_t fl_meta_sensor_12 = v4l2_fourcc('M', 'C', '1', 'C');
static const uint32_t fl_meta_sensor_14 = v4l2_fourcc('M', 'C', '1', 'E');
static const uint32_t fl_link_data = MEDIA_LNK_FL_DATA_LINK;
static const uint32_t fl_link_interface = MEDIA_LNK_FL_INTERFACE_LINK;
static const uint32_t fl_link_ancillary = MEDIA_LNK_FL_ANCILLARY_LINK;
static const uint32_t fl_entity_lens = MEDIA_ENT_F_LENS;
static const uint32_t fl_entity_flash = MEDIA_ENT_F_FLASH;
static const uint32_t fl_entity_node = MEDIA_ENT_F_IO_V4L;
static const uint32_t fl_entity_sensor = MEDIA_ENT_F_CAM_SENSOR;
static const uint32_t fl_entity_composer = MEDIA_ENT_F_PROC_VIDEO_COMPOSER;
static const uint32_t fl_entity_converter = MEDIA_ENT_F_PROC_VIDEO_PIXEL_ENC_CONV;
static const uint32_t fl_link_type = MEDIA_LNK_FL_LINK_TYPE;
static const uint32_t fl_pad_source = MEDIA_PAD_FL_SOURCE;
static const uint32_t fl_pad_internal = MEDIA_PAD_FL_INTERNAL;
static const uint32_t fl_pad_must_connect = MEDIA_PAD_FL_MUST_CONNECT;
static const uint32_t fl_interface_video = MEDIA_INTF_T_V4L_VIDEO;
static const uint32_t fl_interface_subdevice = MEDIA_INTF_T_V4L_SUBDEV;
// Flags of a sub-device, of the program that uses it, and of a route.
static const uint32_t fl_subdevice_read_only = 1;
static const uint32_t fl_subdevice_streams = 2;
static const uint64_t fl_client_streams = 1;
static const uint32_t fl_route_active = 1;
static const uint32_t fl_route_immutable = 2;
// Lines of metadata on the bus between sensor and receiver (linux/media-bus-format.h since 6.10).
static const uint32_t fl_bus_meta_8 = 0x8001;
static const uint32_t fl_bus_meta_10 = 0x8002;
static const uint32_t fl_bus_meta_12 = 0x8003;
static const uint32_t fl_bus_meta_14 = 0x8004;
