public import Imaging
public import Timebase

extension CameraSession {
    /// Asks for something without waiting for it; requests are carried out in the order of these calls.
    ///
    /// - Parameters:
    ///   - request: what is asked for.
    ///   - ifSupported: whether a camera that can't do it may leave it out.
    /// - Returns: what to wait with.
    public func issue(_ request: ManualRequest, ifSupported: Bool = false) -> ControlTicket {
        mailbox.put(request, ifSupported: ifSupported)
    }

    /// Sets the exposure, or who decides on it.
    ///
    /// - Returns: the first frame that surely shows it; for `auto` the one with what was found.
    /// - Throws: `SettingProblem` naming the range and its origin, before anything is written; `DeviceError` if the
    ///   device failed.
    @discardableResult
    public func setExposure(
        _ exposure: ExposureRequest, ifSupported: Bool = false
    ) async throws -> ControlCompletion {
        try await issue(.exposure(exposure), ifSupported: ifSupported).completion()
    }

    /// Sets how much brighter than the target the picture is to be, in thousandths of an EV.
    ///
    /// Acts on continuous and on locked exposure; with a custom one it only changes what is metered.
    @discardableResult
    public func setBias(
        thousandths: Int64, ifSupported: Bool = false
    ) async throws -> ControlCompletion {
        try await issue(.bias(thousandths: thousandths), ifSupported: ifSupported).completion()
    }

    /// Sets the lens, or who decides on it.
    @discardableResult
    public func setFocus(
        _ focus: FocusRequest, ifSupported: Bool = false
    ) async throws -> ControlCompletion {
        try await issue(.focus(focus), ifSupported: ifSupported).completion()
    }

    /// Sets the white balance, or who decides on it.
    @discardableResult
    public func setWhiteBalance(
        _ balance: WhiteBalanceRequest, ifSupported: Bool = false
    ) async throws -> ControlCompletion {
        try await issue(.whiteBalance(balance), ifSupported: ifSupported).completion()
    }

    /// Meters once, and keeps what was found.
    ///
    /// - Parameters:
    ///   - center: the point of interest on the upright image for this scan; nil for the point that the metering
    ///     region was set with, else the centre. Uniform metering ignores it.
    ///   - lockDuration: how long the result is kept; nil, 0 and less mean until it is unlocked.
    ///   - exposure: whether exposure is metered.
    ///   - focus: whether the lens is focused.
    ///   - whiteBalance: whether white balance is metered.
    ///   - ifUnsupported: what becomes of what the camera has no control for.
    /// - Returns: what each routine found, and the frame that shows it.
    @discardableResult
    public func scan(
        center: FramePoint? = nil, lockDuration: Interval? = nil, exposure: Bool = true,
        focus: Bool = true, whiteBalance: Bool = true, ifUnsupported: Unsupported = .fail
    ) async throws -> ControlCompletion {
        var subjects: Set<ManualSubject> = []
        if exposure { subjects.insert(.exposure) }
        if focus { subjects.insert(.focus) }
        if whiteBalance { subjects.insert(.whiteBalance) }
        let scan = ScanRequest(subjects, center: center, lockDuration: lockDuration)
        return try await issue(.scan(scan), ifSupported: ifUnsupported == .skip).completion()
    }

    /// Meters what is not locked at an earlier metering's result any more, or never was: before a picture.
    ///
    /// - Returns: what each routine that had to run found; nothing where none had to.
    @discardableResult
    public func meterIfNeeded(
        _ subjects: Set<ManualSubject> = Set(ManualSubject.allCases), lockDuration: Interval? = nil
    ) async throws -> ControlCompletion {
        let scan = ScanRequest(subjects, lockDuration: lockDuration, isOnlyIfNeeded: true)
        return try await issue(.scan(scan)).completion()
    }

    /// What becomes of a routine that the camera has no control for.
    public enum Unsupported: Hashable, Sendable {
        /// The whole scan is an error.
        case fail
        /// It is left out, and the result states that.
        case skip
    }

    /// Sets which part of the frame exposure is metered on.
    @discardableResult
    public func setMetering(_ region: MeteringRegion) async throws -> ControlCompletion {
        try await issue(.metering(region)).completion()
    }

    /// Sets where sharpness is looked for.
    @discardableResult
    public func setFocusPoint(_ region: MeteringRegion) async throws -> ControlCompletion {
        try await issue(.focusPoint(region)).completion()
    }

    /// Keeps present values; after the duration, if there is one, continuous routines have them again.
    @discardableResult
    public func lock(
        _ subjects: Set<ManualSubject>, for duration: Interval? = nil, ifSupported: Bool = false
    ) async throws -> ControlCompletion {
        try await issue(.lock(subjects, duration), ifSupported: ifSupported).completion()
    }

    /// Lets continuous routines have subjects again.
    @discardableResult
    public func unlock(
        _ subjects: Set<ManualSubject>, ifSupported: Bool = false
    ) async throws -> ControlCompletion {
        try await issue(.unlock(subjects), ifSupported: ifSupported).completion()
    }
}

extension CameraSession {
    /// Frames for one consumer, copied into a pool of fixed size.
    ///
    /// - Parameter capacity: frames that may wait for the consumer; more are dropped, and it is notified where.
    public func frames(capacity: Int = 4) -> LiveOutput<LiveFrame> {
        let output = LiveOutput<LiveFrame>(capacity: capacity, mailbox: mailbox)
        outputs.add(output)
        return output
    }

    /// Measurements of frames for one consumer.
    ///
    /// - Parameter capacity: reports that may wait for the consumer; more are dropped, and it is notified where.
    public func statistics(capacity: Int = 64) -> LiveOutput<FrameReport> {
        let output = LiveOutput<FrameReport>(capacity: capacity, mailbox: mailbox)
        outputs.add(output)
        return output
    }

    /// The state whenever it changes, beginning with the present one; a late consumer misses the oldest.
    ///
    /// Watching does not let virtual time pass.
    public func states() -> AsyncStream<ManualState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { outputs.add($0) }
    }

    /// Waits until the camera has delivered so many frames.
    ///
    /// - Throws: `DeviceError` if the stream ends before.
    public func advance(frames count: Int) async throws {
        for _ in 0..<count {
            _ = try await issue(.nextFrame).completion()
        }
    }
}
