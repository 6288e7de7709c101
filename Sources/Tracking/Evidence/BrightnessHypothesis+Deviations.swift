internal import Devices

extension BrightnessHypothesis {
    /// A frame that did not have what it should.
    struct Deviation: Sendable, Equatable {
        let number: Int
        let actual: PerGroup<Int64>
    }

    /// Takes note of a frame, the last one so far, if it does not have what it should.
    mutating func noteDeviation(from claimed: PerGroup<Int64>, _ number: Int) {
        if deviations.last?.number == number { deviations.removeLast() }
        guard Self.groups.contains(where: { actual[$0] != claimed[$0] }) else { return }
        deviations.append(Deviation(number: number, actual: actual))
    }

    /// Sets those frames apart whose verdict is given: hypotheses that differ in nothing else become one, and frames
    /// that are open are still compared with these.
    ///
    /// - Parameter number: of the first frame that is open.
    mutating func passDeviations(before number: Int) {
        guard let oldest = deviations.first, oldest.number < number else { return }
        deviations.removeFirst()
        earlierDeviations.append(oldest)
        if earlierDeviations.count > BrightnessFilter.window { earlierDeviations.removeFirst() }
    }

    /// What a frame had instead of what it should; nil if it had that, or is long gone.
    func deviation(at number: Int) -> PerGroup<Int64>? {
        (deviations.first { $0.number == number } ?? earlierDeviations.first { $0.number == number })?
            .actual
    }
}
