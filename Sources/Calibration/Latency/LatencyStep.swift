internal import Devices

/// Two codes of a control that look different, and what shows it.
struct LatencyStep: Hashable, Sendable {
    var control: CameraControl
    /// The code with the lower level.
    var low: Int64
    /// The code with the higher level.
    var high: Int64
    /// How far apart the levels are, in the signal's unit (``SignalLevel``); positive.
    var contrast: Int64
    var signal: LatencySignal
    /// What other controls are set to meanwhile; written with each way back, before the control itself.
    var others: [ControlValue] = []

    /// What makes a frame high or low.
    func value(isHigh: Bool) -> ControlValue { ControlValue(control, isHigh ? high : low) }
}

/// When trials are made: at which phases of a frame, and how long after each other.
struct TrialSchedule: Sendable {
    /// Phases of the frame at which controls are written, in thousandths of its period after its readout began.
    ///
    /// Near both ends and between them, so that a control that is latched anywhere in the frame shows by its phase.
    static let phases: [Int64] = [50, 250, 500, 750, 950]
    /// Writes up to this phase decide whether a latency is the same each time.
    static let lastEarlyPhase: Int64 = 500

    struct Entry: Hashable, Sendable {
        var phase: Int64
        var gapFrames: Int
    }

    /// Upwards steps; made in turns with ``downwards``, of which there are as many.
    let upwards: [Entry]
    /// Downwards steps, drawn apart from the others.
    let downwards: [Entry]

    /// Draws a schedule: half of the trials of each phase upwards, in any order, 8 to 16 frames apart.
    ///
    /// Order and gaps are random so that nothing periodic falls into step with the trials.
    ///
    /// - Parameter trials: at each phase, at least 2; an odd one counts as the next even one.
    init(trials: Int, using generator: inout some RandomNumberGenerator) {
        func draw() -> [Entry] {
            let each = Self.phases.flatMap { Array(repeating: $0, count: (trials + 1) / 2) }
            return each.shuffled(using: &generator).map {
                Entry(phase: $0, gapFrames: Int.random(in: 8...16, using: &generator))
            }
        }
        upwards = draw()
        downwards = draw()
    }

    /// The entry of a trial by its number, from 0 and below ``count``; even ones go upwards.
    subscript(number: Int) -> Entry {
        number.isMultiple(of: 2) ? upwards[number / 2] : downwards[number / 2]
    }

    /// How many trials there are.
    var count: Int { upwards.count + downwards.count }
}
