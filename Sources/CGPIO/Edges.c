// Edges by the kernel's own interface, version 2 (linux/gpio.h, Linux 5.10 and later).
#include "CGPIO.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

_Static_assert(sizeof(struct gpio_v2_line_request) == 592, "gpio_v2_line_request");
_Static_assert(sizeof(struct gpio_v2_line_event) == 48, "gpio_v2_line_event");
_Static_assert(GPIO_V2_GET_LINE_IOCTL == 0xc250b407u, "GPIO_V2_GET_LINE_IOCTL");

enum { edges_maximum = 16 };

static uint64_t line_flags(const struct fl_gpio_input *input) {
  // No EVENT_CLOCK flag: CLOCK_MONOTONIC, as camera timestamps.
  uint64_t flags = GPIO_V2_LINE_FLAG_INPUT;
  if (input->edges & FL_EDGE_RISING) flags |= GPIO_V2_LINE_FLAG_EDGE_RISING;
  if (input->edges & FL_EDGE_FALLING) flags |= GPIO_V2_LINE_FLAG_EDGE_FALLING;
  if (input->is_active_low) flags |= GPIO_V2_LINE_FLAG_ACTIVE_LOW;
  switch (input->bias) {
    case FL_BIAS_DISABLED: return flags | GPIO_V2_LINE_FLAG_BIAS_DISABLED;
    case FL_BIAS_PULL_UP: return flags | GPIO_V2_LINE_FLAG_BIAS_PULL_UP;
    case FL_BIAS_PULL_DOWN: return flags | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
    default: return flags;
  }
}

int fl_gpio_input_open(const char *path, const struct fl_gpio_input *input, const char *consumer) {
  struct gpio_v2_line_request request;
  memset(&request, 0, sizeof request);
  request.num_lines = 1;
  request.offsets[0] = input->offset;
  request.event_buffer_size = input->event_buffer_size;
  request.config.flags = line_flags(input);
  strncpy(request.consumer, consumer, sizeof request.consumer - 1);
  if (input->debounce_us > 0) {
    request.config.num_attrs = 1;
    request.config.attrs[0].mask = 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
    request.config.attrs[0].attr.debounce_period_us = input->debounce_us;
  }
  int chip = open(path, O_RDWR | O_CLOEXEC);
  if (chip == -1) return -errno;
  int result = ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) == -1 ? -errno : request.fd;
  close(chip);
  if (result < 0) return result;
  // The request's descriptor blocks at first.
  int flags = fcntl(result, F_GETFL);
  if (flags == -1 || fcntl(result, F_SETFL, flags | O_NONBLOCK) == -1) {
    int error = -errno;
    close(result);
    return error;
  }
  return result;
}

int fl_gpio_input_read(int fd, struct fl_gpio_edge *edges, int room) {
  struct gpio_v2_line_event events[edges_maximum];
  size_t wanted = room < edges_maximum ? (size_t)room : edges_maximum;
  ssize_t bytes;
  do {
    bytes = read(fd, events, wanted * sizeof events[0]);
  } while (bytes == -1 && errno == EINTR);
  if (bytes == -1) return errno == EAGAIN ? 0 : -errno;
  int count = (int)((size_t)bytes / sizeof events[0]);
  for (int i = 0; i < count; i++) {
    edges[i].timestamp_ns = events[i].timestamp_ns;
    edges[i].line_sequence = events[i].line_seqno;
    edges[i].is_rising = events[i].id == GPIO_V2_LINE_EVENT_RISING_EDGE;
  }
  return count;
}
