extension ColourCurve {
    /// The gains that make an illuminant look neutral to this camera; green is 1.
    ///
    /// Tint moves along the normal of the curve in (r, b): greener illuminants have less red and less blue. Its scale
    /// is that of the curve itself, (r, b) per CIE 1960 (u, v) from the first point to the last, since a curve carries
    /// no measurement beside itself. Normals follow an eighth of the curve to both sides, and turn steadily from point
    /// to point: measured curves are jagged, and normals that cross would give one set of gains two temperatures.
    ///
    /// - Parameters:
    ///   - kelvin: the illuminant's colour temperature; outside the curve its ends are continued, which `limits`
    ///     reports.
    ///   - tintThousandths: the illuminant's tint.
    /// - Returns: nil where the camera would see no red or no blue at all.
    public func gains(kelvin: Int64, tintThousandths: Int64) -> Converted<ChannelGains>? {
        let index = segments.lastIndex { $0.start.kelvin <= Double(kelvin) } ?? 0
        let segment = segments[index]
        let illuminant = ColourTemperature(kelvin: kelvin, tintThousandths: tintThousandths)
        let place = segment.place(
            at: (Double(kelvin) - segment.start.kelvin) / segment.kelvin,
            offset: illuminant.duv * scale)
        guard let gains = ChannelGains(greyRed: place.red, blue: place.blue) else { return nil }
        return Converted(gains, limits: limits(of: illuminant))
    }

    /// The illuminant that gains make neutral.
    ///
    /// - Parameter gains: relative to green, whatever that is.
    /// - Returns: the illuminant, and what of it is out of range; nil unless every gain is above 0, and for gains so
    ///   far off that no normal of the curve leads to them.
    public func temperature(of gains: ChannelGains) -> Converted<ColourTemperature>? {
        guard let grey = gains.grey else { return nil }
        var best: (kelvin: Double, offset: Double)?
        for (index, segment) in segments.enumerated() {
            let isFirst = index == 0
            let isLast = index == segments.count - 1
            for part in segment.parts(of: grey) {
                guard (part >= 0 || isFirst) && (part <= 1 || isLast) else { continue }
                let kelvin = segment.start.kelvin + part * segment.kelvin
                let offset = segment.offset(of: grey, at: part)
                if offset.magnitude < best?.offset.magnitude ?? .infinity {
                    best = (kelvin, offset)
                }
            }
        }
        guard let best, best.kelvin > 0 else { return nil }
        let illuminant = ColourTemperature(kelvin: best.kelvin, duv: best.offset / scale)
        return Converted(illuminant, limits: limits(of: illuminant))
    }

    /// What is beyond the curve's points, and a tint beyond ±150; the curve's range stands in for the black body's.
    private func limits(of illuminant: ColourTemperature) -> [ColourLimit] {
        var limits: [ColourLimit] = []
        if !kelvinRange.contains(illuminant.wholeKelvin) {
            limits.append(.temperature(illuminant.wholeKelvin, kelvinRange, of: .curve))
        }
        return limits + illuminant.limits.filter { if case .tint = $0 { true } else { false } }
    }

    /// (r, b) per CIE 1960 (u, v): length of the curve over the length of the locus between its ends.
    private var scale: Double {
        let own = segments.reduce(0) { $0 + $1.length }
        let bodies = points.map {
            PlanckianLocus.chromaticity(mired: 1e6 / Double($0.kelvin))
        }
        let theirs = zip(bodies, bodies.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        return own / theirs
    }

    /// The pieces between points, with smoothed normals; computed at each conversion.
    private var segments: [ColourCurveSegment] {
        let places = points.map(ColourCurveSegment.Place.init)
        let steps = zip(places, places.dropFirst()).map { $1.distance(from: $0) }
        let ways = steps.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + $1) }
        let whole = ways[ways.count - 1]
        let normals = ways.map { way in
            let before = Self.place(at: max(way - whole / 8, 0), on: places, ways: ways)
            let after = Self.place(at: min(way + whole / 8, whole), on: places, ways: ways)
            return ColourCurveSegment.unit((-(after.blue - before.blue), after.red - before.red))
        }
        return places.indices.dropLast().map { index in
            ColourCurveSegment(
                start: places[index], end: places[index + 1],
                normals: (normals[index], normals[index + 1]))
        }
    }

    /// The ratios after a way along the curve.
    private static func place(
        at way: Double, on places: [ColourCurveSegment.Place], ways: [Double]
    ) -> ColourCurveSegment.Vector {
        let index = min(ways.lastIndex { $0 <= way } ?? 0, places.count - 2)
        let (start, end) = (places[index], places[index + 1])
        let part = (way - ways[index]) / (ways[index + 1] - ways[index])
        return (
            start.red + part * (end.red - start.red), start.blue + part * (end.blue - start.blue)
        )
    }
}
