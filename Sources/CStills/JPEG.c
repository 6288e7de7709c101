#include "CStills.h"

// jpeglib.h needs FILE and size_t.
#include <stdio.h>
#include <jpeglib.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf leave;
    char *message;
} error_handler;

// libjpeg does not expect this to return: it jumps back into write_jpeg, over frames of libjpeg alone.
static void leave(j_common_ptr info) {
    error_handler *handler = (error_handler *)info->err;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(handler->message, fl_message_size, "%s", text);
    longjmp(handler->leave, 1);
}

static void say_nothing(j_common_ptr info) { (void)info; }

void fl_free_bytes(fl_bytes file) { free(file.bytes); }

int fl_write_jpeg(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, int quality, const uint8_t *segment,
    size_t segmentCount, fl_bytes *file, char message[fl_message_size]) {
    struct jpeg_compress_struct info;
    error_handler handler;
    // Changed between setjmp and longjmp, so it must not live in a register.
    unsigned char *volatile bytes = NULL;
    unsigned char *written = NULL;
    unsigned long count = 0;
    message[0] = '\0';
    info.err = jpeg_std_error(&handler.manager);
    handler.manager.error_exit = leave;
    handler.manager.output_message = say_nothing;
    handler.message = message;
    if (setjmp(handler.leave) != 0) {
        jpeg_destroy_compress(&info);
        free(bytes);
        return -1;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &written, &count);
    bytes = written;
    info.image_width = width;
    info.image_height = height;
    info.input_components = channels;
    info.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    info.dct_method = JDCT_ISLOW;
    for (int component = 0; component < info.num_components; component++) {
        info.comp_info[component].h_samp_factor = 1;
        info.comp_info[component].v_samp_factor = 1;
    }
    // EXIF stands where JFIF's own header would.
    if (segmentCount > 0) info.write_JFIF_header = FALSE;
    jpeg_start_compress(&info, TRUE);
    // From here on libjpeg replaces the buffer as it grows. Only running out of memory can fail now.
    bytes = NULL;
    if (segmentCount > 0) jpeg_write_marker(&info, JPEG_APP0 + 1, segment, (unsigned)segmentCount);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)info.next_scanline * width * (size_t)channels);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    file->bytes = written;
    file->count = count;
    return 0;
}
