extension Int64 {
    /// Bytes as people read them: `12.4 MB`, in powers of ten, cut off.
    ///
    /// Powers of ten, because disks are sold by them.
    package var byteText: String {
        for (unit, name) in [
            (1_000_000_000_000 as Int64, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"),
            (1_000, "kB"),
        ] where self >= unit {
            let tenths = self / (unit / 10)
            return "\(tenths / 10).\(tenths % 10) \(name)"
        }
        return "\(self) bytes"
    }
}
