extension CameraControl {
    /// The automatic that drives this control on cameras that have it; nil for a control that none drives.
    ///
    /// As the kernel clusters them (`uvc_ctrl.c`; ov5640 and ov5647 do it alike).
    public var automatic: CameraControl? {
        let row = CameraControl.slaves.first { $0.slave == rawValue }
        return row.map { CameraControl(rawValue: $0.automatic) }
    }

    /// Whether it is a blanking of a sensor, which decides what exposures there are and is written before them.
    public var isBlanking: Bool { rawValue == 0x009e_0901 || rawValue == 0x009e_0902 }

    /// Whether this control is an automatic that drives others.
    public var isAutomatic: Bool { CameraControl.slaves.contains { $0.automatic == rawValue } }

    private static let slaves: [(slave: UInt32, automatic: UInt32)] = [
        (0x009a_0902, 0x009a_0901),  // exposure_time_absolute: auto_exposure
        (0x0098_0911, 0x009a_0901),  // exposure: auto_exposure
        (0x0098_0913, 0x0098_0912),  // gain: gain_automatic
        (0x009e_0903, 0x0098_0912),  // analogue_gain: gain_automatic
        (0x0098_091a, 0x0098_090c),  // white_balance_temperature: white_balance_automatic
        (0x0098_090e, 0x0098_090c),  // red_balance: white_balance_automatic
        (0x0098_090f, 0x0098_090c),  // blue_balance: white_balance_automatic
        (0x0098_0903, 0x0098_0919),  // hue: hue_automatic
        (0x009a_090a, 0x009a_090c),  // focus_absolute: focus_automatic_continuous
    ]
}
