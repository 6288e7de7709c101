// SPDX-License-Identifier: GPL-2.0
/*
 * The I2C bus of a port: what a driver writes gets into the registers of the sensor's model, or of the lens.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>

#include "rig.h"

/* Which control a write to these registers belongs to; CSI_CONTROLS: to none. */
static enum csi_control control_of(const struct csi_model *model, u16 first, u16 last)
{
	for (int control = 0; control < CSI_CONTROLS; control++)
		if (model->controls[control].last && first <= model->controls[control].last &&
		    last >= model->controls[control].first)
			return control;
	return CSI_CONTROLS;
}

static void sensor_write(struct csi_port *port, const u8 *bytes, u16 count)
{
	const struct csi_model *model = port->model;
	u16 first = port->pointer;
	enum csi_control control = control_of(model, first, first + count - 1);
	bool is_lost = csi_faults_take_write(port, control);

	port->pointer += count;
	if (control < CSI_CONTROLS)
		csi_writes_add(port, control, first, bytes, count, !is_lost);
	if (is_lost)
		return;
	/* The settings as they were before the hold, for as long as it lasts. */
	if (model->hold && first <= model->hold && model->hold < first + count) {
		bool holds = bytes[model->hold - first] & 1;

		if (holds && !port->is_held)
			csi_settings_now(port, &port->held);
		port->is_held = holds;
	}
	for (u16 index = 0; index < count; index++)
		port->registers[(u16)(first + index)] = bytes[index];
	csi_engine_follow_registers(port);
}

static void sensor_transfer(struct csi_port *port, const struct i2c_msg *message)
{
	if (message->flags & I2C_M_RD) {
		for (u16 index = 0; index < message->len; index++)
			message->buf[index] = port->registers[port->pointer++];
	} else if (message->len >= 2) {
		port->pointer = message->buf[0] << 8 | message->buf[1];
		if (message->len > 2)
			sensor_write(port, message->buf + 2, message->len - 2);
	}
}

/* dw9807: addresses of one byte; the position is in 3 and 4. */
static void lens_transfer(struct csi_port *port, const struct i2c_msg *message)
{
	if (message->flags & I2C_M_RD) {
		for (u16 index = 0; index < message->len; index++)
			message->buf[index] = port->lens_registers[port->lens_pointer++];
	} else if (message->len) {
		bool is_lost = message->len > 1 && csi_faults_take_write(port, CSI_FOCUS);

		port->lens_pointer = message->buf[0];
		if (message->len > 1)
			csi_writes_add(port, CSI_FOCUS, message->buf[0], message->buf + 1, message->len - 1, !is_lost);
		if (is_lost)
			return;
		for (u16 index = 1; index < message->len; index++)
			port->lens_registers[port->lens_pointer++] = message->buf[index];
	}
}

/* A transfer takes its time on the bus; what it says is true when it is over. */
static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	struct csi_port *port = i2c_get_adapdata(adapter);
	unsigned long flags;
	ktime_t time;
	u64 bits = 1;
	int result = count;

	for (int index = 0; index < count; index++)
		bits += 1 + 9 * (1 + messages[index].len);
	time = ns_to_ktime(div_u64(bits * 1000000, port->options.bus_khz));
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_hrtimeout(&time, HRTIMER_MODE_REL);

	spin_lock_irqsave(&port->lock, flags);
	if (port->options.absent || csi_faults_take_nak(port))
		result = -EREMOTEIO;
	else
		for (int index = 0; index < count; index++)
			if (messages[index].addr == CSI_LENS_ADDRESS)
				lens_transfer(port, &messages[index]);
			else
				sensor_transfer(port, &messages[index]);
	spin_unlock_irqrestore(&port->lock, flags);
	return result;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

const struct i2c_algorithm csi_bus_algorithm = { .master_xfer = transfer, .functionality = functionality };
