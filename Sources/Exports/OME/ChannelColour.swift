/// What a channel is shown in: the colour that its light is named after.
enum ChannelColour {
    /// Red, green and blue of a name; what nobody sees is shown as the nearest that is seen.
    private static let known: [String: UInt32] = [
        "red": 0xFF0000, "green": 0x00FF00, "blue": 0x0000FF, "cyan": 0x00FFFF,
        "magenta": 0xFF00FF, "yellow": 0xFFFF00, "amber": 0xFFBF00, "orange": 0xFF8000,
        // What fluorophores that people name their lights after are usually shown in.
        "dapi": 0x0000FF, "hoechst": 0x0000FF, "cfp": 0x00FFFF, "gfp": 0x00FF00, "egfp": 0x00FF00,
        "fitc": 0x00FF00, "yfp": 0xFFFF00, "rfp": 0xFF0000, "mcherry": 0xFF0000, "tritc": 0xFF0000,
        "white": 0xFFFFFF, "violet": 0x8000FF, "uv": 0x8000FF, "ir": 0x800000, "nir": 0x800000,
    ]

    /// Red, green and blue, a byte each.
    ///
    /// - Parameter lights: lines of a ledger, for example `red` or `ring_red`; joined by `+` they have no colour.
    /// - Returns: nil where no part of the name is a colour's.
    static func of(lights: String) -> UInt32? {
        let words = lights.lowercased().split { !$0.isLetter }.map(String.init)
        return lights.contains("+") ? nil : words.compactMap { known[$0] }.first
    }
}
