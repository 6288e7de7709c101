/// A control of a camera by its V4L2 id.
///
/// Simulated cameras use the same ids.
public struct CameraControl: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
    /// The id, `V4L2_CID_…`.
    public let rawValue: UInt32

    /// Creates a control from its V4L2 id.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The name, as `v4l2-ctl` prints it; `0x…` for a control that is not in the table.
    public var name: String {
        CameraControl.table.first { $0.id == rawValue }?.name
            ?? "0x" + String(rawValue, radix: 16)
    }

    /// The control of a name as `v4l2-ctl` prints it, or of a number such as `0x009a0902`.
    public init?(name: String) {
        if let row = CameraControl.table.first(where: { $0.name == name }) {
            self.init(rawValue: row.id)
        } else if name.hasPrefix("0x"), let id = UInt32(name.dropFirst(2), radix: 16) {
            self.init(rawValue: id)
        } else {
            return nil
        }
    }

    /// Names of every control in the table, for suggestions.
    public static var knownNames: [String] { table.map(\.name) }

    /// Standard control ids (`linux/v4l2-controls.h`).
    private static let table: [(id: UInt32, name: String)] = [
        (0x0098_0900, "brightness"), (0x0098_0901, "contrast"), (0x0098_0902, "saturation"),
        (0x0098_0903, "hue"), (0x0098_090c, "white_balance_automatic"),
        (0x0098_090d, "do_white_balance"), (0x0098_090e, "red_balance"),
        (0x0098_090f, "blue_balance"), (0x0098_0910, "gamma"), (0x0098_0911, "exposure"),
        (0x0098_0912, "gain_automatic"), (0x0098_0913, "gain"), (0x0098_0914, "horizontal_flip"),
        (0x0098_0915, "vertical_flip"), (0x0098_0918, "power_line_frequency"),
        (0x0098_0919, "hue_automatic"), (0x0098_091a, "white_balance_temperature"),
        (0x0098_091b, "sharpness"), (0x0098_091c, "backlight_compensation"),
        (0x009a_0901, "auto_exposure"), (0x009a_0902, "exposure_time_absolute"),
        (0x009a_0903, "exposure_dynamic_framerate"), (0x009a_090a, "focus_absolute"),
        (0x009a_090c, "focus_automatic_continuous"), (0x009a_0910, "privacy"),
        (0x009a_0915, "wide_dynamic_range"),
        (0x009e_0901, "vertical_blanking"), (0x009e_0902, "horizontal_blanking"),
        (0x009e_0903, "analogue_gain"), (0x009f_0901, "link_frequency"),
        (0x009f_0902, "pixel_rate"), (0x009f_0903, "test_pattern"), (0x009f_0905, "digital_gain"),
    ]
}

/// A control and the value that it has or is to get.
public struct ControlValue: BitwiseCopyable, Hashable, Sendable {
    /// Which control.
    public var control: CameraControl
    /// The device's own number.
    public var code: Int64

    /// Creates a pair.
    public init(_ control: CameraControl, _ code: Int64) {
        self.control = control
        self.code = code
    }
}

/// What a device reports of one of its controls.
public struct ControlDescription: Hashable, Sendable {
    /// Which control.
    public var control: CameraControl
    /// The driver's own name for it.
    public var label: String
    /// The smallest value.
    public var minimum: Int64
    /// The largest value.
    public var maximum: Int64
    /// The distance from one value to the next.
    public var step: Int64
    /// The value that the device starts with.
    public var defaultCode: Int64
    /// The value when it was described; nil where it can't be read.
    public var code: Int64?
    /// Whether an automatic owns it at the moment (V4L2's INACTIVE).
    public var isInactive: Bool
    /// Whether it can't be written at all.
    public var isReadOnly: Bool
    /// Whether it can't be written at the moment, because a stream or another program holds it (V4L2's GRABBED).
    public var isGrabbed: Bool
    /// Whether the hardware moves it by itself, so that reading it twice may give two values (V4L2's VOLATILE).
    public var isVolatile: Bool
    /// Whether writing it may change what other controls are or take (V4L2's UPDATE).
    public var changesOthers: Bool
    /// Whether writing it changes how pixels lie in memory, as flips do to the Bayer order (V4L2's MODIFY_LAYOUT).
    public var changesLayout: Bool
    /// The part of the camera that has it, as its media graph calls it; empty for the capture node itself.
    public var part: String

    /// Creates a description.
    public init(
        control: CameraControl, label: String, minimum: Int64, maximum: Int64, step: Int64,
        defaultCode: Int64, code: Int64?, isInactive: Bool = false, isReadOnly: Bool = false,
        isGrabbed: Bool = false, isVolatile: Bool = false, changesOthers: Bool = false,
        changesLayout: Bool = false, part: String = ""
    ) {
        self.control = control
        self.label = label
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.defaultCode = defaultCode
        self.code = code
        self.isInactive = isInactive
        self.isReadOnly = isReadOnly
        self.isGrabbed = isGrabbed
        self.isVolatile = isVolatile
        self.changesOthers = changesOthers
        self.changesLayout = changesLayout
        self.part = part
    }
}
