// SPDX-License-Identifier: GPL-2.0
/*
 * When frames come, and what holds for each.
 *
 * Registers are sampled when a frame starts. What is written after the start of frame k-1 and before that of frame k is
 * in sample k, and shows from frame k + latency on: exposure and gain in the picture of that frame, the frame length in
 * the time from that frame to the next.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "rig.h"

/* Lines that a frame has at least in addition to those it sends. */
#define BLANK_LINES_MIN 4

/* What a sensor's registers ask for now, holds disregarded. */
void csi_settings_now(struct csi_port *port, struct csi_settings *settings)
{
	memset(settings, 0, sizeof(*settings));
	settings->rate_divisor = settings->rows_a_line = 1;
	port->model->read(port->registers, settings);
	settings->rate = mul_u64_u32_div(settings->rate, port->options.speed_ppm, 1000000);
	settings->line_length = max(settings->line_length, 1U);
	settings->rate = max(settings->rate, 1ULL);
	settings->lens = (port->lens_registers[3] & 3) << 8 | port->lens_registers[4];
}

/* The time that so many lines take; what is left of a nanosecond is carried in `remainder`. */
u64 csi_lines_ns(const struct csi_settings *settings, u64 lines, u64 *remainder)
{
	u64 part = lines * settings->line_length * settings->rate_divisor, ns;

	/* part * 10^9 can be more than 64 bits hold: whole seconds first. */
	ns = div64_u64_rem(part, settings->rate, &part) * NSEC_PER_SEC;
	part = part * NSEC_PER_SEC + (remainder ? *remainder : 0);
	ns += div64_u64_rem(part, settings->rate, &part);
	if (remainder)
		*remainder = part;
	return ns;
}

static const struct csi_settings *sample(const struct csi_port *port, u32 latency)
{
	return &port->samples[(port->number - latency) % CSI_SAMPLES];
}

static void take_sample(struct csi_port *port, u32 number)
{
	struct csi_settings *settings = &port->samples[number % CSI_SAMPLES];

	csi_settings_now(port, settings);
	if (port->is_held) {
		u16 lens = settings->lens;

		*settings = port->held;
		settings->lens = lens;
	}
}

/* Lines of exposure by the registers, as far as the frame before has room. */
static u32 exposure_lines(const struct csi_port *port, const struct csi_settings *exposure)
{
	u32 limit = port->previous_length - min_t(u32, port->model->exposure_margin, port->previous_length - 1);
	u32 lines = exposure->exposure;

	if (exposure->from_end)
		lines = port->previous_length > lines ? port->previous_length - lines : 1;
	return min(lines, limit);
}

/* The exposure that a frame will have that is synchronised now; with the lock held. */
u64 csi_engine_exposure_ns(struct csi_port *port)
{
	const struct csi_settings *exposure = sample(port, port->options.latency[0]);

	take_sample(port, port->number);
	return csi_lines_ns(exposure, exposure_lines(port, exposure), NULL) + port->model->exposure_extra_ns;
}

/* Puts a frame together from the samples; returns its length in lines. */
static u32 make_frame(struct csi_port *port, struct csi_truth *truth)
{
	const struct csi_model *model = port->model;
	const struct csi_settings *exposure = sample(port, port->options.latency[0]);
	const struct csi_settings *gain = sample(port, port->options.latency[1]);
	const struct csi_settings *length = sample(port, port->options.latency[2]);
	struct csi_settings *settings = &truth->settings;
	u32 sent;

	*settings = *sample(port, 0);
	truth->exposure_lines = exposure_lines(port, exposure);
	truth->exposure_ns = csi_lines_ns(exposure, truth->exposure_lines, NULL) + model->exposure_extra_ns;
	if (port->options.trigger && port->options.trigger != CSI_FRAME_SYNC) {
		truth->exposure_ns = port->next_start_ns - port->exposure_start_ns;
		truth->exposure_lines = div64_u64(truth->exposure_ns, csi_lines_ns(exposure, 1, NULL));
	}
	settings->gain_code = gain->gain_code;
	settings->digital_code = gain->digital_code;
	settings->gain = gain->gain;
	settings->line_length = length->line_length;
	sent = settings->height / settings->rows_a_line + model->embedded_lines;
	settings->frame_length = max(length->frame_length, sent + BLANK_LINES_MIN);

	truth->frame = (struct csi_frame) {
		.port = port, .number = port->number, .start_ns = port->next_start_ns,
		.width = settings->width, .height = settings->height, .bits = settings->bits,
		.embedded_lines = model->embedded_lines,
	};
	truth->frame.end_ns = truth->frame.start_ns + csi_lines_ns(settings, sent, NULL);
	truth->stream = port->stream;
	truth->sent = true;
	truth->faults = 0;
	truth->embedded_number = port->number;
	return settings->frame_length;
}

