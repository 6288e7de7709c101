extension ColourTemperature {
    /// The colour temperature of a chromaticity after Ohno (2013): the definition that framelock uses.
    ///
    /// A cascade of tables of black bodies is expanded around the nearest one; in the last, the triangular solution
    /// holds near the locus and the parabolic one from |Duv| 0.002.
    ///
    /// - Returns: nil if the nearest black body is colder than 1,000 K or hotter than any: such a light has no colour
    ///   temperature. What has one, but is far from the locus, is reported by ``limits``.
    /// - Note: Source: Y. Ohno, Practical Use and Calculation of CCT and Duv, LEUKOS 10 (2014). uv (0.1978, 0.3122)
    ///   gives 6507.47 K, Duv 3.2233·10⁻³.
    public init?(_ light: UniformChromaticity) {
        self.init(
            light, mired: 0...1_000, steps: PlanckianLocus.rows.count - 1,
            locus: PlanckianLocus.chromaticity(mired:))
    }

    /// The colour temperature of a CIE 1931 chromaticity after Ohno (2013); nil where that has none.
    public init?(_ light: Chromaticity) {
        guard let uniform = light.uniform else { return nil }
        self.init(uniform)
    }

    /// The colour temperature on Krystek's approximation of the locus (1985), from 1,000 K to 15,000 K.
    ///
    /// Needs no table of colours, and agrees with the default within a few kelvin near 6,500 K: a cross-check.
    public init?(krystek light: UniformChromaticity) {
        self.init(light, mired: 1e6 / 15_000...1_000, steps: 200) { mired in
            UniformChromaticity(krystek: 1e6 / mired)
        }
    }

    /// The nearest place on a locus that is searched from end to end, then twenty times as fine in three steps.
    ///
    /// Steps are in mired, since the locus is nearly even in it. Four levels, the last with steps of a thousandth of
    /// the first, leave about 0.005 mired between neighbours of the table.
    ///
    /// - Parameters:
    ///   - light: finite, or nothing is found.
    ///   - range: of the locus, in mired.
    ///   - steps: of the first level.
    ///   - locus: the black body's chromaticity at a mired.
    private init?(
        _ light: UniformChromaticity, mired range: ClosedRange<Double>, steps: Int,
        locus: (Double) -> UniformChromaticity
    ) {
        guard light.u.isFinite, light.v.isFinite else { return nil }
        var (start, steps) = (range.lowerBound, steps)
        var step = (range.upperBound - range.lowerBound) / Double(steps)
        for level in 0...3 {
            var nearest = (index: 0, distance: Double.infinity)
            for index in 0...steps {
                let distance = light.distance(to: locus(start + Double(index) * step))
                if distance < nearest.distance { nearest = (index, distance) }
            }
            if level == 0 {
                // The nearest of all being the last one means that the locus comes nearer beyond.
                guard nearest.index > 0, nearest.index < steps else { return nil }
            }
            start += Double(min(max(nearest.index, 1), steps - 1) - 1) * step
            if level == 3 { break }
            (step, steps) = (step / 10, 20)
        }
        let three = (0...2).map { index in
            let mired = start + Double(index) * step
            let body = locus(mired)
            return Neighbour(kelvin: 1e6 / mired, body: body, distance: light.distance(to: body))
        }
        self.init(light, between: three[0], three[1], three[2])
        // Nothing comes of a neighbour of infinite temperature.
        guard kelvin.isFinite, duv.isFinite else { return nil }
    }

    /// A black body near a light.
    private struct Neighbour {
        var kelvin: Double
        var body: UniformChromaticity
        var distance: Double
    }

    /// Ohno's triangular and parabolic solutions from three neighbours.
    ///
    /// Ohno's equations with the distances of the light from three neighbours: triangular below |Duv| 0.002, where
    /// distance over temperature has a corner and is no parabola, parabolic from there on. The sign is that of the
    /// light's v over the locus.
    private init(
        _ light: UniformChromaticity, between before: Neighbour, _ nearest: Neighbour,
        _ after: Neighbour
    ) {
        let side = before.body.distance(to: after.body)
        let foot =
            (before.distance * before.distance - after.distance * after.distance + side * side)
            / (2 * side)
        let part = foot / side
        let sign = light.v < before.body.v + (after.body.v - before.body.v) * part ? -1.0 : 1.0
        let height = (before.distance * before.distance - foot * foot)
        let duv = max(height, 0).squareRoot()
        if duv < 0.002 {
            let kelvin = before.kelvin + (after.kelvin - before.kelvin) * part
            self.init(kelvin: kelvin, duv: sign * duv)
            return
        }
        // The parabola of distance over temperature, in Newton's form.
        let first = (nearest.distance - before.distance) / (nearest.kelvin - before.kelvin)
        let second = (after.distance - nearest.distance) / (after.kelvin - nearest.kelvin)
        let curvature = (second - first) / (after.kelvin - before.kelvin)
        let kelvin = (before.kelvin + nearest.kelvin) / 2 - first / (2 * curvature)
        let least =
            before.distance + first * (kelvin - before.kelvin)
            + curvature * (kelvin - before.kelvin) * (kelvin - nearest.kelvin)
        self.init(kelvin: kelvin, duv: sign * least)
    }
}

extension UniformChromaticity {
    /// The illuminant of a colour temperature and tint: from the black body along its isotherm.
    ///
    /// - Returns: nil outside 1,000 K to 100,000 K, where the table of black bodies ends.
    public init?(_ illuminant: ColourTemperature) {
        let mired = 1e6 / illuminant.kelvin
        guard illuminant.kelvin > 0, (10...1_000).contains(mired) else { return nil }
        let body = PlanckianLocus.chromaticity(mired: mired)
        let green = PlanckianLocus.isotherm(mired: mired)
        self.init(
            u: body.u + illuminant.duv * green.u, v: body.v + illuminant.duv * green.v)
    }
}

extension Chromaticity {
    /// The CIE 1931 chromaticity of an illuminant's colour temperature and tint.
    ///
    /// - Returns: nil outside 1,000 K to 100,000 K, where the table of black bodies ends.
    public init?(_ illuminant: ColourTemperature) {
        guard let light = UniformChromaticity(illuminant)?.chromaticity else { return nil }
        self = light
    }
}
