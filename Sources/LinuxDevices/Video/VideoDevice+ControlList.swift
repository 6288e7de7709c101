internal import CVideo
internal import Cameras

extension VideoDevice {
    private static let controlsMaximum = 512

    /// Every control that holds one number, by id.
    func listControls() -> [ControlDescription] {
        scanControls().map { query in
            let control = CameraControl(rawValue: query.id)
            let isButton = query.type == V4L2_CTRL_TYPE_BUTTON.rawValue
            let isWriteOnly = query.flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) != 0
            return ControlDescription(
                control: control, label: fixedText(query.name), minimum: query.minimum,
                maximum: query.maximum, step: Int64(clamping: query.step),
                defaultCode: query.default_value,
                code: isButton || isWriteOnly ? nil : readCode(query.id, isWide: query.isWide),
                isInactive: query.flags & UInt32(V4L2_CTRL_FLAG_INACTIVE) != 0,
                isReadOnly: query.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0)
        }
    }

    /// Ids of the controls whose values have 64 bits; the kernel fills only half of the union for all others.
    func listWideControls() -> [UInt32] {
        scanControls().filter(\.isWide).map(\.id)
    }

    /// The value of a control; nil if it can't be read.
    func readCode(_ id: UInt32, isWide: Bool) -> Int64? {
        try? requestCode(id, isWide: isWide).get()
    }

    /// Asks for the value of one control.
    func requestCode(_ id: UInt32, isWide: Bool) -> Result<Int64, KernelError> {
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

    private func scanControls() -> [v4l2_query_ext_ctrl] {
        var found: [v4l2_query_ext_ctrl] = []
        var query = v4l2_query_ext_ctrl()
        query.id = fl_ctrl_next
        while found.count < VideoDevice.controlsMaximum, fl_query_ext_ctrl(descriptor, &query) >= 0
        {
            let id = query.id
            if query.isNumber, query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 {
                found.append(query)
            }
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
            flags & UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD) == 0
        default: false
        }
    }
}
