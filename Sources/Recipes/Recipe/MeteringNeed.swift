public import Devices
public import Notation
public import Timebase

/// What a recipe has metered before its first frame; the results are locked for the run.
///
/// Until they are known the lock holds `current` in their place, so that a recipe can be checked and planned without
/// metering.
public struct MeteringNeed: Hashable, Sendable {
    /// Whether exposure duration and gain are metered.
    public var exposure: Bool
    /// Whether the lens is focused.
    public var focus: Bool
    /// Whether white balance is metered.
    public var whiteBalance: Bool
    /// Where `meter` was written; locked values get this place, for want of one of their own.
    public var range: SourceRange
}

/// What metering found; nil where nothing was metered.
public struct MeteredValues: Hashable, Sendable {
    /// Exposure duration.
    public var duration: Interval?
    /// Linear gain.
    public var gain: Gain?
    /// Lens position.
    public var lens: LensPosition?
    /// White balance.
    public var balance: WhiteBalance?

    /// Creates values.
    public init(
        duration: Interval?, gain: Gain?, lens: LensPosition?, balance: WhiteBalance?
    ) {
        self.duration = duration
        self.gain = gain
        self.lens = lens
        self.balance = balance
    }
}

extension Recipe {
    /// The recipe with what was metered locked at its values, as if they had been written there.
    ///
    /// It is compiled again afterwards. A routine that found nothing leaves its setting uncontrolled; one that was not
    /// asked for changes nothing.
    public func locking(_ found: MeteredValues) -> Recipe {
        guard let metering else { return self }
        var recipe = self
        if metering.exposure {
            recipe.lock.exposure = found.duration.map { Located(.value($0), at: metering.range) }
            recipe.lock.gain = found.gain.map { Located(.value(.gain($0)), at: metering.range) }
        }
        if metering.focus {
            recipe.lock.lens = found.lens.map { Located(.value($0), at: metering.range) }
        }
        if metering.whiteBalance {
            recipe.lock.whiteBalance = found.balance.map {
                Located(.value($0), at: metering.range)
            }
        }
        return recipe
    }
}
