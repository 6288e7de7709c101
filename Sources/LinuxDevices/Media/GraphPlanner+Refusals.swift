internal import CVideo
internal import Devices
internal import Imaging

// What can't be planned, in words.
extension GraphPlanner {
    /// The pixels as they are called on the bus.
    ///
    /// - Throws: ``DeviceError`` `unsupported` for pixels that no sensor sends as they are, and where the receiver
    ///   can't pack samples of 9 to 15 bits as asked.
    func busCode() throws(DeviceError) -> UInt32 {
        let format = request.pixelFormat
        guard let code = BusCode.of(format) else {
            throw DeviceError(
                .unsupported,
                "\(format.name) can't be asked from a sensor; raw Bayer and grey formats can")
        }
        guard let receiver, !receiver.packing.isEmpty, (9...15).contains(format.bitsPerSample)
        else { return code }
        let packing: ReceiverModel.Packing = format.packing == .unpacked ? .unpacked : .packed
        guard receiver.packing.contains(packing) else {
            let other = PixelFormat.known.first {
                BusCode.of($0) == code && ($0.packing == .unpacked) != (packing == .unpacked)
            }
            let advice = other.map { "; ask for \($0.name)" } ?? ""
            throw DeviceError(
                .unsupported,
                "the receiver `\(receiver.name)` can't keep samples \(packing.rawValue) as \(format.name) has"
                    + " them, only \(receiver.packing.map(\.rawValue).joined(separator: " or "))"
                    + advice)
        }
        return code
    }

    /// The steps from the sensor to the capture node.
    ///
    /// - Throws: ``DeviceError`` `unsupported` where the node is not in the graph, or no sensor can be linked to it.
    func wayToNode() throws(DeviceError) -> [MediaTopology.Step] {
        guard let node = topology.entity(request.node) else {
            throw DeviceError(
                .unsupported, "the capture node is not part of this media device's graph")
        }
        let way = snapshot.way(to: node, receiver: receiver)
        guard way.isEmpty else { return way }
        let parts = topology.entities.filter { !$0.isNode }.map { "`\($0.name)`" }
        throw DeviceError(
            .unsupported,
            "no sensor is linked to this capture node, `\(node.name)`: the graph has "
                + (parts.isEmpty ? "no sub-devices" : parts.joined(separator: ", "))
                + "; a sensor whose driver did not start (see `dmesg`) is missing from it")
    }

    /// - Parameter blocking: links that can't be cut and make the sensor wait; the first is named.
    func refuse(_ blocking: [MediaTopology.Link]) throws(DeviceError) {
        guard let link = blocking.first else { return }
        throw DeviceError(
            .unsupported,
            "the link from \(topology.text(of: link)) can't be cut, and while it stands the sensor waits until"
                + " that node streams too")
    }

    /// For a link of the way that is cut and can't be enabled.
    func refusal(ofFixed link: MediaTopology.Link) -> DeviceError {
        DeviceError(
            .unsupported,
            "the link from \(topology.text(of: link)) is cut, and the driver lets nobody enable it")
    }
}
