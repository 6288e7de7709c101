internal import Devices
internal import Imaging

extension FocusRoutine {
    /// Takes a frame's measurement: its detail, and the place where the lens certainly was.
    ///
    /// Frames of any other position give no information: only those that surely show the position written last are
    /// scored.
    public mutating func handle(_ measurement: MeterReading) -> MeteringDecision {
        guard state != .locked, outcome == nil else { return .wait }
        if case .idle = phase {
            previous = measurement.settings.lens.asked
            return startSearch()
        }
        guard let written, measurement.settings.lens == .value(written) else { return .wait }
        if let destination {
            self.destination = nil
            if destination != written { return write(destination) }
        }
        // A black window shows no detail.
        let score = measurement.reading.focus?.millionths ?? 0
        switch phase {
        case .idle: return .wait
        case .coarse(let sweep): return coarse(sweep, score)
        case .fine(let sweep): return fine(sweep, score)
        case .verifying(let sweep, let best, let isRetry):
            return verify(sweep, score, best: best, isRetry: isRetry)
        case .restoring(let failure): return finish(.diverged(failure))
        case .holding(let reference, let offFrames):
            return hold(score, reference: reference, offFrames: offFrames)
        }
    }

    /// Begins with the coarse sweep over all that may be searched, in the order of the approach.
    private mutating func startSearch() -> MeteringDecision {
        (state, limit, found, scores, fineSweeps) = (.metering, nil, nil, nil, 0)
        let places = search.places(over: limits, step: search.coarseStep)
        phase = .coarse(FocusSweep(places: places))
        return approach(places[0])
    }

    /// To a place from the declared side: beyond it first.
    private mutating func approach(_ place: Int64) -> MeteringDecision {
        let start = search.before(place, by: FocusSearch.overTravelMillionths)
        destination = achieved(place)
        return write(achieved(start))
    }

    /// Writes a position that the camera has; frames count again from the first that surely shows it.
    private mutating func write(_ position: LensPosition) -> MeteringDecision {
        written = position
        return .write(FrameSettings(lens: .value(position)))
    }

    // MARK: Sweeps

    /// Scores a place of the coarse sweep; after the last, the fine one begins around the best.
    private mutating func coarse(_ sweep: FocusSweep, _ score: Int64) -> MeteringDecision {
        var sweep = sweep
        let isDone = sweep.add(score, framesPerPlace: search.framesPerPlace)
        phase = .coarse(sweep)
        guard isDone else { return .wait }
        if let place = sweep.place { return write(achieved(place)) }
        note(sweep)
        return startFine(around: sweep.places[sweep.best.index])
    }

    /// Begins a fine sweep, one coarse step to either side of a place.
    private mutating func startFine(around place: Int64) -> MeteringDecision {
        let low = max(place - search.coarseStep, limits.lowerBound)
        let high = min(place + search.coarseStep, limits.upperBound)
        let places = search.places(over: low...high, step: search.fineStepMillionths)
        phase = .fine(FocusSweep(places: places))
        fineSweeps += 1
        return approach(places[0])
    }

    /// Scores a place of the fine sweep; after the last, goes to the top of the parabola, or gives up on a flat scene.
    ///
    /// Flat means that the worst score is above three quarters of the best. A best place at an end of the sweep is
    /// swept around again, three fine sweeps at most.
    private mutating func fine(_ sweep: FocusSweep, _ score: Int64) -> MeteringDecision {
        var sweep = sweep
        let isDone = sweep.add(score, framesPerPlace: search.framesPerPlace)
        phase = .fine(sweep)
        guard isDone else { return .wait }
        if let place = sweep.place { return write(achieved(place)) }
        note(sweep)
        // Three quarters between the worst and the best: less is noise on a flat scene.
        guard let scores, scores.lowerBound * 4 <= scores.upperBound * 3, scores.upperBound > 0
        else { return giveUp(.flat) }
        let (index, best) = sweep.best
        let place = sweep.places[index]
        let isAtEnd = index == 0 || index == sweep.places.count - 1
        let isLimit = place == limits.lowerBound || place == limits.upperBound
        // The coarse sweep was misled; once or twice more around the better place.
        if isAtEnd, !isLimit, fineSweeps < 3 { return startFine(around: place) }
        limit = isLimit ? .endOfRange : nil
        let peak = achieved(sweep.peak)
        found = peak
        phase = .verifying(
            FocusSweep(places: [peak.millionths]), best: best, isRetry: false)
        return approach(peak.millionths)
    }

    /// Keeps the smallest and the largest score.
    private mutating func note(_ sweep: FocusSweep) {
        for score in sweep.scores {
            let known = scores ?? score...score
            scores = min(known.lowerBound, score)...max(known.upperBound, score)
        }
    }

    // MARK: Ends

    /// Scores the place that was found: nine tenths of the best score will do, else it is approached once more, then
    /// given up.
    private mutating func verify(
        _ sweep: FocusSweep, _ score: Int64, best: Int64, isRetry: Bool
    ) -> MeteringDecision {
        var sweep = sweep
        guard sweep.add(score, framesPerPlace: search.framesPerPlace) else {
            phase = .verifying(sweep, best: best, isRetry: isRetry)
            return .wait
        }
        if sweep.best.score * 10 >= best * 9 {
            return finish(limit.map { .limited($0) } ?? .converged)
        }
        if isRetry { return giveUp(.notRepeated) }
        let place = sweep.places[0]
        phase = .verifying(FocusSweep(places: [place]), best: best, isRetry: true)
        return approach(place)
    }

    /// Back to where the lens was, if that is known, and done.
    private mutating func giveUp(_ failure: RoutineFailure) -> MeteringDecision {
        (found, limit) = (nil, nil)
        guard let previous else { return finish(.diverged(failure)) }
        phase = .restoring(failure)
        return write(previous)
    }

    /// Ends a search; one that runs once is locked then, a continuous one watches from the next frame on.
    private mutating func finish(_ outcome: RoutineOutcome) -> MeteringDecision {
        let isDiverged = if case .diverged = outcome { true } else { false }
        if mode == .auto {
            self.outcome = outcome
            state = isDiverged ? .diverged : .locked
            return .finish(outcome)
        }
        state = isDiverged ? .diverged : .converged
        phase = .holding(score: nil, offFrames: 0)
        return .wait
    }

    /// Searches again when three frames in a row show a quarter less detail than the first here, or a third more.
    private mutating func hold(
        _ score: Int64, reference: Int64?, offFrames: Int
    ) -> MeteringDecision {
        guard let reference else {
            phase = .holding(score: score, offFrames: 0)
            return .wait
        }
        let isOff = score * 4 < reference * 3 || score * 3 > reference * 4
        let count = isOff ? offFrames + 1 : 0
        phase = .holding(score: reference, offFrames: count)
        guard count >= 3 else { return .wait }
        previous = written
        return startSearch()
    }
}
