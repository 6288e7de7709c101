/// What turns raw samples into a picture: levels, white balance, colours, tone.
///
/// Whole numbers only: the same settings give the same picture on every machine.
public struct DevelopmentSettings: Hashable, Sendable {
    /// How linear light becomes code values.
    public enum Tone: Hashable, Sendable {
        /// In proportion to the light.
        case linear
        /// The curve of sRGB (IEC 61966-2-1).
        case sRGB
    }

    /// The samples' value without light, in the order of the first two rows (red, green, green, blue for RGGB);
    /// formats that are not Bayer have the first one.
    public var black: [Int]
    /// The samples' value at saturation; nil for the format's largest.
    public var white: Int?
    /// White-balance gains that are still to be applied: 1 for each where the camera did it.
    public var gains: ChannelGains
    /// Balanced camera colours to linear sRGB; nil leaves them as they are.
    public var matrix: DevelopmentMatrix?
    /// The tone curve.
    public var tone: Tone

    /// Creates settings; those left out change nothing but the tone.
    ///
    /// - Parameters:
    ///   - black: one level for all sites of the pattern, or four.
    ///   - white: nil for the format's largest value.
    ///   - gains: of the white balance.
    ///   - matrix: of the colours.
    ///   - tone: of the result.
    public init(
        black: [Int] = [0], white: Int? = nil,
        gains: ChannelGains = .unity,
        matrix: DevelopmentMatrix? = nil, tone: Tone = .sRGB
    ) {
        self.black = black
        self.white = white
        self.gains = gains
        self.matrix = matrix
        self.tone = tone
    }

    /// The level of a site of the pattern, 0…3.
    func black(ofSite site: Int) -> Int { black.count == 4 ? black[site] : black[0] }
}

/// Three rows of three elements that turn a camera's balanced colours into linear sRGB.
///
/// Each row adds up to 1, so that greys stay what they are to the last bit; only the elements off the diagonal are
/// kept. Steps of 1/8192.
public struct DevelopmentMatrix: Hashable, Sendable {
    /// Red of green and blue, green of red and blue, blue of red and green; in 1/8192.
    let mixed: [Int16]

    /// Creates a matrix from nine elements in millionths, row by row.
    ///
    /// - Returns: nil unless there are nine, each row adds up to a million within 1 % (the diagonal takes up the
    ///   difference), and each element off the diagonal is below 4 in magnitude.
    public init?(millionths: [Int64]) {
        guard millionths.count == 9, millionths.allSatisfy({ $0.magnitude <= 100_000_000 }) else {
            return nil
        }
        for row in 0..<3 {
            let sum = millionths[row * 3] + millionths[row * 3 + 1] + millionths[row * 3 + 2]
            guard (990_000...1_010_000).contains(sum) else { return nil }
        }
        var mixed: [Int16] = []
        for index in [1, 2, 3, 5, 6, 7] {
            let scaled = millionths[index] * 8_192
            let rounded = (scaled + (scaled < 0 ? -500_000 : 500_000)) / 1_000_000
            guard rounded.magnitude < 4 * 8_192 else { return nil }
            mixed.append(Int16(rounded))
        }
        self.mixed = mixed
    }
}
