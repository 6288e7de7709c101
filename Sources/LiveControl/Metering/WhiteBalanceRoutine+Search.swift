internal import Devices
internal import Imaging

extension WhiteBalanceRoutine {
    /// How much red may lack over blue, or blue over red, in thousandths of an EV: a hundredth.
    private static let neutral: UInt64 = 15
    /// Where a search begins if nothing is known of the camera.
    private static let daylight: Int64 = 5_000

    /// Whether temperatures have to be tried, since nobody measured what they do to this camera's colours.
    var searchedTemperature: WhiteBalanceModel.Temperature? {
        guard case .grayWorld = method, model?.components == nil else { return nil }
        return model?.temperature
    }

    /// Takes a frame of a camera whose temperatures are tried.
    ///
    /// Where it ends off neutral, the camera has no better temperature, and the limit states why. One that has
    /// converged begins anew once three frames differ from those that it converged with.
    mutating func search(
        _ temperature: WhiteBalanceModel.Temperature, _ balance: GrayWorld,
        current: WhiteBalance?, _ sequence: Int64
    ) -> MeteringDecision {
        guard case .temperature(let kelvin, _)? = current else {
            return write(temperature.nearest(kelvin: Self.daylight).setting)
        }
        guard let lacking = balance.gains else { return countUnusable(.nothingUsable) }
        unusableFrames = 0
        let difference = BinaryLogarithm.thousandths(
            Int128(lacking.redMillionths), over: Int128(lacking.blueMillionths))
        if state == .converged {
            offFrames = (difference - settled).magnitude > 2 * Self.neutral ? offFrames + 1 : 0
            guard offFrames >= Self.goodFrames else { return .wait }
            startAnew()
            state = .metering
        }
        let estimate = Estimate(gains: lacking)
        let isNeutral = difference.magnitude <= Self.neutral
        let place = TemperatureSearch.Place(kelvin: kelvin, lacking: difference)
        if !isNeutral, let next = search.next(after: place, in: temperature.codes) {
            return change(to: temperature.nearest(kelvin: next).setting, estimate, sequence)
        }
        let end = difference > 0 ? temperature.codes.maximum : temperature.codes.minimum
        limit = isNeutral ? nil : kelvin == end ? .balanceRange : .coarseSteps
        settled = difference
        let base = recent.first ?? lacking
        return lacking.differs(from: base, by: 2 * Self.tolerance)
            ? change(to: nil, estimate, sequence) : countGood(estimate, sequence)
    }
}
