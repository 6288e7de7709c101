public import Timebase

/// One digital line as a run needs it: where it is and how it is to be driven or read.
public struct LineRequest: Hashable, Sendable {
    /// Which way the line goes, seen from the host.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case input = "in"
        case output = "out"
    }

    /// Which change of an input is an edge.
    public enum Edge: String, Hashable, Sendable, CaseIterable {
        case rising, falling, both
    }

    /// The pull resistor of an input.
    public enum Bias: String, Hashable, Sendable, CaseIterable {
        case asIs = "as_is"
        case disabled
        case pullUp = "pull_up"
        case pullDown = "pull_down"
    }

    /// A line on its chip.
    public enum Position: Hashable, Sendable {
        /// The line's name in the device tree or firmware, for example `GPIO17`.
        case name(String)
        /// The line's number on the chip, from 0.
        case offset(Int)
    }

    /// The name in recipes and records, for example `part_present`.
    public var name: String
    /// The chip's label (never its number, which changes between kernels), for example `pinctrl-rp1`.
    public var chip: String
    /// The line on the chip.
    public var position: Position
    /// Input or output.
    public var direction: Direction
    /// Which edges of an input count; ignored for outputs.
    public var edge: Edge
    /// The pull resistor of an input.
    public var bias: Bias
    /// Whether a low level means active.
    public var isActiveLow: Bool
    /// How long an input must be stable before an edge counts; zero for none.
    ///
    /// Debounced edges are timestamped late, on a jiffy grid, by the kernel: not for lines whose time matters.
    public var debounce: Interval

    /// An edge's timestamp lies at most this much after it, and never before it.
    public var delay: Interval
    /// The input that sees what this output does, by its name; nil if nothing does.
    public var sensedBy: String?

    /// What an edge's timestamp is taken to be late by at most where nothing states it.
    ///
    /// That is 300 µs for the interrupt of a busy board. The kernel timestamps a debounced edge on the tick after the
    /// time that the line must be stable; ticks are 10 ms apart at most (`CONFIG_HZ` of 100).
    public static func usualDelay(debounce: Interval) -> Interval {
        .microseconds(300) + (debounce > .zero ? debounce + .milliseconds(10) : .zero)
    }

    /// Creates a request.
    ///
    /// - Parameter delay: nil for ``usualDelay(debounce:)``.
    public init(
        name: String, chip: String, position: Position, direction: Direction, edge: Edge = .rising,
        bias: Bias = .asIs, isActiveLow: Bool = false, debounce: Interval = .zero,
        delay: Interval? = nil, sensedBy: String? = nil
    ) {
        self.name = name
        self.chip = chip
        self.position = position
        self.direction = direction
        self.edge = edge
        self.bias = bias
        self.isActiveLow = isActiveLow
        self.debounce = debounce
        self.delay = delay ?? Self.usualDelay(debounce: debounce)
        self.sensedBy = sensedBy
    }
}
