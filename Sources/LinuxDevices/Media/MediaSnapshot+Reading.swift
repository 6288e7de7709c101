internal import Devices
internal import Notation

// Reading back what a report keeps.
extension MediaSnapshot {
    /// Reads a media device out of a report.
    ///
    /// - Parameters:
    ///   - json: as ``json`` writes it.
    ///   - place: where it stands in the report, for messages.
    /// - Throws: ``ReportReader/Problem`` at the first member that is missing or wrong.
    init(_ json: JSONValue, at place: String) throws(ReportReader.Problem) {
        let read = try ReportReader(json, at: place)
        self.init(
            information: Information(
                driver: try read.text("driver"), model: try read.text("model"),
                bus: try read.text("bus"), driverVersion: try read.text("driver_version"),
                hardwareRevision: try read.word("hardware_revision")))
        for entity in try read.list("entities") { try add(entity) }
        for link in try read.list("links") {
            topology.links.append(
                .init(
                    source: try link.word("source"), sink: try link.word("sink"),
                    isEnabled: try link.truth("enabled"), isFixed: try link.truth("fixed")))
        }
        for companion in try read.list("companions") {
            topology.companions.append(
                .init(of: try companion.word("of"), entity: try companion.word("entity")))
        }
    }

    /// Adds an entity with its pads, and what its sub-device or node reported.
    private mutating func add(_ read: ReportReader) throws(ReportReader.Problem) {
        let id = try read.word("id")
        var device: DeviceNumber?
        if read.has("major") {
            device = DeviceNumber(major: try read.word("major"), minor: try read.word("minor"))
        }
        topology.entities.append(
            .init(
                id: id, name: try read.text("name"), function: try read.word("function"),
                device: device, isNode: try read.truth("node")))
        var part = Subdevice()
        for pad in try read.list("pads") {
            let padID = try pad.word("id")
            topology.pads.append(
                .init(
                    id: padID, entity: id, index: try pad.word("index"),
                    isSource: try pad.truth("source"), isInternal: try pad.truth("internal"),
                    mustConnect: try pad.truth("must_connect")))
            if pad.has("codes") { part.codes[padID] = try pad.words("codes") }
            guard pad.has("formats") else { continue }
            for format in try pad.list("formats") {
                let stream = PadStream(pad: padID, stream: try format.word("stream"))
                part.formats[stream] = try BusFormat(format)
            }
        }
        if read.has("subdevice") {
            try part.read(try read.object("subdevice"), part: try read.text("name"))
            subdevices[id] = part
        }
        if read.has("capture") { nodes[id] = try Node(try read.object("capture")) }
    }
}

extension MediaSnapshot.Subdevice {
    fileprivate mutating func read(
        _ read: ReportReader, part: String
    ) throws(ReportReader.Problem) {
        hasStreams = try read.truth("streams")
        isReadOnly = try read.truth("read_only")
        for route in try read.list("routes") {
            routes.append(
                SubdeviceRoute(
                    sinkPad: try route.word("sink_pad"), sinkStream: try route.word("sink_stream"),
                    sourcePad: try route.word("source_pad"),
                    sourceStream: try route.word("source_stream"),
                    isActive: try route.truth("active"), isFixed: try route.truth("fixed")))
        }
        for control in try read.list("controls") {
            controls.append(try ControlDescription(control, part: part))
        }
    }
}

extension MediaSnapshot.Node {
    fileprivate init(_ read: ReportReader) throws(ReportReader.Problem) {
        self.init(
            driver: try read.text("driver"), card: try read.text("card"),
            bus: try read.text("bus"), capabilities: try read.word("capabilities"),
            format: try read.text("format"), width: try read.word("width"),
            height: try read.word("height"), byteCount: try read.word("bytes"))
    }
}

extension BusFormat {
    fileprivate init(_ read: ReportReader) throws(ReportReader.Problem) {
        self.init(
            width: try read.word("width"), height: try read.word("height"),
            code: try read.word("code"), field: try read.word("field"),
            colorspace: try read.word("colorspace"), ycbcrEncoding: try read.word("ycbcr"),
            quantization: try read.word("quantization"),
            transferFunction: try read.word("transfer"), flags: try read.word("flags"))
    }
}

extension ControlDescription {
    fileprivate init(_ read: ReportReader, part: String) throws(ReportReader.Problem) {
        self.init(
            control: CameraControl(rawValue: try read.word("id")), label: try read.text("label"),
            minimum: try read.number("minimum"), maximum: try read.number("maximum"),
            step: try read.number("step"), defaultCode: try read.number("default"),
            code: try? read.number("value"), isInactive: try read.truth("inactive"),
            isReadOnly: try read.truth("read_only"), isGrabbed: try read.truth("grabbed"),
            isVolatile: try read.truth("volatile"), changesOthers: try read.truth("changes_others"),
            changesLayout: try read.truth("changes_layout"), part: part)
    }
}
