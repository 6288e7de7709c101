#include "CStills.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

struct fl_tiff_series {
    TIFF *tiff;
    char message[fl_message_size];
};

// Keeps libtiff's first message, with the kernel's reason where there is one; those that follow are consequences.
static int note_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)module;
    fl_tiff_series *series = user;
    int error = errno;
    if (series->message[0] != '\0') return 1;
    int length = vsnprintf(series->message, sizeof series->message, format, arguments);
    if (error != 0 && length > 0 && (size_t)length < sizeof series->message) {
        snprintf(series->message + length, sizeof series->message - (size_t)length, " (%s)", strerror(error));
    }
    return 1;
}

static int ignore_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

fl_tiff_series *fl_tiff_series_create(const char *path, char message[fl_message_size]) {
    fl_tiff_series *series = calloc(1, sizeof *series);
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    snprintf(message, fl_message_size, "no memory");
    if (series != NULL && options != NULL) {
        TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, series);
        TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, NULL);
        errno = 0;
        // A BigTIFF, little-endian.
        series->tiff = TIFFOpenExt(path, "w8l", options);
        if (series->tiff == NULL) snprintf(message, fl_message_size, "%s", series->message);
    }
    if (options != NULL) TIFFOpenOptionsFree(options);
    if (series != NULL && series->tiff == NULL) {
        free(series);
        return NULL;
    }
    return series;
}

const char *fl_tiff_series_message(const fl_tiff_series *series) { return series->message; }

int fl_tiff_series_add(
    fl_tiff_series *series, uint32_t width, uint32_t height, int channels, int bits, bool isDeflated,
    const char *description, const uint8_t *samples, size_t count) {
    TIFF *tiff = series->tiff;
    errno = 0;
    bool isSet = TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, 0) == 1
        && TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width) == 1 && TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height) == 1
        && TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits) == 1
        && TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels) == 1
        && TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT) == 1
        && TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB) == 1
        && TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == 1
        && TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, height) == 1
        && TIFFSetField(tiff, TIFFTAG_COMPRESSION, isDeflated ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE) == 1;
    if (isDeflated) isSet = isSet && TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL) == 1;
    if (description != NULL) isSet = isSet && TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description) == 1;
    if (!isSet) return -1;
    // The predictor of strips works on a copy of libtiff's own.
    tmsize_t written = isDeflated ? TIFFWriteEncodedStrip(tiff, 0, (void *)samples, (tmsize_t)count)
                                  : TIFFWriteRawStrip(tiff, 0, (void *)samples, (tmsize_t)count);
    if (written != (tmsize_t)count) return -1;
    return TIFFWriteDirectory(tiff) == 1 ? 0 : -1;
}

int fl_tiff_series_finish(fl_tiff_series *series, char message[fl_message_size]) {
    errno = 0;
    int done = TIFFFlush(series->tiff) == 1 ? 0 : -1;
    snprintf(message, fl_message_size, "%s", series->message);
    // What the file system can't keep it says now, and closing would not.
    if (done == 0 && fsync(TIFFFileno(series->tiff)) != 0) {
        snprintf(message, fl_message_size, "%s", strerror(errno));
        done = -1;
    }
    TIFFClose(series->tiff);
    free(series);
    return done;
}

void fl_tiff_series_abandon(fl_tiff_series *series) {
    TIFFClose(series->tiff);
    free(series);
}
