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

#undef FL_REQUEST

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
static const uint32_t fl_entity_sensor = MEDIA_ENT_F_CAM_SENSOR;
static const uint32_t fl_link_type = MEDIA_LNK_FL_LINK_TYPE;
