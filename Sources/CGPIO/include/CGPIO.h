// Digital lines: chips, names and outputs through libgpiod (1.x and 2.x behind one face), edges through the kernel's own
// v2 interface, because libgpiod 1.x knows neither sequence numbers nor the size of the event buffer.
//
// Every function returns >= 0, or -errno.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#define FL_RT __attribute__((swift_attr("@_noLocks")))
#else
#define _Nonnull
#define _Nullable
#define FL_RT
#endif

/// The version of libgpiod that is linked, for example "1.6.3".
const char *_Nonnull fl_gpio_library_version(void);

// Chips.

typedef struct fl_gpio_chip fl_gpio_chip;

/// What is known of a line; texts are cut to fit and end with a zero.
struct fl_gpio_line {
  char name[64];
  char consumer[64];
  int is_used;
};

/// Opens a chip by its device file.
int fl_gpio_chip_open(const char *_Nonnull path, fl_gpio_chip *_Nullable *_Nonnull chip);
/// Closes it and frees the memory.
void fl_gpio_chip_close(fl_gpio_chip *_Nonnull chip);
/// The chip's label; belongs to the chip.
const char *_Nonnull fl_gpio_chip_label(const fl_gpio_chip *_Nonnull chip);
/// How many lines it has.
int fl_gpio_chip_line_count(const fl_gpio_chip *_Nonnull chip);
/// Describes one line.
int fl_gpio_chip_line(fl_gpio_chip *_Nonnull chip, uint32_t offset,
                      struct fl_gpio_line *_Nonnull line);

// Outputs.

typedef struct fl_gpio_output fl_gpio_output;

/// Claims one line as an output, inactive at first.
int fl_gpio_output_open(const char *_Nonnull path, uint32_t offset, int is_active_low,
                        const char *_Nonnull consumer,
                        fl_gpio_output *_Nullable *_Nonnull output);
/// Drives it; on the capture path.
FL_RT int fl_gpio_output_set(fl_gpio_output *_Nonnull output, int is_active);
/// Gives the line back as it is and frees the memory.
void fl_gpio_output_close(fl_gpio_output *_Nonnull output);

// Inputs with edges.

enum {
  FL_EDGE_RISING = 1,
  FL_EDGE_FALLING = 2,
  FL_BIAS_AS_IS = 0,
  FL_BIAS_DISABLED = 1,
  FL_BIAS_PULL_UP = 2,
  FL_BIAS_PULL_DOWN = 3,
};

/// How an input is to be read.
struct fl_gpio_input {
  uint32_t offset;
  /// FL_EDGE_RISING, FL_EDGE_FALLING or both.
  int edges;
  /// FL_BIAS_…
  int bias;
  int is_active_low;
  /// 0 for none.
  uint32_t debounce_us;
  /// Edges that the kernel keeps for us; it grants at most 1024.
  uint32_t event_buffer_size;
};

/// One edge as the kernel timestamped it on CLOCK_MONOTONIC.
struct fl_gpio_edge {
  uint64_t timestamp_ns;
  uint32_t line_sequence;
  int is_rising;
};

/// Claims one line as an input with edges: a non-blocking descriptor that becomes readable when edges wait.
int fl_gpio_input_open(const char *_Nonnull path, const struct fl_gpio_input *_Nonnull input,
                       const char *_Nonnull consumer);
/// Takes up to `room` (at most 16) of the oldest edges: how many, 0 if none waits.
FL_RT int fl_gpio_input_read(int fd, struct fl_gpio_edge *_Nonnull edges, int room);
