extension ColourTemperature {
    /// The colour temperature of a chromaticity after Robertson (1968), as the DNG software development kit has it.
    ///
    /// Between 31 isotherms of published position and slope; a cross-check of the default, which raw converters use.
    ///
    /// - Returns: nil where there is none above 1,667 K: colder lights are beyond the last isotherm.
    public init?(robertson light: UniformChromaticity) {
        var last = 0.0
        for index in 1..<RobertsonIsotherm.all.count {
            let line = RobertsonIsotherm.all[index]
            let above = line.height(of: light)
            guard above.isFinite else { return nil }
            if above > 0 {
                last = above
                continue
            }
            let part = index == 1 ? 0 : -above / (last - above)
            let before = RobertsonIsotherm.all[index - 1]
            let mixed = RobertsonIsotherm.between(before, line, part: part)
            guard mixed.mired > 0 else { return nil }
            self.init(kelvin: 1e6 / mixed.mired, duv: mixed.distance(of: light))
            return
        }
        return nil
    }
}

extension UniformChromaticity {
    /// The illuminant of a colour temperature and tint by Robertson's isotherms; nil below 1,667 K.
    public init?(robertson illuminant: ColourTemperature) {
        let mired = 1e6 / illuminant.kelvin
        let all = RobertsonIsotherm.all
        guard illuminant.kelvin > 0,
            let index = (1..<all.count).first(where: { mired <= all[$0].mired })
        else { return nil }
        let (before, after) = (all[index - 1], all[index])
        let part = (after.mired - mired) / (after.mired - before.mired)
        let mixed = RobertsonIsotherm.between(before, after, part: part)
        self.init(
            u: mixed.u - illuminant.duv * mixed.direction.u,
            v: mixed.v - illuminant.duv * mixed.direction.v)
    }
}

/// A line of equal colour temperature: a point on the locus, and the unit vector towards pinker illuminants.
///
/// Slopes in (u, v) from Robertson, "Computation of Correlated Color Temperature and Distribution Temperature", J. Opt.
/// Soc. Am. 58 (1968), as the DNG software development kit has them; the row of 325 mired carries the later correction
/// of its slope.
private struct RobertsonIsotherm {
    let mired: Double
    let u: Double
    let v: Double
    let direction: (u: Double, v: Double)

    init(mired: Double, u: Double, v: Double, direction: (u: Double, v: Double)) {
        let length = (direction.u * direction.u + direction.v * direction.v).squareRoot()
        self.mired = mired
        self.u = u
        self.v = v
        self.direction = (direction.u / length, direction.v / length)
    }

    /// How far a chromaticity lies on the hotter side of the line.
    func height(of light: UniformChromaticity) -> Double {
        (light.v - v) * direction.u - (light.u - u) * direction.v
    }

    /// How far along the line, positive towards greener illuminants.
    func distance(of light: UniformChromaticity) -> Double {
        -((light.u - u) * direction.u + (light.v - v) * direction.v)
    }

    /// A line between two, with a part of the first.
    static func between(
        _ first: RobertsonIsotherm, _ second: RobertsonIsotherm, part: Double
    ) -> RobertsonIsotherm {
        func mix(_ a: Double, _ b: Double) -> Double { a * part + b * (1 - part) }
        return RobertsonIsotherm(
            mired: mix(first.mired, second.mired), u: mix(first.u, second.u),
            v: mix(first.v, second.v),
            direction: (
                mix(first.direction.u, second.direction.u),
                mix(first.direction.v, second.direction.v)
            ))
    }

    /// Robertson's table with Lindbloom's correction at 325 mired: mired, u, v, slope.
    ///
    /// - Note: Source: A. R. Robertson, Computation of Correlated Color Temperature and Distribution Temperature,
    ///   J. Opt. Soc. Am. 58 (1968).
    static let all: [RobertsonIsotherm] = [
        (0, 0.18006, 0.26352, -0.24341), (10, 0.18066, 0.26589, -0.25479),
        (20, 0.18133, 0.26846, -0.26876), (30, 0.18208, 0.27119, -0.28539),
        (40, 0.18293, 0.27407, -0.30470), (50, 0.18388, 0.27709, -0.32675),
        (60, 0.18494, 0.28021, -0.35156), (70, 0.18611, 0.28342, -0.37915),
        (80, 0.18740, 0.28668, -0.40955), (90, 0.18880, 0.28997, -0.44278),
        (100, 0.19032, 0.29326, -0.47888), (125, 0.19462, 0.30141, -0.58204),
        (150, 0.19962, 0.30921, -0.70471), (175, 0.20525, 0.31647, -0.84901),
        (200, 0.21142, 0.32312, -1.0182), (225, 0.21807, 0.32909, -1.2168),
        (250, 0.22511, 0.33439, -1.4512), (275, 0.23247, 0.33904, -1.7298),
        (300, 0.24010, 0.34308, -2.0637), (325, 0.24792, 0.34655, -2.4681),
        (350, 0.25591, 0.34951, -2.9641), (375, 0.26400, 0.35200, -3.5814),
        (400, 0.27218, 0.35407, -4.3633), (425, 0.28039, 0.35577, -5.3762),
        (450, 0.28863, 0.35714, -6.7262), (475, 0.29685, 0.35823, -8.5955),
        (500, 0.30505, 0.35907, -11.324), (525, 0.31320, 0.35968, -15.628),
        (550, 0.32129, 0.36011, -23.325), (575, 0.32931, 0.36038, -40.770),
        (600, 0.33724, 0.36051, -116.45),
    ].map { mired, u, v, slope in
        RobertsonIsotherm(mired: mired, u: u, v: v, direction: (1, slope))
    }
}
