/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the rig share: ports, their sensor models, and what a frame is made of. Receivers need csi.h only.
 */
#ifndef FRAMELOCK_CSI_RIG_H
#define FRAMELOCK_CSI_RIG_H

#include <linux/debugfs.h>
#include <linux/hrtimer.h>
#include <linux/i2c.h>
#include <linux/irqdomain.h>
#include <linux/spinlock.h>

#include "csi.h"

/* A frame may have the sample of a frame this much earlier; samples and frames are kept for a little longer. */
#define CSI_LATENCY_MAX 4
#define CSI_SAMPLES 8
#define CSI_LOG_FRAMES 24576
#define CSI_LOG_WRITES 8192
#define CSI_WIDTH_MAX 4608
/* dw9807 */
#define CSI_LENS_ADDRESS 0x0c
#define CSI_FAULTS 32
#define CSI_LIGHT_CHANGES 512
/* The scene repeats itself after so many rows; with noise each of them has so many variants. */
#define CSI_SCENE_ROWS 16
#define CSI_NOISE_VARIANTS 16
#define CSI_ROWS (CSI_SCENE_ROWS * CSI_NOISE_VARIANTS + 1 + CSI_SCENE_ROWS)

enum csi_control { CSI_EXPOSURE, CSI_GAIN, CSI_VBLANK, CSI_HBLANK, CSI_FOCUS, CSI_CONTROLS };

/* What a sensor's registers ask for at one moment. */
struct csi_settings {
	/* Lines of exposure; with from_end, the lines of a frame that are not exposed. */
	u32 exposure;
	bool from_end;
	u16 gain_code, digital_code;
	/* Both gains together, in 1/65536. */
	u32 gain;
	u32 frame_length, line_length;
	/* Pixels a second: rate / rate_divisor. */
	u64 rate;
	u32 rate_divisor;
	u32 width, height, bits;
	/* Rows of the image that are read in the time of a line. */
	/* Frame length and exposure are counted in 2^shift lines. */
	u32 shift;
	u32 rows_a_line;
	u16 lens;
};

/* The registers of a sensor: what is special about one kind of it. */
struct csi_model {
	const char *compatible;
	u16 id;
	/* Counts of 1024 without light. */
	u16 black;
	/* Lines by which an exposure must be shorter than the frame; time by which it is longer than its lines. */
	u16 exposure_margin, exposure_extra_ns;
	u16 embedded_lines;
	/* Every row is exposed at the same time. */
	bool is_global;
	/* Register whose lowest bit holds back all others, 0: none. */
	u16 hold;
	/* First and last register of each control. */
	struct { u16 first, last; } controls[CSI_CONTROLS];
	/* Registers that are not 0 when the power comes; ends with an address of 0xffff. */
	const struct { u16 address, value; u8 bytes; } *reset;
	bool (*is_streaming)(const u8 *registers);
	void (*read)(const u8 *registers, struct csi_settings *settings);
};

const struct csi_model *csi_model_find(const char *compatible);

enum csi_fault_kind {
	CSI_FAULT_DROP, CSI_FAULT_LATE, CSI_FAULT_LOSE_START, CSI_FAULT_LOSE_END, CSI_FAULT_NAK, CSI_FAULT_LOSE_WRITE,
	CSI_FAULT_NO_EMBEDDED, CSI_FAULT_STALE_EMBEDDED, CSI_FAULT_DIE, CSI_FAULT_CUT, CSI_FAULT_KINDS
};

/* One fault that was asked for, and the frames it is for. */
struct csi_fault {
	enum csi_fault_kind kind;
	/* Delay in microseconds, number of transfers refused, number of writes lost. */
	u32 amount;
	/* The control whose writes are lost; CSI_CONTROLS: any. */
	enum csi_control control;
	u32 first, last, every;
	/* Of a thousand frames; 0: by number. */
	u32 per_mille;
};

struct csi_options {
	/* Frames by which exposure, gain and frame length come later than the sample they were taken with. */
	u32 latency[3];
	/* How fast the sensor really is: 1000000 is what its registers say. */
	u32 speed_ppm;
	/* Counts of 1024 a second without gain; standard deviation of the noise in sixteenths of these counts. */
	u32 scene, noise, seed;
	/* The same a second for the light while it is on. */
	u32 light;
	u32 pattern;
	u32 best_focus, focus_width;
	/* The sensor does not answer; it exposes by an outside line: while that is low (1) or high (2). */
	u32 absent, trigger;
	u32 bus_khz;
};

/* All about a frame, of which a receiver sees only the first part. */
struct csi_truth {
	struct csi_frame frame;
	u32 stream;
	struct csi_settings settings;
	u32 exposure_lines;
	u64 exposure_ns;
	u32 lost_writes;
	/* Bits of csi_fault_kind. */
	u32 faults;
	bool sent;
	/* The frame whose settings the embedded lines tell. */
	u32 embedded_number;
};

/* One line of the log. */
struct csi_log_entry {
	u64 start_ns, end_ns, exposure_ns;
	u64 rate;
	u32 stream, number, exposure_lines, gain, frame_length, line_length, faults;
	u16 gain_code, digital_code, width, height, lens, lost_writes;
	u8 bits, embedded_lines, sent;
};

