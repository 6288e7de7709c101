internal import CVideo
internal import Devices

/// The controls behind one descriptor, asked from the driver each time.
///
/// VIDIOC_QUERY_EXT_CTRL with V4L2_CTRL_FLAG_NEXT_CTRL walks through them by rising id.
struct ControlList {
    /// More controls than this are taken for a driver whose list never ends.
    private static let controlsMaximum = 512

    /// Stays the caller's.
    let descriptor: Int32

    /// Every control that holds one number, by id; disabled ones are left out, since the device does not have them.
    ///
    /// Values are read with VIDIOC_G_EXT_CTRLS, one by one; buttons and write-only controls have none.
    ///
    /// - Parameter part: the part's name in the media graph, which goes into each description.
    func describe(part: String) -> [ControlDescription] {
        scan().map { query in
            let isButton = query.type == V4L2_CTRL_TYPE_BUTTON.rawValue
            let canRead = !isButton && !query.has(V4L2_CTRL_FLAG_WRITE_ONLY)
            return ControlDescription(
                control: CameraControl(rawValue: query.id), label: fixedText(query.name),
                minimum: query.minimum, maximum: query.maximum, step: Int64(clamping: query.step),
                defaultCode: query.default_value,
                code: canRead ? try? read(query.id, isWide: query.isWide).get() : nil,
                isInactive: query.has(V4L2_CTRL_FLAG_INACTIVE),
                isReadOnly: query.has(V4L2_CTRL_FLAG_READ_ONLY),
                isGrabbed: query.has(V4L2_CTRL_FLAG_GRABBED),
                isVolatile: query.has(V4L2_CTRL_FLAG_VOLATILE),
                changesOthers: query.has(V4L2_CTRL_FLAG_UPDATE),
                changesLayout: query.has(V4L2_CTRL_FLAG_MODIFY_LAYOUT), part: part)
        }
    }

    /// The ids with their least values and steps, and whether each value has 64 bits: the kernel fills only half of the
    /// union for all others.
    func ranges() -> [(id: UInt32, isWide: Bool, minimum: Int64, step: Int64)] {
        scan().map { ($0.id, $0.isWide, $0.minimum, Int64(clamping: $0.step)) }
    }

    /// Asks for the value of one control (VIDIOC_G_EXT_CTRLS); allocates nothing.
    ///
    /// Drivers answer from a cache unless the control is volatile, so this is what was written, not what a frame shows.
    ///
    /// - Parameters:
    ///   - id: `V4L2_CID_…`.
    ///   - isWide: whether its value has 64 bits; the kernel fills only the lower half of the union for all others.
    func read(_ id: UInt32, isWide: Bool) -> Result<Int64, KernelError> {
        var control = v4l2_ext_control()
        control.id = id
        let result = withUnsafeMutablePointer(to: &control) { control in
            var request = v4l2_ext_controls()
            request.count = 1
            request.controls = control
            return fl_g_ext_ctrls(descriptor, &request)
        }
        if let error = KernelError(result: result) { return .failure(error) }
        return .success(isWide ? control.value64 : Int64(control.value))
    }

    /// All controls with one number that are not disabled, as the driver lists them.
    private func scan() -> [v4l2_query_ext_ctrl] {
        var found: [v4l2_query_ext_ctrl] = []
        var query = v4l2_query_ext_ctrl()
        query.id = fl_ctrl_next
        while found.count < ControlList.controlsMaximum, fl_query_ext_ctrl(descriptor, &query) >= 0
        {
            let id = query.id
            if query.isNumber, !query.has(V4L2_CTRL_FLAG_DISABLED) { found.append(query) }
            query = v4l2_query_ext_ctrl()
            query.id = id | fl_ctrl_next
        }
        return found
    }
}

extension v4l2_query_ext_ctrl {
    /// Whether its value has 64 bits.
    fileprivate var isWide: Bool { type == V4L2_CTRL_TYPE_INTEGER64.rawValue }

    /// Whether it holds one number, and is no heading, text or array.
    fileprivate var isNumber: Bool {
        switch type {
        case V4L2_CTRL_TYPE_INTEGER.rawValue, V4L2_CTRL_TYPE_BOOLEAN.rawValue,
            V4L2_CTRL_TYPE_MENU.rawValue, V4L2_CTRL_TYPE_INTEGER_MENU.rawValue,
            V4L2_CTRL_TYPE_BITMASK.rawValue, V4L2_CTRL_TYPE_INTEGER64.rawValue,
            V4L2_CTRL_TYPE_BUTTON.rawValue:
            !has(V4L2_CTRL_FLAG_HAS_PAYLOAD)
        default: false
        }
    }

    /// Whether a flag, `V4L2_CTRL_FLAG_…`, is set.
    fileprivate func has(_ flag: Int32) -> Bool { flags & UInt32(bitPattern: flag) != 0 }
}
