internal import ProvingGround
internal import Timebase

/// Converts times of simulated clock pairs while readings come in, with our estimator and with those of others, whose
/// intervals are scaled until they hold the truth as often as ours: then widths can be compared.
struct ClocksBenchmark {
    /// What one estimator answered: half-widths, and by how much each would have to be scaled to reach the truth.
    private struct Answers {
        var halfWidths: [Double] = []
        var factors: [Double] = []

        mutating func note(_ halfWidth: Double, error: Double) {
            halfWidths.append(halfWidth)
            factors.append(error / max(halfWidth, 0.5))
        }

        /// The median half-width once so many intervals hold the truth.
        func median(holding count: Int) -> (nanoseconds: Double, factor: Double) {
            let factor = factors.sorted()[count - 1]
            let sorted = halfWidths.sorted()
            return (sorted[sorted.count / 2] * factor, factor)
        }
    }

    private static let seconds = 1_800

    /// How many pairs of clocks.
    let pairs: Int

    /// As the proof has them; nobody touching the clocks; and these at a steady temperature.
    func figures() -> [Figure] {
        figures("any") { SimulatedClockPair(seed: $0, seconds: Self.seconds) }
            + figures("untouched") {
                SimulatedClockPair(seed: $0, seconds: Self.seconds, isQuiet: true)
            }
            + figures("steady") {
                SimulatedClockPair(
                    seed: $0, seconds: Self.seconds, wanderFemtoPerSecond: 1_000_000, isQuiet: true)
            }
    }

    private func figures(_ kind: String, _ pair: (UInt64) -> SimulatedClockPair) -> [Figure] {
        var own = Answers()
        var held = 0
        var others = [Answers](repeating: Answers(), count: 3)
        for seed in 0..<pairs {
            measure(pair(UInt64(seed)), &own, &held, &others)
        }
        let median = own.halfWidths.sorted()[own.halfWidths.count / 2]
        let coverage = Double(held) / Double(own.halfWidths.count) * 100
        let names = [RecursiveFit.name, WindowedRegression.name, ExponentialRegression.name]
        return [
            Figure(
                name: "clocks: \(kind), coverage", value: coverage, unit: "%",
                wish: .atLeast(99.9), note: "\(own.halfWidths.count) conversions"),
            Figure(name: "clocks: \(kind), half-width", value: median, unit: "ns"),
        ]
            + zip(names, others).map { name, answers in
                let (nanoseconds, factor) = answers.median(holding: held)
                return Figure(
                    name: "clocks: \(kind), \(name) to ours", value: nanoseconds / median,
                    unit: "times", wish: .atLeast(1),
                    note:
                        "\(Figure.text(nanoseconds)) ns, its interval times \(Figure.text(factor))")
            }
    }

    private func measure(
        _ pair: SimulatedClockPair, _ own: inout Answers, _ held: inout Int,
        _ answers: inout [Answers]
    ) {
        var pair = pair
        var estimator = ClockEstimator<Monotonic, DeviceClock>(
            pair.discipline == .free ? .freeQuartz : .steered)
        var others: [any ComparedEstimator] = [
            RecursiveFit(), WindowedRegression(), ExponentialRegression(),
        ]
        var first: Int64?
        for second in 0..<Self.seconds {
            let begin = pair.beginning + Int64(second) * 1_000_000_000
            let burst = pair.burst(of: 8, at: begin)
            let zero = first ?? burst[0].reading - burst[0].before
            first = zero
            for look in burst { add(look, pair.resolution, to: &estimator) }
            let looks = burst.map { look in
                let middle = look.before + (look.after - look.before) / 2
                return Look(
                    time: Double(middle - pair.beginning) / 1e9,
                    offset: Double(look.reading - middle - zero),
                    delay: Double(look.after - look.before))
            }
            for index in others.indices { others[index].add(looks) }

            let last = burst[burst.count - 1].after
            let time = last + (begin + 1_000_000_000 - last) * Int64(second * 37 % 100) / 100
            let truth = pair.truth(at: time).nanoseconds
            guard let answer = estimator.convert(Instant(nanoseconds: time)) else { continue }
            let error = (answer.instant.nanoseconds - truth).magnitude
            held += error <= answer.halfWidth.nanoseconds.magnitude ? 1 : 0
            own.note(Double(answer.halfWidth.nanoseconds), error: Double(error))
            for index in others.indices {
                let (offset, halfWidth) = others[index].estimate(
                    at: Double(time - pair.beginning) / 1e9)
                answers[index].note(halfWidth, error: abs(Double(truth - time - zero) - offset))
            }
        }
    }

    private func add(
        _ look: SimulatedClockPair.Sandwich, _ resolution: Int64,
        to estimator: inout ClockEstimator<Monotonic, DeviceClock>
    ) {
        guard
            let reading = ClockReading<Monotonic, DeviceClock>(
                before: Instant(nanoseconds: look.before),
                reading: Instant(nanoseconds: look.reading),
                after: Instant(nanoseconds: look.after), resolution: .nanoseconds(resolution))
        else { return }
        _ = estimator.add(reading)
    }
}
