#pragma once

#include <stddef.h>
#include <stdint.h>

// JPEG and TIFF files in memory, by libjpeg-turbo and libtiff. Errors of the libraries end here: every function returns
// 0 or -1, and a library's message is asked for afterwards. Nothing jumps over a caller, no file is touched.

// Room for a library's message on an error, its end included.
enum { fl_message_size = 256 };

// A finished file: malloc'ed bytes, to be given to fl_free_bytes.
typedef struct {
    uint8_t *bytes;
    size_t count;
} fl_bytes;

void fl_free_bytes(fl_bytes file);

// Writes a JPEG of 8-bit samples, rows without padding, 1 (grey) or 3 channels (RGB, chroma at full resolution); the
// segment goes into the file as APP1 unless it is empty. Whole-number DCT: every machine makes the same file.
int fl_write_jpeg(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, int quality, const uint8_t *segment,
    size_t segmentCount, fl_bytes *file, char message[fl_message_size]);

// A TIFF that is being written.
typedef struct fl_tiff fl_tiff;

// Begins a TIFF, little-endian; NULL without memory.
fl_tiff *fl_tiff_create(void);
// libtiff's message on the last failure; "" if nothing failed.
const char *fl_tiff_message(const fl_tiff *tiff);
// Sets a tag of the directory that is open, by the type that libtiff wants for it.
int fl_tiff_set_short(fl_tiff *tiff, uint32_t tag, uint16_t value);
int fl_tiff_set_long(fl_tiff *tiff, uint32_t tag, uint32_t value);
int fl_tiff_set_real(fl_tiff *tiff, uint32_t tag, double value);
int fl_tiff_set_text(fl_tiff *tiff, uint32_t tag, const char *text);
int fl_tiff_set_bytes(fl_tiff *tiff, uint32_t tag, const uint8_t *values, size_t count);
int fl_tiff_set_shorts(fl_tiff *tiff, uint32_t tag, const uint16_t *values, size_t count);
int fl_tiff_set_longs(fl_tiff *tiff, uint32_t tag, const uint32_t *values, size_t count);
int fl_tiff_set_reals(fl_tiff *tiff, uint32_t tag, const float *values, size_t count);
// Opens an EXIF directory; the tags that follow go into it.
int fl_tiff_begin_exif(fl_tiff *tiff);
// Ends the EXIF directory and opens the main one, which points at it.
int fl_tiff_end_exif(fl_tiff *tiff);
// Writes all samples of the main directory's image as one strip.
int fl_tiff_write_image(fl_tiff *tiff, const uint8_t *samples, size_t count);
// Ends the file and frees the writer, also when it fails; `message` takes libtiff's message.
int fl_tiff_finish(fl_tiff *tiff, fl_bytes *file, char message[fl_message_size]);
// Frees a writer whose file nobody wants.
void fl_tiff_abandon(fl_tiff *tiff);
