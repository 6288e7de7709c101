public import Devices
internal import Glibc
internal import Imaging
internal import Timebase

/// How frames are exposed and come out of the simulated camera.
extension SimulatedCamera {
    /// When the next frame is delivered.
    ///
    /// In the far future before the stream starts, and while no pulse has exposed a triggered sensor.
    var nextDelivery: Instant<Monotonic> {
        guard startedAt != nil else { return .distantFuture }
        if triggered != nil {
            expose()
            return triggered?.frames.first.map { delivery(of: nextFrame, readout: $0.readout) }
                ?? .distantFuture
        }
        return delivery(of: nextFrame, readout: readout(of: nextFrame))
    }

    /// Takes the oldest frame whose time has come.
    ///
    /// Frames whose time has passed without a free buffer are lost here, with their number. Fails with ENODEV once the
    /// camera is unplugged.
    public func dequeue() -> DequeueResult {
        if let frame = handOutAgain() { return .frame(frame) }
        if triggered != nil { return dequeueTriggered() }
        while clock.now >= nextDelivery {
            if isUnplugged { return .failed(errno: ENODEV) }
            let frame = nextFrame
            nextFrame += 1
            let state = state(ofFrame: frame)
            metadata?.send(state, number: UInt32(truncatingIfNeeded: frame))
            let timestamp = timestamp(of: frame, readout: readout(of: frame))
            let exposure = duration(ofLines: state.exposureMicroseconds)
            let end = firstEnd(of: frame)
            lines.expose(from: end - exposure, to: end)
            let conditions = conditions(at: end)
            let light = light(from: end - exposure, to: end, state, conditions)
            let isDropped = drops.happens(chancePerMillion: options.dropsPerMillion)
            guard !isDropped, let free = buffers.firstIndex(where: { !$0.isTaken }) else {
                continue
            }
            buffers[free] = SimulatedBuffer(
                isTaken: true, frame: frame, readout: readout(of: frame), state: state,
                light: light, rows: rowLights(of: frame, exposure, conditions),
                conditions: conditions)
            let delivered = self.frame(frame, count: frame, timestamped: timestamp, in: free)
            if options.driverFaults.repeated.contains(frame) { again = delivered }
            return .frame(delivered)
        }
        return .empty
    }

    /// A frame as the driver hands it out, with what it reports falsely.
    ///
    /// - Parameters:
    ///   - frame: its number.
    ///   - count: the driver's, if that reported correctly.
    private func frame(
        _ frame: Int64, count: Int64, timestamped timestamp: Instant<Monotonic>, in buffer: Int
    ) -> DequeuedFrame {
        let driverFaults = options.driverFaults
        return DequeuedFrame(
            buffer: Int32(buffer),
            sequence: driverFaults.sequence(
                frame: frame, count: count, countAtReset: driverFaults.reset?.frame ?? 0),
            timestamp: driverFaults.timestamp(
                frame: frame, truth: clock.timestamp(timestamp),
                first: clock.timestamp(readout(of: driverFaults.wrongTimestamps.lowerBound))),
            cameraTimestamp: cameraClock?.timestamp(buffers[buffer].readout, at: clock),
            embedded: metadata?.data(of: UInt32(truncatingIfNeeded: count)),
            byteCount: layout?.byteCount ?? 0, isDamaged: false)
    }

    /// The last frame once more, if that is what the driver does.
    private func handOutAgain() -> DequeuedFrame? {
        guard var frame = again, let free = buffers.firstIndex(where: { !$0.isTaken }) else {
            return nil
        }
        again = nil
        buffers[free] = buffers[Int(frame.buffer)]
        buffers[free].isTaken = true
        buffers[free].isRendered = false
        frame.buffer = Int32(free)
        return frame
    }

    /// Lets the sensor see the pulses that have come.
    private func expose() {
        while let pulse = lines.takeTriggerPulse() {
            guard let startedAt, pulse.time >= startedAt, let number = triggered?.count else {
                continue
            }
            let state = registers.state(ofFrame: number)
            triggered?.take(pulse, state)
        }
    }

    /// Numbers are given to frames that reach the driver only, so one that is lost inside leaves no gap.
    private func dequeueTriggered() -> DequeueResult {
        while clock.now >= nextDelivery, let frame = triggered?.frames.first {
            if isUnplugged { return .failed(errno: ENODEV) }
            triggered?.frames.removeFirst()
            nextFrame += 1
            if frame.fate == .lostInside { continue }
            let sequence = triggered?.takeSequence() ?? 0
            metadata?.send(frame.state, number: sequence)
            let isDropped =
                frame.fate == .lostByDriver
                || drops.happens(chancePerMillion: options.dropsPerMillion)
            let begin = frame.readout - .microseconds(frame.state.exposureMicroseconds)
            lines.expose(from: begin, to: frame.readout)
            let conditions = conditions(at: frame.readout)
            let light = light(from: begin, to: frame.readout, frame.state, conditions)
            guard !isDropped, let free = buffers.firstIndex(where: { !$0.isTaken }) else {
                continue
            }
            buffers[free] = SimulatedBuffer(
                isTaken: true, frame: nextFrame - 1, readout: frame.readout, state: frame.state,
                light: light, conditions: conditions)
            let timestamp = timestamp(of: nextFrame - 1, readout: frame.readout)
            let delivered = self.frame(
                nextFrame - 1, count: Int64(sequence), timestamped: timestamp, in: free)
            if options.driverFaults.repeated.contains(nextFrame - 1) { again = delivered }
            return .frame(delivered)
        }
        return .empty
    }

