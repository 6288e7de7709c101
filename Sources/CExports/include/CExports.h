#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// HDF5, FITS and Zstandard, by libhdf5, cfitsio and libzstd. Errors of the libraries end here: every function returns 0
// or -1, and a library's message is asked for afterwards. Only functions with a path of a file touch one.

// Room for a library's message on an error, its end included.
enum { fl_export_message_size = 256 };

// malloc'ed bytes, to be given to fl_free_export_bytes.
typedef struct {
    uint8_t *bytes;
    size_t count;
} fl_export_bytes;

void fl_free_export_bytes(fl_export_bytes bytes);

// Compresses bytes into one Zstandard frame, with its length.
int fl_zstandard(const uint8_t *bytes, size_t count, int level, fl_export_bytes *result);

// An HDF5 file that is being written. Paths in it are absolute; groups above one have to be there.
typedef struct fl_hdf5 fl_hdf5;

// Creates the file, or empties the one that is there; NULL where that can't be, and `message` says why.
fl_hdf5 *fl_hdf5_create(const char *path, char message[fl_export_message_size]);
// libhdf5's message on the first failure; "" if nothing failed.
const char *fl_hdf5_message(const fl_hdf5 *file);
int fl_hdf5_add_group(fl_hdf5 *file, const char *path);
// A text in UTF-8.
int fl_hdf5_add_text(fl_hdf5 *file, const char *path, const char *text);
// A list of numbers, or a single one where `isScalar`.
int fl_hdf5_add_integers(fl_hdf5 *file, const char *path, const int64_t *values, size_t count, bool isScalar);
int fl_hdf5_add_reals(fl_hdf5 *file, const char *path, const double *values, size_t count, bool isScalar);
// A list of texts in UTF-8, which begin `width` bytes apart and end with a zero each.
int fl_hdf5_add_texts(fl_hdf5 *file, const char *path, const char *texts, size_t width, size_t count);
// Attributes of a group or a dataset.
int fl_hdf5_set_text(fl_hdf5 *file, const char *path, const char *name, const char *text);
int fl_hdf5_set_texts(
    fl_hdf5 *file, const char *path, const char *name, const char *texts, size_t width, size_t count);
int fl_hdf5_set_integer(fl_hdf5 *file, const char *path, const char *name, int64_t value);
// A second name of a dataset or a group.
int fl_hdf5_link(fl_hdf5 *file, const char *target, const char *path);
// An array of unsigned samples of 1 or 2 bytes (little-endian), of which the first dimension counts frames: one chunk
// each, deflated where asked. Stays open for fl_hdf5_write_frame.
int fl_hdf5_begin_frames(
    fl_hdf5 *file, const char *path, int bytesPerSample, int rank, const uint64_t *lengths, bool isDeflated);
// Writes a frame of the array that was begun last; frames that are left out read as zeros.
int fl_hdf5_write_frame(fl_hdf5 *file, uint64_t frame, const uint8_t *samples);
// Waits for the disk and frees the writer, also when it fails; `message` takes the reason.
int fl_hdf5_finish(fl_hdf5 *file, char message[fl_export_message_size]);
// Frees a writer whose file nobody wants; the file stays as it is.
void fl_hdf5_abandon(fl_hdf5 *file);

// A FITS file in memory that is being written.
typedef struct fl_fits fl_fits;

// NULL without memory.
fl_fits *fl_fits_create(void);
// cfitsio's message on the first failure; "" if nothing failed.
const char *fl_fits_message(const fl_fits *file);
// Adds an image of unsigned samples of 1 or 2 bytes (of this machine's order), one plane after the other; the first one
// is the primary one. Keys that follow are its own.
int fl_fits_add_image(
    fl_fits *file, int bytesPerSample, uint32_t width, uint32_t height, uint32_t planes, const uint8_t *samples);
// Keys of up to eight letters; a text that is too long for one card goes on in others.
int fl_fits_set_text(fl_fits *file, const char *key, const char *text, const char *comment);
int fl_fits_set_integer(fl_fits *file, const char *key, int64_t value, const char *comment);
int fl_fits_set_real(fl_fits *file, const char *key, double value, int decimals, const char *comment);
// Ends the file with the checksums of its parts and frees the writer, also when it fails; `message` takes the reason.
int fl_fits_finish(fl_fits *file, fl_export_bytes *result, char message[fl_export_message_size]);
// Frees a writer whose file nobody wants.
void fl_fits_abandon(fl_fits *file);
