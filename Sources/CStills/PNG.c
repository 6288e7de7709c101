#include "CStills.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The file as it grows, and where libpng's message goes.
typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    char *message;
} png_file;

// libpng does not expect this to return: it jumps back into fl_write_png, over frames of libpng alone.
static void leave(png_structp png, png_const_charp text) {
    png_file *file = png_get_error_ptr(png);
    snprintf(file->message, fl_message_size, "%s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void say_nothing(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void take(png_structp png, png_bytep bytes, size_t count) {
    png_file *file = png_get_io_ptr(png);
    if (file->count + count > file->capacity) {
        size_t capacity = file->capacity < 4096 ? 4096 : file->capacity;
        while (capacity < file->count + count) capacity *= 2;
        uint8_t *grown = realloc(file->bytes, capacity);
        if (grown == NULL) png_error(png, "no memory for a PNG");
        file->bytes = grown;
        file->capacity = capacity;
    }
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

int fl_write_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, int bits, const uint8_t *exif,
    size_t exifCount, fl_bytes *result, char message[fl_message_size]) {
    png_file file = {.message = message};
    message[0] = '\0';
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &file, leave, say_nothing);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL) {
        snprintf(message, fl_message_size, "no memory for a PNG");
        png_destroy_write_struct(&png, NULL);
        return -1;
    }
    if (setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        free(file.bytes);
        return -1;
    }
    png_set_write_fn(png, &file, take, flush_nothing);
    png_set_IHDR(
        png, info, width, height, bits, channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // Noise does not shrink, however long one tries: the quickest level, and the filter that suits pictures best.
    png_set_compression_level(png, 1);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    // libpng keeps a copy.
    if (exifCount > 0) png_set_eXIf_1(png, info, (png_uint_32)exifCount, (png_bytep)exif);
    png_write_info(png, info);
    // PNG is big-endian, and samples are not.
    if (bits == 16) png_set_swap(png);
    size_t rowBytes = (size_t)width * (size_t)channels * (size_t)bits / 8;
    for (uint32_t row = 0; row < height; row++) png_write_row(png, pixels + row * rowBytes);
    // Given the info again it would write EXIF a second time.
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    result->bytes = file.bytes;
    result->count = file.count;
    return 0;
}