    /// What a frame is exposed with; frames are asked for in order.
    private func state(ofFrame frame: Int64) -> SensorState {
        if options.hasWorkingAutomatics { registers.runAutomatics(options.scene) }
        var state = registers.state(ofFrame: frame)
        let end = readout(of: frame)
        // A command that this frame is the first to show reached the lens when the last one ended.
        lens.move(to: state.focusCode, at: readout(of: frame - 1))
        state.lensError = lens.error(at: end - .microseconds(state.exposureMicroseconds / 2))
        return state
    }

    /// When a frame's exposure ends and its readout begins.
    ///
    /// With a rate, frame k is read out k + 1 periods after the start; a raw sensor counts lines instead.
    private func readout(of frame: Int64) -> Instant<Monotonic> {
        guard let startedAt else { return .distantFuture }
        if let rate {
            return startedAt
                + options.faults.injected.atHalfRates(rate.duration(ofFrames: frame + 1))
        }
        guard isRawSensor else { return .distantFuture }
        return startedAt + duration(ofLines: frameLengths.start(of: frame))
    }

    /// What so many lines of a raw sensor really take, whatever pixel rate its driver reports; microseconds of
    /// others.
    private func duration(ofLines lines: Int64) -> Interval {
        Interval(nanoseconds: lines * (isFasterThanReported ? 500 : 1_000))
    }

    /// Whether a receiver makes frames of what a raw sensor sends.
    var isRawSensor: Bool { registers.rawSize != nil }

    /// Whether it is a raw sensor whose driver reports half of its pixel rate.
    var isFasterThanReported: Bool {
        isRawSensor && options.faults.injected.understatesPixelRate
    }

    /// The time from frame to frame; of a raw sensor the shortest so far.
    var period: Interval {
        if rate == nil, startedAt != nil, isRawSensor {
            return duration(ofLines: frameLengths.shortest)
        }
        return readout(of: 1) - readout(of: 0)
    }

    /// Lines of a raw sensor's frames by its registers.
    private var frameLines: Int64 {
        Int64(registers.rawSize?.height ?? 0) + registers.blankingLines
    }

    /// The stream starts with the blanking that was written last.
    func beginFrameLengths() { frameLengths.begin(frameLines) }

    /// The blanking was written while the stream runs: it shows as late as other controls do.
    func changeFrameLength() {
        guard startedAt != nil else { return }
        let latency =
            options.delays.latency(of: .verticalBlanking) + options.faults.injected.extraLatency
        frameLengths.change(to: frameLines, from: frameBeingExposed + latency)
    }

    /// When the exposure of the row ends that is read first.
    private func firstEnd(of frame: Int64) -> Instant<Monotonic> {
        let shutter = options.shutter
        return readout(of: frame) + shutter.endOffset
            + shutter.rowTime * Int64(shutter.embeddedRows)
    }

    /// The light of each row; empty where it is the same for all.
    private func rowLights(
        of frame: Int64, _ exposure: Interval, _ conditions: SceneConditions?
    ) -> [SceneLight] {
        let (start, rows) = (readout(of: frame), layout?.size.height ?? 0)
        guard options.shutter.rowTime > .zero else { return [] }
        return (0..<rows).map { row in
            let end = start + options.shutter.end(ofRow: row, of: rows)
            return SceneLight(lines: lines, from: end - exposure, to: end, conditions)
        }
    }

    /// How long a frame takes to be read.
    private var rowsReadout: Interval {
        options.shutter.readout(rows: layout?.size.height ?? 0)
    }

    /// When a frame has come whose readout begins then.
    private func delivery(
        of frame: Int64, readout: Instant<Monotonic>
    ) -> Instant<Monotonic> {
        let readout = readout + jitter(ofFrame: frame)
        // The pixels of a raw sensor take most of its frame to come, and its timestamps have as long to be late.
        if isRawSensor { return readout + period * 9 / 10 }
        return readout + options.delays.transfer + rowsReadout
    }

    /// The time at which the driver timestamps a frame whose readout begins then.
    private func timestamp(
        of frame: Int64, readout: Instant<Monotonic>
    ) -> Instant<Monotonic> {
        readout + options.shutter.delay(timestamps.next()) + jitter(ofFrame: frame)
    }

    /// The first frame whose readout has not begun.
    ///
    /// A write that is made now shows from this frame plus the latency of its control on. −2 before the stream starts,
    /// so that latencies of up to 2 show in frame 0.
    var frameBeingExposed: Int64 {
        guard startedAt != nil else { return -2 }
        if let triggered { return triggered.count }
        var frame = max(0, nextFrame - 2)
        while readout(of: frame) <= clock.now { frame += 1 }
        return frame
    }
}
