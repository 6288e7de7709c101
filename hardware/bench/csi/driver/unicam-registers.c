// SPDX-License-Identifier: GPL-2.0
/*
 * The registers of Broadcom's Unicam, as far as bcm2835-unicam.c looks at them, and what the hardware does by itself:
 * it takes buffer addresses when a frame starts, writes pictures and embedded lines to memory, and interrupts.
 *
 * The device tree's unicam of port n has its registers at UNICAM_BASE + n * UNICAM_STRIDE, and its clock gate 0x800 on.
 */
#include <linux/dma-mapping.h>
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/logic_iomem.h>
#include <linux/module.h>

#include "../broadcom/bcm2835-unicam-regs.h"
#include "rig.h"

#define UNICAM_BASE 0x10000000000ULL
#define UNICAM_STRIDE 0x1000
#define UNICAM_WORDS 0x200

struct unicam {
	unsigned int index;
	struct csi_port *port;
	u32 words[UNICAM_WORDS];
	/* The picture's and the embedded lines' buffers, taken at the start of the frame: first byte, and the one after. */
	u32 image[2], data[2];
	struct hrtimer line;
	u64 line_period_ns, last_line_ns;
};

static struct unicam unicams[CSI_PORTS];

static u32 *word(struct unicam *unicam, unsigned int offset)
{
	return &unicam->words[offset / 4];
}

static u32 field(struct unicam *unicam, unsigned int offset, u32 mask)
{
	return (*word(unicam, offset) & mask) >> __ffs(mask);
}

static bool is_enabled(struct unicam *unicam)
{
	return *word(unicam, UNICAM_CTRL) & UNICAM_CPE;
}

/* ---- The register file ---- */

static unsigned long read_register(void *data, unsigned int offset, int size)
{
	struct unicam *unicam = data;

	offset &= UNICAM_STRIDE - 1;
	if (offset / 4 >= UNICAM_WORDS)
		return 0;
	if (offset == UNICAM_STA)
		return *word(unicam, offset) | (*word(unicam, UNICAM_ISTA) ? UNICAM_IS : 0);
	return *word(unicam, offset);
}

static void write_register(void *data, unsigned int offset, int size, unsigned long value)
{
	struct unicam *unicam = data;

	offset &= UNICAM_STRIDE - 1;
	if (offset / 4 >= UNICAM_WORDS)
		return;
	if (offset == UNICAM_STA || offset == UNICAM_ISTA)
		*word(unicam, offset) &= ~value;
	else
		*word(unicam, offset) = value;
}

/* ---- What the hardware does ---- */

static void interrupt(struct unicam *unicam, u32 cause)
{
	*word(unicam, UNICAM_ISTA) |= cause;
	csi_port_interrupt(unicam->port);
}

static void take_buffers(struct unicam *unicam)
{
	unicam->image[0] = *word(unicam, UNICAM_IBSA0);
	unicam->image[1] = *word(unicam, UNICAM_IBEA0);
	unicam->data[0] = *word(unicam, UNICAM_DBSA0);
	unicam->data[1] = *word(unicam, UNICAM_DBEA0);
}

static void write_frame(struct unicam *unicam, const struct csi_frame *frame)
{
	bool unpacks = field(unicam, UNICAM_IPIPE, UNICAM_PUM_MASK) != UNICAM_PUM_NONE;
	size_t written = 0;

	if (unicam->image[1] > unicam->image[0])
		written = csi_frame_image(frame, unpacks ? CSI_UNPACKED : CSI_PACKED, phys_to_virt(unicam->image[0]),
					  *word(unicam, UNICAM_IBLS), unicam->image[1] - unicam->image[0]);
	*word(unicam, UNICAM_IBWP) = unicam->image[0] + written;
	if (unicam->data[1] > unicam->data[0] && (*word(unicam, UNICAM_DCS) & UNICAM_EDL_MASK))
		csi_frame_embedded(frame, phys_to_virt(unicam->data[0]), ALIGN(frame->width * frame->bits / 8, 16),
				   unicam->data[1] - unicam->data[0]);
}

static enum hrtimer_restart on_line(struct hrtimer *timer)
{
	struct unicam *unicam = container_of(timer, struct unicam, line);

	if (!is_enabled(unicam))
		return HRTIMER_NORESTART;
	interrupt(unicam, UNICAM_LCI);
	hrtimer_add_expires_ns(timer, unicam->line_period_ns);
	return ktime_to_ns(hrtimer_get_expires(timer)) < unicam->last_line_ns ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/* An interrupt each LCIE lines of the picture, while it lasts. */
static void start_line_interrupts(struct unicam *unicam, const struct csi_frame *frame)
{
	u32 lines = field(unicam, UNICAM_ICTL, UNICAM_LCIE_MASK);
	u64 line_ns = div_u64(frame->end_ns - frame->start_ns, frame->height + frame->embedded_lines);
	u64 first_ns = frame->start_ns + lines * line_ns;

	if (!lines)
		return;
	while (first_ns <= frame->start_ns + frame->interrupt_delay_ns)
		first_ns += lines * line_ns;
	unicam->line_period_ns = lines * line_ns;
	unicam->last_line_ns = frame->end_ns;
	if (first_ns < frame->end_ns)
		hrtimer_start(&unicam->line, ns_to_ktime(first_ns), HRTIMER_MODE_ABS_HARD);
}

static void frame_start(void *receiver, const struct csi_frame *frame)
{
	struct unicam *unicam = receiver;

	if (!is_enabled(unicam))
		return;
	take_buffers(unicam);
	/* Nobody will tell that this frame ends. */
	if (frame->lose_frame_end_interrupt)
		write_frame(unicam, frame);
	start_line_interrupts(unicam, frame);
	interrupt(unicam, UNICAM_FSI);
}

static void frame_end(void *receiver, const struct csi_frame *frame)
{
	struct unicam *unicam = receiver;

	if (!is_enabled(unicam))
		return;
	/* The hardware saw the frame start even if nobody was told. */
	if (frame->lose_frame_start_interrupt)
		take_buffers(unicam);
	hrtimer_try_to_cancel(&unicam->line);
	write_frame(unicam, frame);
	interrupt(unicam, UNICAM_FEI);
}

static const struct csi_receiver_ops receiver_ops = { .frame_start = frame_start, .frame_end = frame_end };

/* ---- Its place in memory ---- */

static const struct logic_iomem_ops register_ops = { .read = read_register, .write = write_register };

/* The driver maps its registers: from now on there is a receiver at this port. */
static long map_registers(unsigned long offset, size_t size, const struct logic_iomem_ops **ops, void **data)
{
	unsigned int index = offset / UNICAM_STRIDE;
	struct unicam *unicam = &unicams[index];

	if (!unicam->port) {
		int result = csi_receiver_attach(index, &receiver_ops, unicam);

		if (result)
			return result;
		unicam->index = index;
		unicam->port = csi_port(index);
		hrtimer_init(&unicam->line, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
		unicam->line.function = on_line;
	}
	*ops = &register_ops;
	*data = unicam;
	return offset % UNICAM_STRIDE;
}

static const struct logic_iomem_region_ops region_ops = { .map = map_registers };

static struct resource region = {
	.name = "unicam", .flags = IORESOURCE_MEM,
	.start = UNICAM_BASE, .end = UNICAM_BASE + CSI_PORTS * UNICAM_STRIDE - 1,
};

static int __init start(void)
{
	return logic_iomem_add_region(&region, &region_ops);
}
subsys_initcall(start);
