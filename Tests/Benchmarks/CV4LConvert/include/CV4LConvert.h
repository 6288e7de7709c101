#pragma once

#include <stddef.h>
#include <stdint.h>

// libv4l's format conversion without a camera, for the benchmark alone.

typedef struct fl_converter fl_converter;

// Prepares the conversion of Bayer frames of 8 bits (`fourcc`) to RGB24; NULL where libv4l refuses.
fl_converter *fl_converter_create(uint32_t fourcc, uint32_t width, uint32_t height);
// Converts one frame, rows without padding; 0, or -1 where libv4l refuses.
int fl_converter_convert(fl_converter *converter, const uint8_t *frame, uint8_t *output);
void fl_converter_free(fl_converter *converter);
