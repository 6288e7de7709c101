/// What can go wrong with a frame, or with the whole camera.
package enum Fault: String, Sendable, CaseIterable {
    /// The camera skips the frame; the host sees no trace but the longer interval.
    case drop
    /// All packets of the frame are lost on the bus.
    case lose
    /// The frame ends half way.
    case short
    /// The frame carries the error bit.
    case error = "err"
    /// From this frame on, nothing is sent until the stream is started again.
    case freeze
    /// The camera leaves the bus when this frame is due.
    case unplug
    /// The camera comes back when this frame would have been due.
    case replug
    /// The camera falls back to its defaults when the stream starts, or at this frame.
    case forget
    /// Not planned: the frame before was still on the bus, so this one had no room.
    case overrun
}

/// The faults of a run, by frame.
package struct FaultSchedule: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let fault: Fault
        /// First and last frame; nil means at the start of every stream.
        let frames: ClosedRange<Int>?
        /// Distance of the frames it strikes.
        let every: Int
    }

    private(set) var entries: [Entry] = []

    package init() {}

    /// Reads `KIND@FIRST[-LAST][/EVERY]`, comma separated; `/EVERY` without LAST goes on for ever.
    ///
    /// - Throws: ``FaultSyntaxError`` naming the part that is not understood.
    package init(_ text: String) throws(FaultSyntaxError) {
        for part in text.split(separator: ",") {
            entries.append(try Self.entry(String(part)))
        }
    }

    private static func entry(_ text: String) throws(FaultSyntaxError) -> Entry {
        let error = FaultSyntaxError(text: text)
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        guard let fault = Fault(rawValue: String(halves[0])), fault != .overrun else { throw error }
        if halves.count == 1 {
            guard fault == .forget else { throw error }
            return Entry(fault: fault, frames: nil, every: 1)
        }
        let spans = halves[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = spans[0].split(separator: "-", omittingEmptySubsequences: false)
        guard
            halves.count == 2, spans.count <= 2, ends.count <= 2,
            let first = Int(ends[0]), first >= 0,
            let every = spans.count == 2 ? Int(spans[1]) : 1, every > 0,
            let last = ends.count == 2 ? Int(ends[1]) : (spans.count == 2 ? .max : first),
            last >= first
        else { throw error }
        return Entry(fault: fault, frames: first...last, every: every)
    }

    /// The fault that strikes a frame, if any; the first of the schedule that fits.
    package func fault(at frame: Int) -> Fault? {
        entries.first { entry in
            guard let frames = entry.frames, entry.fault != .replug else { return false }
            return frames.contains(frame) && (frame - frames.lowerBound) % entry.every == 0
        }?.fault
    }

    /// Whether the camera forgets its settings whenever a stream starts.
    package var forgetsAtStart: Bool {
        entries.contains { $0.fault == .forget && $0.frames == nil }
    }

    /// The first frame after an unplugging at which the camera returns, or nil if it stays away.
    package func replug(after frame: Int) -> Int? {
        entries.lazy.filter { $0.fault == .replug }.compactMap(\.frames?.lowerBound)
            .filter { $0 > frame }.min()
    }

    /// Without unplugging and replugging: those happen once.
    mutating func removePlugging() {
        entries.removeAll { $0.fault == .unplug || $0.fault == .replug }
    }
}

/// A fault that cannot be read.
package struct FaultSyntaxError: Error, Equatable, CustomStringConvertible {
    let text: String

    package init(text: String) { self.text = text }

    package var description: String {
        let kinds = Fault.allCases.filter { $0 != .overrun }.map(\.rawValue)
        return "`\(text)` is no fault; write KIND@FRAME, KIND@FIRST-LAST or KIND@FIRST/EVERY "
            + "with one of " + kinds.joined(separator: ", ") + "; only forget stands alone"
    }
}
