internal import CVideo
internal import Devices
internal import Glibc

/// An open sub-device: a sensor, receiver or converter of a media graph.
final class Subdevice {
    /// Its device file, for messages.
    let path: String
    /// Open for as long as this lives; drivers may power the part down when the last one goes.
    let descriptor: Int32
    /// Whether the kernel lets this descriptor name streams.
    let hasStreams: Bool
    /// Whether programs may only look (V4L2_SUBDEV_CAP_RO_SUBDEV).
    let isReadOnly: Bool

    /// More routes than this are taken for a broken driver.
    private static let routesMaximum = 256

    /// Opens the device file of a part.
    ///
    /// - Throws: ``DeviceError`` if rights are missing, or the kernel refuses.
    init(part: String, path: String) throws(DeviceError) {
        self.path = path
        descriptor = fl_device_open(path)
        var capability = fl_subdev_capability()
        var client = fl_subdev_client_capability(capabilities: fl_client_streams)
        var hasStreams = false
        var isReadOnly = false
        if descriptor >= 0, fl_subdev_querycap(descriptor, &capability) >= 0 {
            isReadOnly = capability.capabilities & fl_subdevice_read_only != 0
            // The kernel takes what it can't do out of the answer; without streams it knows no such request.
            hasStreams =
                capability.capabilities & fl_subdevice_streams != 0
                && fl_subdev_client_cap(descriptor, &client) >= 0
                && client.capabilities & fl_client_streams != 0
        }
        (self.hasStreams, self.isReadOnly) = (hasStreams, isReadOnly)
        if descriptor == -EACCES || descriptor == -EPERM {
            throw DeviceError(.permission, MissingRight.message(path: path, group: "video"))
        }
        if let error = KernelError(result: descriptor) {
            throw DeviceError(.failed, "`\(part)` (\(path)) could not be opened: \(error)")
        }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// The active format of a pad's stream (VIDIOC_SUBDEV_G_FMT).
    ///
    /// - Parameter stream: 0 where ``hasStreams`` is false.
    func format(pad: UInt32, stream: UInt32) -> Result<BusFormat, KernelError> {
        var request = request(pad, stream)
        let result = fl_subdev_g_fmt(descriptor, &request)
        return KernelError(result: result).map { .failure($0) }
            ?? .success(BusFormat(request.format))
    }

    /// Sets the active format of a pad's stream.
    ///
    /// - Returns: what the driver made of it, which may be another one; EBUSY while it streams.
    func setFormat(
        _ format: BusFormat, pad: UInt32, stream: UInt32
    ) -> Result<BusFormat, KernelError> {
        var request = request(pad, stream)
        request.format = format.kernel
        let result = fl_subdev_s_fmt(descriptor, &request)
        return KernelError(result: result).map { .failure($0) }
            ?? .success(BusFormat(request.format))
    }

    /// A request that names pad and stream; the stream lies in what older headers call reserved.
    private func request(_ pad: UInt32, _ stream: UInt32) -> v4l2_subdev_format {
        var request = v4l2_subdev_format()
        request.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
        request.pad = pad
        fl_subdev_format_set_stream(&request, stream)
        return request
    }

    /// The bus codes that a pad can have now; 128 at most are listed.
    func codes(pad: UInt32) -> [UInt32] {
        var codes: [UInt32] = []
        for index in 0..<UInt32(128) {
            var query = v4l2_subdev_mbus_code_enum()
            query.pad = pad
            query.index = index
            query.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
            guard fl_subdev_enum_code(descriptor, &query) >= 0 else { break }
            if !codes.contains(query.code) { codes.append(query.code) }
        }
        return codes
    }

    /// All routes; empty where there are none.
    func routes() -> [SubdeviceRoute] {
        guard hasStreams else { return [] }
        var table = [fl_subdev_route](repeating: fl_subdev_route(), count: Self.routesMaximum)
        var request = fl_subdev_routing()
        request.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
        request.len_routes = UInt32(table.count)
        let result = table.withUnsafeMutableBufferPointer { table in
            request.routes = UInt64(UInt(bitPattern: table.baseAddress))
            return fl_subdev_g_routing(descriptor, &request)
        }
        guard result >= 0, request.num_routes <= table.count else { return [] }
        return table.prefix(Int(request.num_routes)).map { route in
            SubdeviceRoute(
                sinkPad: route.sink_pad, sinkStream: route.sink_stream,
                sourcePad: route.source_pad, sourceStream: route.source_stream,
                isActive: route.flags & fl_route_active != 0,
                isFixed: route.flags & fl_route_immutable != 0)
        }
    }

    /// Replaces all routes (VIDIOC_SUBDEV_S_ROUTING); the part's formats are the driver's own afterwards.
    ///
    /// - Returns: nil if it was done; else the errno, ENOTTY from kernels that let no program use streams.
    func setRoutes(_ routes: [SubdeviceRoute]) -> KernelError? {
        var table = routes.map { route in
            var row = fl_subdev_route()
            (row.sink_pad, row.sink_stream) = (route.sinkPad, route.sinkStream)
            (row.source_pad, row.source_stream) = (route.sourcePad, route.sourceStream)
            row.flags =
                (route.isActive ? fl_route_active : 0) | (route.isFixed ? fl_route_immutable : 0)
            return row
        }
        var request = fl_subdev_routing()
        request.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
        request.len_routes = UInt32(table.count)
        request.num_routes = UInt32(table.count)
        return table.withUnsafeMutableBufferPointer { table in
            request.routes = UInt64(UInt(bitPattern: table.baseAddress))
            return KernelError(result: fl_subdev_s_routing(descriptor, &request))
        }
    }
}
