internal import CVideo
internal import Devices

// A camera whose sensor, receiver and nodes are parts of a media graph.
extension V4L2Camera {
    /// Sets up the way from the sensor; embedded data that can't be had are left out, and the notices have the reason.
    func prepareGraph(wantsMetadata: Bool) throws(DeviceError) {
        metadataNode = nil
        guard let graph, let number = device.number, let configuration else { return }
        do throws(DeviceError) {
            try graph.prepare(number, configuration, wantsMetadata: wantsMetadata)
            try setMetadataNode()
        } catch {
            guard wantsMetadata, graph.plan?.metadata != nil || error.kind != .permission else {
                throw error
            }
            // What is wrong with the way of the image shows once more.
            try graph.prepare(number, configuration, wantsMetadata: false)
            add("frames come without embedded data: \(error.message)")
        }
        if let reason = graph.plan?.withoutMetadata {
            add("frames come without embedded data: \(reason)")
        }
    }

    /// Sets the format of the metadata node; drivers refuse it once buffers are there (EBUSY), so before those.
    private func setMetadataNode() throws(DeviceError) {
        guard var node = graph?.metadataNode else { return }
        try yielding { () throws(DeviceError) in try node.set() }
        metadataNode = node
    }

    /// Takes the way of embedded data away: while it stands, the sensor may wait for their node to stream.
    ///
    /// - Precondition: the frames' stream has not started, since links and formats can't be changed while it runs.
    func dropMetadata() {
        guard metadataNode != nil else { return }
        do throws(DeviceError) {
            try prepareGraph(wantsMetadata: false)
        } catch {
            add(error.message)
        }
    }

    /// Says something once.
    func add(_ notice: String) {
        if !notices.contains(notice) { notices.append(notice) }
    }

    /// What keeps the sensor from starting, as far as the media graph and the open files of processes show it.
    public func whyNoFrames() -> [String] {
        let trigger = identity.sensor.flatMap { SystemTree(root: "/").triggerMode(of: $0) }
        return [trigger].compactMap { $0 } + waitingNodes
    }

    /// The nodes that the sensor may wait for, one sentence each.
    private var waitingNodes: [String] {
        if let graph { return graph.idleNodes() }
        // Without a graph to set, such a receiver waits all the same while its metadata node is held open.
        return metadataNodes.compactMap { path in
            let users = DeviceUsers.of(path).map(\.description)
            guard !users.isEmpty else { return nil }
            return
                "the metadata node \(path) is open in \(users.joined(separator: ", ")), and the sensor may wait"
                + " until that program closes it"
        }
    }
}

extension SystemTree {
    /// The external trigger mode that a sensor's driver is set to; nil if it knows none, or it is off.
    ///
    /// Drivers of imx296, imx477 and ov7251 have it as a module parameter; it is the same for all sensors of one
    /// driver.
    func triggerMode(of sensor: String) -> String? {
        guard let mode = switchedOn("trigger_mode", of: sensor) else { return nil }
        return
            "the sensor waits for a pulse at its trigger input: \(mode.file) is \(mode.value); look at the wire and"
            + " the pulse, or write 0 there before the run"
    }

    /// What a parameter of a kernel module is set to, and its file; nil where it is off, or not there.
    func switchedOn(_ parameter: String, of module: String) -> (file: String, value: String)? {
        let file = "/sys/module/\(module)/parameters/\(parameter)"
        guard let value = line(file), value != "0", value != "N" else { return nil }
        return (file, value)
    }
}