/* A frame starts: the registers are sampled, and all about it is decided. */
static struct csi_truth *begin_frame(struct csi_port *port)
{
	struct csi_truth *truth = &port->truths[port->number % CSI_SAMPLES];

	if (!port->made_a_frame) {
		port->made_a_frame = true;
		port->stream++;
	}
	take_sample(port, port->number);
	port->previous_length = make_frame(port, truth);
	truth->lost_writes = port->lost_writes;
	port->lost_writes = 0;
	csi_faults_decide(port, truth);
	port->current_truth = truth;
	csi_log_add(port, truth);
	port->next_start_ns += csi_lines_ns(&truth->settings, truth->settings.frame_length, &port->remainder);
	port->number++;
	return truth;
}

/* Tells the receiver, without the lock. */
static void tell(struct csi_port *port, bool is_start)
{
	const struct csi_receiver_ops *ops = port->ops;
	const struct csi_frame *frame = &port->current_truth->frame;

	if (!ops)
		return;
	if (is_start)
		ops->frame_start(port->receiver, frame);
	else
		ops->frame_end(port->receiver, frame);
}

static void send(struct csi_port *port, struct csi_truth *truth)
{
	const struct csi_frame *frame = &truth->frame;

	if (!truth->sent)
		return;
	hrtimer_start(&port->end, ns_to_ktime(frame->end_ns), HRTIMER_MODE_ABS_HARD);
	if (frame->interrupt_delay_ns)
		hrtimer_start(&port->start_interrupt, ns_to_ktime(frame->start_ns + frame->interrupt_delay_ns),
			      HRTIMER_MODE_ABS_HARD);
	else if (!frame->lose_frame_start_interrupt)
		tell(port, true);
}

static enum hrtimer_restart on_tick(struct hrtimer *timer)
{
	struct csi_port *port = container_of(timer, struct csi_port, tick);
	struct csi_truth *truth = NULL;
	bool goes_on = false;

	spin_lock(&port->lock);
	if (port->is_streaming) {
		truth = begin_frame(port);
		goes_on = !port->options.trigger && !(truth->faults & BIT(CSI_FAULT_DIE));
		if (goes_on)
			hrtimer_set_expires(timer, ns_to_ktime(port->next_start_ns));
	}
	spin_unlock(&port->lock);
	if (truth)
		send(port, truth);
	return goes_on ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

static enum hrtimer_restart on_start_interrupt(struct hrtimer *timer)
{
	struct csi_port *port = container_of(timer, struct csi_port, start_interrupt);

	if (!port->current_truth->frame.lose_frame_start_interrupt)
		tell(port, true);
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart on_end(struct hrtimer *timer)
{
	struct csi_port *port = container_of(timer, struct csi_port, end);

	if (!port->current_truth->frame.lose_frame_end_interrupt)
		tell(port, false);
	return HRTIMER_NORESTART;
}

void csi_engine_init(struct csi_port *port)
{
	hrtimer_init(&port->tick, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	hrtimer_init(&port->start_interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	hrtimer_init(&port->end, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	port->tick.function = on_tick;
	port->start_interrupt.function = on_start_interrupt;
	port->end.function = on_end;
}

/* The first frame comes one frame length after the sensor was told to stream. */
static void start_streaming(struct csi_port *port)
{
	port->is_streaming = true;
	port->made_a_frame = false;
	port->number = 0;
	port->remainder = 0;
	port->lost_writes = 0;
	port->is_exposing = false;
	for (u32 number = 0; number < CSI_SAMPLES; number++)
		take_sample(port, number);
	port->previous_length = max(sample(port, 0)->frame_length, 2U);
	port->next_start_ns = ktime_get_ns() + csi_lines_ns(sample(port, 0), port->previous_length, &port->remainder);
	if (!port->options.trigger)
		hrtimer_start(&port->tick, ns_to_ktime(port->next_start_ns), HRTIMER_MODE_ABS_HARD);
}

/* A frame under way is cut off. */
static void stop_streaming(struct csi_port *port)
{
	port->is_streaming = false;
	hrtimer_try_to_cancel(&port->tick);
	hrtimer_try_to_cancel(&port->start_interrupt);
	if (hrtimer_try_to_cancel(&port->end) > 0)
		csi_log_cut(port);
}

/* Starts or stops, as the registers now say. */
void csi_engine_follow_registers(struct csi_port *port)
{
	bool streams = port->model->is_streaming(port->registers);

	if (streams && !port->is_streaming)
		start_streaming(port);
	else if (!streams && port->is_streaming)
		stop_streaming(port);
}
