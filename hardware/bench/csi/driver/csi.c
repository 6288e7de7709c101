// SPDX-License-Identifier: GPL-2.0
/*
 * A port of the rig: an I2C bus with a sensor model (and a lens) on it, the CSI-2 port that the sensor sends into, and
 * the interrupt of that port's receiver.
 *
 * The device tree says which: a node "framelock,csi-port" is all three. The sensor's own node is its child, so the
 * kernel's driver binds to it, and its "compatible" chooses the model.
 */
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "rig.h"

static struct csi_port *ports[CSI_PORTS];

static char *options;
module_param(options, charp, 0444);
MODULE_PARM_DESC(options, "what the sensors are like: [PORT:]NAME=VALUE,...[;...]");

static char *faults;
module_param(faults, charp, 0444);
MODULE_PARM_DESC(faults, "what goes wrong: [PORT:]KIND@FRAMES,...[;...]");

struct csi_port *csi_port(unsigned int index)
{
	return index < CSI_PORTS ? ports[index] : NULL;
}

/* ---- Receivers ---- */

int csi_receiver_attach(unsigned int index, const struct csi_receiver_ops *ops, void *receiver)
{
	struct csi_port *port = csi_port(index);
	unsigned long flags;
	int result = 0;

	if (!port)
		return -ENODEV;
	spin_lock_irqsave(&port->lock, flags);
	if (port->ops) {
		result = -EBUSY;
	} else {
		port->receiver = receiver;
		port->ops = ops;
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return result;
}
EXPORT_SYMBOL_GPL(csi_receiver_attach);

void csi_receiver_detach(unsigned int index)
{
	struct csi_port *port = csi_port(index);
	unsigned long flags;

	if (!port)
		return;
	spin_lock_irqsave(&port->lock, flags);
	port->ops = NULL;
	spin_unlock_irqrestore(&port->lock, flags);
}
EXPORT_SYMBOL_GPL(csi_receiver_detach);

void csi_port_interrupt(struct csi_port *port)
{
	generic_handle_domain_irq(port->domain, 0);
}

static int map_interrupt(struct irq_domain *domain, unsigned int line, irq_hw_number_t number)
{
	irq_set_chip_and_handler(line, &dummy_irq_chip, handle_simple_irq);
	return 0;
}

static const struct irq_domain_ops interrupt_ops = { .map = map_interrupt, .xlate = irq_domain_xlate_onecell };

/* ---- Ports ---- */

/* Finds out what is on the bus: the child that the rig has a model of is the sensor; one at its address, the lens. */
static void look_around(struct csi_port *port, struct device_node *node)
{
	const char *compatible;
	u32 address;

	for_each_available_child_of_node_scoped(node, child) {
		/* The driver of a look-alike has a compatible string of its own: its node names the model beside it. */
		if ((!of_property_read_string(child, "framelock,model", &compatible) ||
		     !of_property_read_string(child, "compatible", &compatible)) && !port->model)
			port->model = csi_model_find(compatible);
		if (!of_property_read_u32(child, "reg", &address))
			port->has_lens |= address == CSI_LENS_ADDRESS;
	}
}

/* Reads those parts of a kernel argument that are for this port: [PORT:]WHAT[;[PORT:]WHAT]... */
static int read_argument(struct csi_port *port, const char *argument, int (*read)(struct csi_port *, const char *))
{
	char *copy, *rest, *part;
	int result = 0;

	if (!argument)
		return 0;
	rest = copy = kstrdup(argument, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	while (!result && (part = strsep(&rest, ";"))) {
		if (isdigit(part[0]) && part[1] == ':') {
			if (part[0] - '0' != port->index)
				continue;
			part += 2;
		}
		result = read(port, part);
		if (result)
			pr_err("csi: port %u: '%s' is not understood\n", port->index, part);
	}
	kfree(copy);
	return result;
}

static int read_options(struct csi_port *port, const char *text)
{
	return csi_options_parse(&port->options, text);
}

static int read_faults(struct csi_port *port, const char *text)
{
	return csi_faults_parse(port->faults, &port->fault_count, text);
}

static int create(struct csi_port *port)
{
	port->registers = kzalloc(65536, GFP_KERNEL);
	port->log = vmalloc(array_size(CSI_LOG_FRAMES, sizeof(*port->log)));
	port->writes = vmalloc(array_size(CSI_LOG_WRITES, sizeof(*port->writes)));
	port->rows = vmalloc(CSI_ROWS * CSI_WIDTH_MAX * 2);
	port->values = kmalloc_array(CSI_WIDTH_MAX, sizeof(*port->values), GFP_KERNEL);
	if (!port->registers || !port->log || !port->writes || !port->rows || !port->values)
		return -ENOMEM;
	for (int index = 0; port->model->reset[index].address != 0xffff; index++) {
		u16 address = port->model->reset[index].address, value = port->model->reset[index].value;

		if (port->model->reset[index].bytes == 2)
			port->registers[address++] = value >> 8;
		port->registers[address] = value;
	}
	spin_lock_init(&port->lock);
	csi_options_default(&port->options);
	csi_engine_init(port);
	return 0;
}

static int probe(struct platform_device *device)
{
	struct device_node *node = device->dev.of_node;
	struct csi_port *port;
	u32 index;
	int result;

	if (of_property_read_u32(node, "framelock,port", &index) || index >= CSI_PORTS || ports[index])
		return dev_err_probe(&device->dev, -EINVAL, "framelock,port must be a free number below %d\n", CSI_PORTS);
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return -ENOMEM;
	port->index = index;
	look_around(port, node);
	if (!port->model)
		return dev_err_probe(&device->dev, -ENODEV, "no child is a sensor that the rig has a model of\n");
	result = create(port);
	result = result ?: read_argument(port, options, read_options);
	result = result ?: read_argument(port, faults, read_faults);
	if (result)
		return result;
	port->domain = irq_domain_add_linear(node, 1, &interrupt_ops, port);
	if (!port->domain)
		return -ENOMEM;
	ports[index] = port;
	csi_log_create(port);

	port->adapter.owner = THIS_MODULE;
	port->adapter.algo = &csi_bus_algorithm;
	port->adapter.dev.parent = &device->dev;
	port->adapter.dev.of_node = node;
	snprintf(port->adapter.name, sizeof(port->adapter.name), "CSI bench port %u", index);
	i2c_set_adapdata(&port->adapter, port);
	return i2c_add_adapter(&port->adapter);
}

static const struct of_device_id matches[] = { { .compatible = "framelock,csi-port" }, {} };

/* Built in, never unbound: there is nothing to take down. */
static struct platform_driver driver = {
	.probe = probe,
	.driver = { .name = "framelock-csi-port", .of_match_table = matches, .suppress_bind_attrs = true },
};

static int __init start(void)
{
	return platform_driver_register(&driver);
}
subsys_initcall(start);