/* A write to the registers of a control; its bytes as one number, the first one on top. */
struct csi_write {
	u64 at_ns;
	u32 value;
	u16 address;
	u8 bytes, control;
	bool taken;
};

/* A line from outside: a file of debugfs that a level can be written to, or the name of a GPIO's output. */
struct csi_line {
	struct csi_port *port;
	u32 gpio;
	/* With the lock held. */
	void (*set_level)(struct csi_port *port, bool level);
	void (*show)(struct seq_file *file, struct csi_port *port);
};

struct csi_light_change {
	u64 at_ns;
	bool is_on;
};

struct csi_port {
	unsigned int index;
	const struct csi_model *model;
	struct i2c_adapter adapter;
	struct irq_domain *domain;
	struct dentry *folder;

	/* Guards all below; never held while a receiver is called. */
	spinlock_t lock;
	const struct csi_receiver_ops *ops;
	void *receiver;

	u8 *registers;
	u16 pointer;
	bool has_lens;
	u8 lens_registers[256];
	u8 lens_pointer;
	struct csi_settings held;
	bool is_held;

	struct csi_options options;
	struct csi_fault faults[CSI_FAULTS];
	unsigned int fault_count;
	u32 naks, lose_writes[CSI_CONTROLS + 1], lost_writes;

	struct hrtimer tick, start_interrupt, end;
	bool is_streaming, made_a_frame;
	u32 stream, number;
	u64 next_start_ns, remainder;
	u32 previous_length;
	struct csi_settings samples[CSI_SAMPLES];
	struct csi_truth truths[CSI_SAMPLES];
	struct csi_truth *current_truth;

	bool is_exposing;
	u64 exposure_start_ns;
	u32 triggers_ignored;
	struct csi_line trigger, light;
	struct csi_light_change light_changes[CSI_LIGHT_CHANGES];
	u32 light_count;

	struct csi_log_entry *log;
	u32 log_count;
	struct csi_write *writes;
	u32 write_count;
	/*
	 * Rows of the scene as they go over the bus, made for one frame after the other: those without the light, one row
	 * of the pattern, and the last ones that the light was on for, with how long it was.
	 */
	u8 *rows;
	u16 *values;
	struct { u32 stream, number; int layout; } rows_of;
	u64 lit_rows[CSI_SCENE_ROWS];
};

struct csi_port *csi_port(unsigned int index);
/* Fires the interrupt that the port's node provides; in hard interrupt context, without the lock. */
void csi_port_interrupt(struct csi_port *port);

/* bus.c */
extern const struct i2c_algorithm csi_bus_algorithm;

/* engine.c; all with the lock held */
void csi_engine_init(struct csi_port *port);
void csi_engine_follow_registers(struct csi_port *port);
u64 csi_engine_exposure_ns(struct csi_port *port);
void csi_settings_now(struct csi_port *port, struct csi_settings *settings);
u64 csi_lines_ns(const struct csi_settings *settings, u64 lines, u64 *remainder);

/* options.c */
void csi_options_default(struct csi_options *options);
int csi_options_parse(struct csi_options *options, const char *text);
void csi_options_print(struct seq_file *file, const struct csi_options *options);

/* faults.c */
int csi_faults_parse(struct csi_fault *faults, unsigned int *count, const char *text);
const char *csi_fault_name(enum csi_fault_kind kind);
const char *csi_control_name(enum csi_control control);
/* Decides what goes wrong with a frame, and arms what goes wrong after its start. */
void csi_faults_decide(struct csi_port *port, struct csi_truth *truth);
bool csi_faults_take_nak(struct csi_port *port);
bool csi_faults_take_write(struct csi_port *port, enum csi_control control);
u64 csi_random(u64 seed, u64 a, u64 b);

/* log.c */
void csi_log_add(struct csi_port *port, const struct csi_truth *truth);
void csi_log_cut(struct csi_port *port);
void csi_log_create(struct csi_port *port);

/* lines.c */
#define CSI_NO_GPIO U32_MAX
void csi_line_create(struct csi_port *port, struct csi_line *line, const char *name,
		     void (*set_level)(struct csi_port *, bool), void (*show)(struct seq_file *, struct csi_port *));

/* light.c; for a frame that has gone over the bus */
u64 csi_light_of_row(const struct csi_port *port, const struct csi_truth *truth, u32 row);
bool csi_light_is_off(const struct csi_port *port, const struct csi_truth *truth);
void csi_light_create(struct csi_port *port);

/* trigger.c */
/* The option `trigger`: the rising edge starts an exposure as long as its register says. */
#define CSI_FRAME_SYNC 3
void csi_trigger_create(struct csi_port *port);

/* writes.c */
void csi_writes_add(struct csi_port *port, enum csi_control control, u16 address, const u8 *bytes, u16 count,
		    bool taken);
void csi_writes_create(struct csi_port *port);

static inline struct csi_truth *csi_truth(const struct csi_frame *frame)
{
	return container_of(frame, struct csi_truth, frame);
}

#endif
