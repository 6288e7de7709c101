internal import Devices

extension ProfileFigure {
    /// Sets the figure in a profile in memory: what the edited file must mean.
    ///
    /// Without a place the profile may still have been changed; the caller gives up its copy then.
    ///
    /// - Parameters:
    ///   - profile: a copy of the one that is edited.
    ///   - day: of the measurement, `2026-11-20`; becomes the origin of a latency.
    /// - Returns: whether the profile has a place for it.
    func set(in profile: inout CameraProfile, on day: String) -> Bool {
        switch self {
        case .latency(let owner, let frames):
            return owner.set(frames, .measured(on: day), in: &profile)
        case .latencyRange(let owner, let frames, let least):
            return owner.set(frames, .measuredFrom(least: least, on: day), in: &profile)
        case .shutter(let shutter): profile.shutter = shutter
        case .timestampPoint(let point): profile.timestamps.point = point
        case .delay(let span): profile.timestamps.delay = span
        case .readout(let span): profile.timestamps.readout = span
        case .embeddedLines(let count):
            profile.sensor?.embeddedLines = count
            return profile.sensor != nil
        case .lensEnds(let near, let far):
            profile.focus?.nearCode = near
            profile.focus?.farCode = far
            return profile.focus != nil
        case .settle(let span):
            profile.focus?.settle = span
            return profile.focus != nil
        case .approach(let approach):
            profile.focus?.approach = approach
            return profile.focus != nil
        case .curve(let curve):
            profile.whiteBalance?.curve = curve
            return profile.whiteBalance != nil
        }
        return true
    }
}

extension ProfileFigure.LatencyOwner {
    /// Sets a latency and its origin.
    ///
    /// A raw sensor's exposure has its latency in the sensor's model, since ``CameraProfile/exposure`` is made from
    /// that for each mode. White balance that is kept with the frames has no latency, so there is no place.
    ///
    /// - Returns: whether the profile has a place for it.
    fileprivate func set(
        _ frames: Int, _ origin: FigureOrigin, in profile: inout CameraProfile
    ) -> Bool {
        switch self {
        case .exposure where profile.sensor != nil:
            profile.sensor?.exposure.latencyFrames = frames
            profile.sensor?.exposure.latencyOrigin = origin
            return true
        case .exposure:
            profile.exposure?.latencyFrames = frames
            profile.exposure?.latencyOrigin = origin
            return profile.exposure != nil
        case .gain:
            profile.gain?.latencyFrames = frames
            profile.gain?.latencyOrigin = origin
            return profile.gain != nil
        case .focus:
            profile.focus?.latencyFrames = frames
            profile.focus?.latencyOrigin = origin
            return profile.focus != nil
        case .whiteBalance:
            profile.whiteBalance?.latencyFrames = frames
            profile.whiteBalance?.latencyOrigin = origin
            return profile.whiteBalance?.isMetadata == false
        case .verticalBlanking:
            profile.sensor?.vertical.latencyFrames = frames
            profile.sensor?.vertical.latencyOrigin = origin
            return profile.sensor != nil
        case .horizontalBlanking:
            profile.sensor?.horizontal?.latencyFrames = frames
            profile.sensor?.horizontal?.latencyOrigin = origin
            return profile.sensor?.horizontal != nil
        }
    }
}
