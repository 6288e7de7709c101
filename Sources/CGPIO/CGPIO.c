// Chips and outputs by libgpiod. Which of its two incompatible interfaces is there shows in the header alone: version 1
// defines GPIOD_BIT, version 2 does not.
#include "CGPIO.h"

#include <errno.h>
#include <gpiod.h>
#include <stdlib.h>
#include <string.h>

static void copy_text(char *target, size_t size, const char *text) {
  memset(target, 0, size);
  if (text) strncpy(target, text, size - 1);
}

// libgpiod reports by errno alone; a call that forgot it must not look like success.
static int failure(void) { return errno > 0 ? -errno : -EIO; }

#if defined(GPIOD_BIT)

struct fl_gpio_chip {
  struct gpiod_chip *chip;
};

struct fl_gpio_output {
  struct gpiod_chip *chip;
  struct gpiod_line *line;
};

const char *fl_gpio_library_version(void) { return gpiod_version_string(); }

// Version 1 answers from the chip itself.
static int learn(fl_gpio_chip *chip) { return chip->chip ? 0 : -EINVAL; }
static void forget(fl_gpio_chip *chip) { (void)chip; }

const char *fl_gpio_chip_label(const fl_gpio_chip *chip) { return gpiod_chip_label(chip->chip); }

int fl_gpio_chip_line_count(const fl_gpio_chip *chip) {
  return (int)gpiod_chip_num_lines(chip->chip);
}

int fl_gpio_chip_line(fl_gpio_chip *chip, uint32_t offset, struct fl_gpio_line *line) {
  struct gpiod_line *found = gpiod_chip_get_line(chip->chip, offset);
  if (!found) return failure();
  copy_text(line->name, sizeof line->name, gpiod_line_name(found));
  copy_text(line->consumer, sizeof line->consumer, gpiod_line_consumer(found));
  line->is_used = gpiod_line_is_used(found);
  return 0;
}

static int claim(fl_gpio_output *output, uint32_t offset, int is_active_low,
                 const char *consumer) {
  output->line = gpiod_chip_get_line(output->chip, offset);
  if (!output->line) return failure();
  int flags = is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  return gpiod_line_request_output_flags(output->line, consumer, flags, 0) == -1 ? failure() : 0;
}

static void release(fl_gpio_output *output) { gpiod_line_release(output->line); }

int fl_gpio_output_set(fl_gpio_output *output, int is_active) {
  return gpiod_line_set_value(output->line, is_active ? 1 : 0) == -1 ? failure() : 0;
}

#else

struct fl_gpio_chip {
  struct gpiod_chip *chip;
  struct gpiod_chip_info *info;
};

struct fl_gpio_output {
  struct gpiod_chip *chip;
  struct gpiod_line_request *line;
  uint32_t offset;
};

const char *fl_gpio_library_version(void) { return gpiod_api_version(); }

static int learn(fl_gpio_chip *chip) {
  chip->info = gpiod_chip_get_info(chip->chip);
  return chip->info ? 0 : failure();
}

static void forget(fl_gpio_chip *chip) { gpiod_chip_info_free(chip->info); }

const char *fl_gpio_chip_label(const fl_gpio_chip *chip) {
  return gpiod_chip_info_get_label(chip->info);
}

int fl_gpio_chip_line_count(const fl_gpio_chip *chip) {
  return (int)gpiod_chip_info_get_num_lines(chip->info);
}

int fl_gpio_chip_line(fl_gpio_chip *chip, uint32_t offset, struct fl_gpio_line *line) {
  struct gpiod_line_info *found = gpiod_chip_get_line_info(chip->chip, offset);
  if (!found) return failure();
  copy_text(line->name, sizeof line->name, gpiod_line_info_get_name(found));
  copy_text(line->consumer, sizeof line->consumer, gpiod_line_info_get_consumer(found));
  line->is_used = gpiod_line_info_is_used(found);
  gpiod_line_info_free(found);
  return 0;
}

static int claim(fl_gpio_output *output, uint32_t offset, int is_active_low,
                 const char *consumer) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *request = gpiod_request_config_new();
  int result = settings && lines && request ? 0 : -ENOMEM;
  if (result == 0) {
    gpiod_line_settings_set_active_low(settings, is_active_low != 0);
    gpiod_request_config_set_consumer(request, consumer);
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) == -1 ||
        gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE) == -1 ||
        gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == -1)
      result = failure();
  }
  if (result == 0) {
    output->offset = offset;
    output->line = gpiod_chip_request_lines(output->chip, request, lines);
    if (!output->line) result = failure();
  }
  if (request) gpiod_request_config_free(request);
  if (lines) gpiod_line_config_free(lines);
  if (settings) gpiod_line_settings_free(settings);
  return result;
}

static void release(fl_gpio_output *output) { gpiod_line_request_release(output->line); }

int fl_gpio_output_set(fl_gpio_output *output, int is_active) {
  enum gpiod_line_value value = is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  return gpiod_line_request_set_value(output->line, output->offset, value) == -1 ? failure() : 0;
}

#endif

int fl_gpio_chip_open(const char *path, fl_gpio_chip **chip) {
  fl_gpio_chip *made = calloc(1, sizeof *made);
  *chip = NULL;
  if (!made) return -ENOMEM;
  errno = 0;
  made->chip = gpiod_chip_open(path);
  int result = made->chip ? learn(made) : failure();
  if (result < 0) {
    if (made->chip) gpiod_chip_close(made->chip);
    free(made);
    return result;
  }
  *chip = made;
  return 0;
}

void fl_gpio_chip_close(fl_gpio_chip *chip) {
  forget(chip);
  gpiod_chip_close(chip->chip);
  free(chip);
}

int fl_gpio_output_open(const char *path, uint32_t offset, int is_active_low, const char *consumer,
                        fl_gpio_output **output) {
  fl_gpio_output *made = calloc(1, sizeof *made);
  *output = NULL;
  if (!made) return -ENOMEM;
  errno = 0;
  made->chip = gpiod_chip_open(path);
  int result = made->chip ? claim(made, offset, is_active_low, consumer) : failure();
  if (result < 0) {
    if (made->chip) gpiod_chip_close(made->chip);
    free(made);
    return result;
  }
  *output = made;
  return 0;
}

void fl_gpio_output_close(fl_gpio_output *output) {
  release(output);
  gpiod_chip_close(output->chip);
  free(output);
}
