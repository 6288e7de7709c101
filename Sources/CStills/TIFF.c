#include "CStills.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

struct fl_tiff {
    TIFF *tiff;
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    size_t position;
    uint64_t exif;
    char message[fl_message_size];
};

// ---- A file in memory ----------------------------------------------------------------------------------------------

static tmsize_t read_bytes(thandle_t handle, void *buffer, tmsize_t size) {
    fl_tiff *file = handle;
    size_t left = file->position < file->count ? file->count - file->position : 0;
    size_t taken = (size_t)size < left ? (size_t)size : left;
    if (taken > 0) memcpy(buffer, file->bytes + file->position, taken);
    file->position += taken;
    return (tmsize_t)taken;
}

static bool grow(fl_tiff *file, size_t needed) {
    if (needed <= file->capacity) return true;
    size_t capacity = file->capacity < 4096 ? 4096 : file->capacity;
    while (capacity < needed) capacity *= 2;
    uint8_t *bytes = realloc(file->bytes, capacity);
    if (bytes == NULL) return false;
    memset(bytes + file->capacity, 0, capacity - file->capacity);
    file->bytes = bytes;
    file->capacity = capacity;
    return true;
}

static tmsize_t write_bytes(thandle_t handle, void *buffer, tmsize_t size) {
    fl_tiff *file = handle;
    size_t end = file->position + (size_t)size;
    if (!grow(file, end)) return -1;
    memcpy(file->bytes + file->position, buffer, (size_t)size);
    file->position = end;
    if (end > file->count) file->count = end;
    return size;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    fl_tiff *file = handle;
    switch (whence) {
    case SEEK_SET: file->position = offset; break;
    case SEEK_CUR: file->position += offset; break;
    default: file->position = file->count + offset; break;
    }
    return file->position;
}

static int close_nothing(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle) { return ((fl_tiff *)handle)->count; }

// ---- Errors --------------------------------------------------------------------------------------------------------

// Keeps libtiff's first message; those that follow are consequences.
static int note_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    fl_tiff *file = user;
    if (file->message[0] == '\0') vsnprintf(file->message, sizeof file->message, format, arguments);
    return 1;
}

static int ignore_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

// libtiff's functions return 1 where all is well.
static int status(int result) { return result == 1 ? 0 : -1; }

// ---- The file ------------------------------------------------------------------------------------------------------

fl_tiff *fl_tiff_create(void) {
    fl_tiff *file = calloc(1, sizeof *file);
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (file != NULL && options != NULL) {
        TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, file);
        TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, NULL);
        file->tiff = TIFFClientOpenExt(
            "memory", "wl", file, read_bytes, write_bytes, seek, close_nothing, size_of, NULL, NULL, options);
    }
    if (options != NULL) TIFFOpenOptionsFree(options);
    if (file != NULL && file->tiff == NULL) {
        free(file->bytes);
        free(file);
        return NULL;
    }
    return file;
}

const char *fl_tiff_message(const fl_tiff *file) { return file->message; }

int fl_tiff_set_short(fl_tiff *file, uint32_t tag, uint16_t value) {
    return status(TIFFSetField(file->tiff, tag, (int)value));
}

int fl_tiff_set_long(fl_tiff *file, uint32_t tag, uint32_t value) {
    return status(TIFFSetField(file->tiff, tag, value));
}

int fl_tiff_set_real(fl_tiff *file, uint32_t tag, double value) {
    return status(TIFFSetField(file->tiff, tag, value));
}

int fl_tiff_set_text(fl_tiff *file, uint32_t tag, const char *text) {
    return status(TIFFSetField(file->tiff, tag, text));
}

// Lists are passed with their count, by one of two types, or without where the tag has a fixed one.
static int set_list(fl_tiff *file, uint32_t tag, const void *values, size_t count) {
    const TIFFField *field = TIFFFieldWithTag(file->tiff, tag);
    if (field == NULL) return -1;
    if (!TIFFFieldPassCount(field)) {
        int fixed = TIFFFieldWriteCount(field);
        if (fixed > 0 && (size_t)fixed != count) return -1;
        return status(TIFFSetField(file->tiff, tag, values));
    }
    if (TIFFFieldWriteCount(field) == TIFF_VARIABLE2) {
        return status(TIFFSetField(file->tiff, tag, (uint32_t)count, values));
    }
    return status(TIFFSetField(file->tiff, tag, (int)count, values));
}

int fl_tiff_set_bytes(fl_tiff *file, uint32_t tag, const uint8_t *values, size_t count) {
    return set_list(file, tag, values, count);
}

int fl_tiff_set_shorts(fl_tiff *file, uint32_t tag, const uint16_t *values, size_t count) {
    return set_list(file, tag, values, count);
}

int fl_tiff_set_longs(fl_tiff *file, uint32_t tag, const uint32_t *values, size_t count) {
    return set_list(file, tag, values, count);
}

int fl_tiff_set_reals(fl_tiff *file, uint32_t tag, const float *values, size_t count) {
    return set_list(file, tag, values, count);
}

int fl_tiff_begin_exif(fl_tiff *file) {
    return TIFFCreateEXIFDirectory(file->tiff) == 0 ? 0 : -1;
}

int fl_tiff_end_exif(fl_tiff *file) {
    if (TIFFWriteCustomDirectory(file->tiff, &file->exif) != 1) return -1;
    TIFFFreeDirectory(file->tiff);
    if (TIFFCreateDirectory(file->tiff) != 0) return -1;
    return status(TIFFSetField(file->tiff, TIFFTAG_EXIFIFD, file->exif));
}

int fl_tiff_unset(fl_tiff *file, uint32_t tag) { return status(TIFFUnsetField(file->tiff, tag)); }

int fl_tiff_write_image(fl_tiff *file, const uint8_t *samples, size_t count) {
    // libtiff turns bytes round in place on a big-endian machine, so it is given what it may change.
    return TIFFWriteEncodedStrip(file->tiff, 0, (void *)samples, (tmsize_t)count) == (tmsize_t)count ? 0 : -1;
}

int fl_tiff_finish(fl_tiff *file, fl_bytes *result, char message[fl_message_size]) {
    int done = status(TIFFWriteDirectory(file->tiff));
    TIFFCleanup(file->tiff);
    snprintf(message, fl_message_size, "%s", file->message);
    if (done == 0) {
        result->bytes = file->bytes;
        result->count = file->count;
    } else {
        free(file->bytes);
    }
    free(file);
    return done;
}

void fl_tiff_abandon(fl_tiff *file) {
    TIFFCleanup(file->tiff);
    free(file->bytes);
    free(file);
}
