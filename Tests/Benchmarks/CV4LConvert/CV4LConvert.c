#include "CV4LConvert.h"

#include <errno.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>

struct fl_converter {
    struct v4lconvert_data *data;
    struct v4l2_format from;
    struct v4l2_format to;
};

// libv4l asks the camera what it is before it converts anything; this one is nothing but a camera.
static int answer(void *self, int descriptor, unsigned long request, void *argument) {
    (void)self;
    (void)descriptor;
    if ((unsigned)request != (unsigned)VIDIOC_QUERYCAP) {
        errno = EINVAL;
        return -1;
    }
    struct v4l2_capability *capability = argument;
    memset(capability, 0, sizeof *capability);
    capability->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    return 0;
}

static void *no_state(int descriptor) {
    (void)descriptor;
    return NULL;
}

static void no_close(void *state) { (void)state; }

static const struct libv4l_dev_ops operations = {.init = no_state, .close = no_close, .ioctl = answer};

static void describe(struct v4l2_format *format, uint32_t fourcc, uint32_t width, uint32_t height, uint32_t pixelBytes) {
    format->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    format->fmt.pix.width = width;
    format->fmt.pix.height = height;
    format->fmt.pix.pixelformat = fourcc;
    format->fmt.pix.field = V4L2_FIELD_NONE;
    format->fmt.pix.bytesperline = width * pixelBytes;
    format->fmt.pix.sizeimage = width * height * pixelBytes;
}

fl_converter *fl_converter_create(uint32_t fourcc, uint32_t width, uint32_t height) {
    fl_converter *converter = calloc(1, sizeof *converter);
    if (converter == NULL) return NULL;
    converter->data = v4lconvert_create_with_dev_ops(-1, NULL, &operations);
    if (converter->data == NULL) {
        free(converter);
        return NULL;
    }
    describe(&converter->from, fourcc, width, height, 1);
    describe(&converter->to, V4L2_PIX_FMT_RGB24, width, height, 3);
    return converter;
}

int fl_converter_convert(fl_converter *converter, const uint8_t *frame, uint8_t *output) {
    int count = v4lconvert_convert(
        converter->data, &converter->from, &converter->to, (unsigned char *)frame,
        (int)converter->from.fmt.pix.sizeimage, output, (int)converter->to.fmt.pix.sizeimage);
    return count == (int)converter->to.fmt.pix.sizeimage ? 0 : -1;
}

void fl_converter_free(fl_converter *converter) {
    v4lconvert_destroy(converter->data);
    free(converter);
}
