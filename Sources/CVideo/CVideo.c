#include "CVideo.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

// Sizes and numbers of the 64-bit ABI (linux/videodev2.h, linux/media.h); a header that disagrees must not compile.
_Static_assert(sizeof(void *) == 8, "framelock needs a 64-bit system");
_Static_assert(sizeof(struct v4l2_capability) == 104, "v4l2_capability");
_Static_assert(sizeof(struct v4l2_format) == 208, "v4l2_format");
_Static_assert(sizeof(struct v4l2_buffer) == 88, "v4l2_buffer");
_Static_assert(sizeof(struct v4l2_plane) == 64, "v4l2_plane");
_Static_assert(sizeof(struct v4l2_ext_control) == 20, "v4l2_ext_control");
_Static_assert(sizeof(struct v4l2_ext_controls) == 32, "v4l2_ext_controls");
_Static_assert(sizeof(struct v4l2_query_ext_ctrl) == 232, "v4l2_query_ext_ctrl");
_Static_assert(sizeof(struct v4l2_event) == 136, "v4l2_event");
_Static_assert(sizeof(struct v4l2_event_subscription) == 32, "v4l2_event_subscription");
_Static_assert(sizeof(struct v4l2_dv_timings) == 132, "v4l2_dv_timings");
_Static_assert(sizeof(struct media_v2_entity) == 96, "media_v2_entity");
_Static_assert(VIDIOC_QUERYCAP == 0x80685600u, "VIDIOC_QUERYCAP");
_Static_assert(VIDIOC_S_FMT == 0xc0d05605u, "VIDIOC_S_FMT");
_Static_assert(VIDIOC_QBUF == 0xc058560fu, "VIDIOC_QBUF");
_Static_assert(VIDIOC_DQBUF == 0xc0585611u, "VIDIOC_DQBUF");
_Static_assert(VIDIOC_S_EXT_CTRLS == 0xc0205648u, "VIDIOC_S_EXT_CTRLS");
_Static_assert(VIDIOC_QUERY_EXT_CTRL == 0xc0e85667u, "VIDIOC_QUERY_EXT_CTRL");
_Static_assert(VIDIOC_DQEVENT == 0x80885659u, "VIDIOC_DQEVENT");
_Static_assert(VIDIOC_SUBSCRIBE_EVENT == 0x4020565au, "VIDIOC_SUBSCRIBE_EVENT");
_Static_assert(MEDIA_IOC_G_TOPOLOGY == 0xc0487c04u, "MEDIA_IOC_G_TOPOLOGY");

_Static_assert(sizeof(struct v4l2_subdev_format) == 88, "v4l2_subdev_format");
_Static_assert(sizeof(struct v4l2_subdev_mbus_code_enum) == 48, "v4l2_subdev_mbus_code_enum");
_Static_assert(sizeof(struct fl_subdev_routing) == 64, "v4l2_subdev_routing");
_Static_assert(FL_SUBDEV_G_ROUTING == 0xc0405626u, "VIDIOC_SUBDEV_G_ROUTING");
_Static_assert(FL_SUBDEV_S_CLIENT_CAP == 0xc0085666u, "VIDIOC_SUBDEV_S_CLIENT_CAP");

#ifdef DEBUG
// Per thread, so that tests that run side by side do not see each other's device.
static _Thread_local fl_ioctl_hook installed_hook;
static _Thread_local void *installed_context;
#endif

int fl_set_ioctl_hook(fl_ioctl_hook hook, void *context) {
#ifdef DEBUG
  installed_hook = hook;
  installed_context = context;
  return 1;
#else
  (void)hook;
  (void)context;
  return 0;
#endif
}

static int raw_ioctl(int fd, unsigned long request, void *argument) {
#ifdef DEBUG
  if (installed_hook) return installed_hook(installed_context, fd, request, argument);
#endif
  return ioctl(fd, request, argument);
}

int fl_device_ioctl(int fd, unsigned long request, void *argument) {
  int result;
  do {
    result = raw_ioctl(fd, request, argument);
  } while (result == -1 && errno == EINTR);
  return result == -1 ? -errno : result;
}

int fl_device_open(const char *path) {
  int fd;
  do {
    fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  } while (fd == -1 && errno == EINTR);
  return fd == -1 ? -errno : fd;
}

int fl_buffer_map(int fd, uint64_t length, uint64_t offset, void **start) {
  void *address = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
  *start = address == MAP_FAILED ? NULL : address;
  return address == MAP_FAILED ? -errno : 0;
}

int fl_buffer_unmap(void *start, uint64_t length) {
  return munmap(start, length) == -1 ? -errno : 0;
}

int fl_device_poll(int fd) {
  struct pollfd entry = {.fd = fd, .events = POLLIN | POLLPRI};
  int result;
  do {
    result = poll(&entry, 1, 0);
  } while (result == -1 && errno == EINTR);
  return result == -1 ? -errno : entry.revents;
}
