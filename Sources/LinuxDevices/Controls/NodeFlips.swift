internal import Devices

/// The flips of a raw sensor whose controls are the capture node's own, for receivers without a graph to set.
///
/// A flip changes the Bayer order, so it is set before the format and put back when the camera stops.
struct NodeFlips {
    private let controls: CameraControls
    /// How they stood when the camera was opened.
    private let found: [ControlValue]
    /// Whether there is something to put back.
    private var isSet = false

    /// Notes how the flips stand, and writes nothing.
    ///
    /// Flips that leave the layout of pixels alone are not its business.
    init(_ controls: CameraControls) {
        self.controls = controls
        found = controls.describe().compactMap { control in
            guard control.control.isFlip, control.changesLayout, !control.isReadOnly else {
                return nil
            }
            return control.code.map { ControlValue(control.control, $0) }
        }
    }

    /// Sets those that are named, and the others off.
    ///
    /// No frame buffers may be mapped: they would have another layout.
    ///
    /// - Parameter layout: what is wanted; controls that are no flips of this sensor are passed over.
    /// - Returns: what could not be set, in words.
    mutating func set(_ layout: [ControlValue]) -> [String] {
        isSet = true
        return found.compactMap { flip in
            let named = layout.first { $0.control == flip.control }
            return write(named ?? ControlValue(flip.control, 0))
        }
    }

    /// Puts back what was found, if anything was set since.
    ///
    /// - Returns: what could not be put back, in words.
    mutating func putBack() -> [String] {
        guard isSet else { return [] }
        isSet = false
        return found.compactMap(write)
    }

    /// Writes a flip unless it reads back so already.
    ///
    /// - Returns: what is wrong, in words; nil if it has its value.
    private func write(_ value: ControlValue) -> String? {
        if case .success(value.code) = controls.read(value.control) { return nil }
        let result = withUnsafePointer(to: value) {
            controls.write(UnsafeBufferPointer(start: $0, count: 1))
        }
        guard let error = KernelError(result: result) else { return nil }
        return "\(value.control.name) is not \(value.code) (\(error))"
    }
}
