/// How the packets of a frame meet the host's transfers.
package enum BusTiming: String, Sendable, CaseIterable {
    /// One packet each 125 µs; a transfer completes when its last packet is over.
    case bus
    /// A frame goes out in one burst when its readout starts, in as many transfers as it takes.
    case burst
}

/// The isochronous endpoint: the host's transfers on one side, the camera's frames on the other.
struct IsochronousPipe: Sendable {
    /// Frames that may wait behind the one on the bus.
    static let maximumWaiting = 1

    private let timing: BusTiming
    private let clock: DeviceClock
    private var transfers: [TransferRequest] = []
    private var frames: [OutgoingFrame] = []
    /// The microframe after those that the transfers already have.
    private var nextMicroframe: Int64 = 0
    private var headStart: Int64 = 0
    private(set) var spare: [[UInt8]] = []
    private var outcomes: [FrameOutcome] = []

    init(timing: BusTiming, clock: DeviceClock) {
        self.timing = timing
        self.clock = clock
    }

    /// Whether one more picture can wait.
    var hasRoom: Bool { frames.count { !$0.isSilent } <= Self.maximumWaiting }

    /// A picture buffer that is free, or a new one.
    mutating func takeBuffer(bytes count: Int) -> [UInt8] {
        spare.popLast() ?? [UInt8](repeating: 0, count: count)
    }

    mutating func takeOutcomes() -> [FrameOutcome] {
        defer { outcomes.removeAll(keepingCapacity: true) }
        return outcomes
    }

    mutating func send(_ frame: OutgoingFrame, now: Int64, _ replies: inout USBIPReplies) {
        frames.append(frame)
        retire()
        if timing == .burst { drain(now, &replies) }
    }

    mutating func submit(
        _ transfer: TransferRequest, now: Int64, _ replies: inout USBIPReplies
    ) {
        if transfers.isEmpty {
            // The host controller starts with the next microframe, or goes on where it was.
            let present = now / BusSpeed.microframeNanoseconds + 1
            headStart = max(nextMicroframe, present)
            nextMicroframe = headStart
        }
        nextMicroframe += Int64(transfer.packetCount)
        transfers.append(transfer)
        if timing == .burst { drain(now, &replies) }
    }

    /// Takes a transfer back; false if it is over already.
    mutating func unlink(_ number: UInt32) -> Bool {
        guard let index = transfers.firstIndex(where: { $0.number == number }) else { return false }
        nextMicroframe -= Int64(transfers[index].packetCount)
        transfers.remove(at: index)
        return true
    }

    /// When the first transfer completes; nil if none does by itself.
    var nextCompletionNanoseconds: Int64? {
        guard timing == .bus, let first = transfers.first else { return nil }
        return (headStart + Int64(first.packetCount)) * BusSpeed.microframeNanoseconds
    }

    /// Completes the first transfer, whose time has come.
    mutating func completeFirst(_ replies: inout USBIPReplies) {
        let transfer = transfers.removeFirst()
        let start = headStart
        headStart += Int64(transfer.packetCount)
        fill(transfer, from: start, now: nil, &replies)
    }

    private mutating func drain(_ now: Int64, _ replies: inout USBIPReplies) {
        while !transfers.isEmpty, !frames.isEmpty {
            fill(transfers.removeFirst(), from: 0, now: now, &replies)
        }
    }

    /// - Parameter now: the time of all packets, or nil if each has its own.
    private mutating func fill(
        _ transfer: TransferRequest, from start: Int64, now: Int64?, _ replies: inout USBIPReplies
    ) {
        let microframe = now.map { $0 / BusSpeed.microframeNanoseconds } ?? start
        replies.completeIsochronous(
            transfer, startFrame: UInt32(truncatingIfNeeded: microframe / 8)
        ) { index, bytes in
            let time = now ?? (start + Int64(index)) * BusSpeed.microframeNanoseconds
            appendPacket(at: time, room: transfer.packetBytes, &bytes)
        }
    }

    private mutating func appendPacket(at time: Int64, room: Int, _ bytes: inout [UInt8]) {
        guard
            let frame = frames.first, room > PayloadHeader.byteCount,
            frame.truth.readoutStartNanoseconds <= time
        else { return }
        let count = min(room - PayloadHeader.byteCount, frame.byteCount - frame.position)
        let end = frame.position + count
        if frame.fault != .lose {
            // The source clock is taken once in each 1 ms bus frame, when that begins.
            let busFrame = time / 1_000_000
            PayloadHeader(
                frameIdentifier: frame.frameIdentifier, endsFrame: end == frame.byteCount,
                hasError: frame.fault == .error, presentationTicks: frame.presentationTicks,
                sourceTicks: clock.ticks(busFrame * 1_000_000),
                busFrame: UInt16(truncatingIfNeeded: busFrame & 0x7FF)
            ).append(to: &bytes)
            bytes.append(contentsOf: frame.picture[frame.position..<end])
        }
        frames[0].position = end
        retire()
    }

    /// Removes the frames at the head that are over.
    private mutating func retire() {
        while let first = frames.first, first.isComplete {
            outcomes.append(FrameOutcome(truth: first.truth, fault: first.fault))
            let done = frames.removeFirst()
            if !done.picture.isEmpty { spare.append(done.picture) }
        }
    }
}
