#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// JPEG, PNG and TIFF files in memory, by libjpeg-turbo, libpng and libtiff, and TIFFs of many images on the disk. Errors
// of the libraries end here: every function returns 0 or -1, and a library's message is asked for afterwards. Nothing
// jumps over a caller; only functions with a path touch a file.

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

// Writes a PNG of samples of 8 or 16 bits (little-endian), rows without padding, 1 (grey) or 3 channels (RGB); EXIF, a
// TIFF of directories alone, goes into the file unless it is empty.
int fl_write_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, int bits, const uint8_t *exif,
    size_t exifCount, fl_bytes *file, char message[fl_message_size]);

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
// Leaves a tag out of the directory that is open.
int fl_tiff_unset(fl_tiff *tiff, uint32_t tag);
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

// A BigTIFF of many images that is being written to the disk.
typedef struct fl_tiff_series fl_tiff_series;

// Creates the file, or empties the one that is there; NULL where that can't be, and `message` says why.
fl_tiff_series *fl_tiff_series_create(const char *path, char message[fl_message_size]);
// libtiff's message on the first failure, with the kernel's reason; "" if nothing failed.
const char *fl_tiff_series_message(const fl_tiff_series *series);
// Adds an image in one strip: rows without padding, 1 channel or 3, 8 or 16 bits, little-endian; `description` may be
// NULL. Deflated losslessly where asked.
int fl_tiff_series_add(
    fl_tiff_series *series, uint32_t width, uint32_t height, int channels, int bits, bool isDeflated,
    const char *description, const uint8_t *samples, size_t count);
// Waits for the disk and frees the writer, also when it fails; `message` takes the reason.
int fl_tiff_series_finish(fl_tiff_series *series, char message[fl_message_size]);
// Frees a writer whose file nobody wants; the file stays as it is.
void fl_tiff_series_abandon(fl_tiff_series *series);
