// SPDX-License-Identifier: GPL-2.0
/*
 * What a port was asked to do wrong, and when. The README tells the language.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "rig.h"

static const char *const kind_names[CSI_FAULT_KINDS] = {
	"drop", "late", "lose-start", "lose-end", "nak", "lose-write", "no-embedded", "stale-embedded", "die", "cut",
};

static const char *const control_names[CSI_CONTROLS + 1] = { "exposure", "gain", "vblank", "hblank", "focus", "any" };

const char *csi_fault_name(enum csi_fault_kind kind)
{
	return kind_names[kind];
}

const char *csi_control_name(enum csi_control control)
{
	return control_names[control];
}

/* FRAME, FIRST-LAST, FIRST/EVERY */
static int parse_frames(struct csi_fault *fault, char *text)
{
	char *last = text, *every = text;

	strsep(&last, "-");
	strsep(&every, "/");
	if (kstrtou32(text, 10, &fault->first))
		return -EINVAL;
	fault->last = fault->first;
	fault->every = 1;
	if (last)
		return kstrtou32(last, 10, &fault->last);
	if (every) {
		fault->last = U32_MAX;
		return kstrtou32(every, 10, &fault->every) ?: fault->every ? 0 : -EINVAL;
	}
	return 0;
}

/* KIND[:AMOUNT], for lose-write KIND:CONTROL[:AMOUNT] */
static int parse_kind(struct csi_fault *fault, char *text)
{
	char *word = strsep(&text, ":");
	int index = match_string(kind_names, CSI_FAULT_CUT, word);

	if (index < 0)
		return -EINVAL;
	fault->kind = index;
	fault->amount = 1;
	if (fault->kind == CSI_FAULT_LOSE_WRITE) {
		index = text ? match_string(control_names, CSI_CONTROLS + 1, strsep(&text, ":")) : -EINVAL;
		if (index < 0)
			return -EINVAL;
		fault->control = index;
	}
	if (fault->kind == CSI_FAULT_LATE && !text)
		return -EINVAL;
	return text ? kstrtou32(text, 10, &fault->amount) : 0;
}

/* KIND@FRAMES or KIND~PER_MILLE, comma separated; an empty text is none. */
int csi_faults_parse(struct csi_fault *faults, unsigned int *count, const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL), *rest = copy, *word;
	int result = copy ? 0 : -ENOMEM;

	*count = 0;
	while (!result && (word = strsep(&rest, ","))) {
		struct csi_fault *fault = &faults[*count];
		char *frames = word, *rate = word;

		if (!*word)
			continue;
		if (*count == CSI_FAULTS) {
			result = -E2BIG;
			break;
		}
		memset(fault, 0, sizeof(*fault));
		strsep(&frames, "@");
		strsep(&rate, "~");
		if (rate)
			result = kstrtou32(rate, 10, &fault->per_mille) ?: fault->per_mille ? 0 : -EINVAL;
		else
			result = frames ? parse_frames(fault, frames) : -EINVAL;
		result = result ?: parse_kind(fault, word);
		++*count;
	}
	if (result)
		*count = 0;
	kfree(copy);
	return result;
}

/* A number that looks random and depends on nothing but its arguments. */
u64 csi_random(u64 seed, u64 a, u64 b)
{
	u64 value = seed * 0x9e3779b97f4a7c15ULL + a * 0xbf58476d1ce4e5b9ULL + b * 0x94d049bb133111ebULL;

	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
	value = (value ^ value >> 27) * 0x94d049bb133111ebULL;
	return value ^ value >> 31;
}

static bool is_due(const struct csi_port *port, const struct csi_fault *fault, unsigned int index, u32 number)
{
	if (fault->per_mille)
		return csi_random(port->options.seed, port->stream * 64 + index, number) % 1000 < fault->per_mille;
	return number >= fault->first && number <= fault->last && (number - fault->first) % fault->every == 0;
}

static void apply(struct csi_port *port, const struct csi_fault *fault, struct csi_truth *truth)
{
	struct csi_frame *frame = &truth->frame;

	switch (fault->kind) {
	case CSI_FAULT_DROP:
		truth->sent = false;
		break;
	case CSI_FAULT_LATE:
		/* Never as late as the frame's end: the two would change places. */
		frame->interrupt_delay_ns = min_t(u64, fault->amount * NSEC_PER_USEC,
						  frame->end_ns - frame->start_ns - NSEC_PER_USEC);
		break;
	case CSI_FAULT_LOSE_START:
		frame->lose_frame_start_interrupt = true;
		break;
	case CSI_FAULT_LOSE_END:
		frame->lose_frame_end_interrupt = true;
		break;
	case CSI_FAULT_NAK:
		port->naks += fault->amount;
		break;
	case CSI_FAULT_LOSE_WRITE:
		port->lose_writes[fault->control] += fault->amount;
		break;
	case CSI_FAULT_NO_EMBEDDED:
		frame->embedded_lines = 0;
		break;
	case CSI_FAULT_STALE_EMBEDDED:
		truth->embedded_number = frame->number > 2 ? frame->number - 2 : 0;
		break;
	default:
		break;
	}
}

void csi_faults_decide(struct csi_port *port, struct csi_truth *truth)
{
	for (unsigned int index = 0; index < port->fault_count; index++) {
		const struct csi_fault *fault = &port->faults[index];

		if (!is_due(port, fault, index, truth->frame.number))
			continue;
		apply(port, fault, truth);
		truth->faults |= BIT(fault->kind);
	}
}

/* Whether the transfer at hand is refused. */
bool csi_faults_take_nak(struct csi_port *port)
{
	if (!port->naks)
		return false;
	port->naks--;
	return true;
}

/* Whether the write at hand is lost; only writes to a control's registers are. */
bool csi_faults_take_write(struct csi_port *port, enum csi_control control)
{
	u32 *left = &port->lose_writes[control];

	if (control == CSI_CONTROLS)
		return false;
	if (!*left)
		left = &port->lose_writes[CSI_CONTROLS];
	if (!*left)
		return false;
	--*left;
	port->lost_writes++;
	return true;
}
