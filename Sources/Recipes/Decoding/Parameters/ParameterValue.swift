import Devices
import Timebase

/// What a parameter's text is, as far as the text alone determines it.
///
/// The raw value is the kind in the words of messages. The order counts: `100` is a whole number before it is a number
/// or an ISO value.
enum ParameterKind: String, CaseIterable, Sendable {
    case integer = "a whole number"
    case number = "a number"
    case duration = "a duration"
    case rate = "a frame rate"
    case temperature = "a colour temperature"
    case gain = "a gain"
    case iso = "an ISO value"
    case text = "a text"

    /// The kind of a text: the first that reads it.
    init(of text: String) {
        self = Self.allCases.first { $0.magnitude(of: text) != nil } ?? .text
    }

    /// The size of a value of this kind as a ratio, for comparing; nil for a text of another kind, 0 for any text.
    ///
    /// The ratio's unit is the kind's own (nanoseconds, frames over seconds, kelvin, millionths), so that only values
    /// of one kind compare.
    func magnitude(of text: String) -> Ratio? {
        switch self {
        case .integer: (try? Quantity.signedInteger(text)).map { Ratio($0) }
        case .number: (try? Quantity.signedMillionths(text)).map { Ratio($0) }
        case .duration: (try? Quantity.duration(text)).map { Ratio($0.nanoseconds) }
        case .rate: (try? Quantity.rate(text)).map { Ratio($0.frames, over: $0.seconds) }
        case .temperature: (try? Quantity.temperature(text)).map { Ratio($0) }
        case .gain: (try? Quantity.gain(text)).map { Ratio($0.millionths) }
        case .iso: (try? Quantity.iso(text)).map { Ratio($0) }
        case .text: Ratio(0)
        }
    }

    /// Why a text is not of this kind; nil if it is, and for any text where the kind is text.
    func problem(with text: String) -> QuantityProblem? {
        do throws(QuantityProblem) {
            switch self {
            case .integer: _ = try Quantity.signedInteger(text)
            case .number: _ = try Quantity.signedMillionths(text)
            case .duration: _ = try Quantity.duration(text)
            case .rate: _ = try Quantity.rate(text)
            case .temperature: _ = try Quantity.temperature(text)
            case .gain: _ = try Quantity.gain(text)
            case .iso: _ = try Quantity.iso(text)
            case .text: return nil
            }
            return nil
        } catch {
            return error
        }
    }
}

/// A ratio of whole numbers, for comparing quantities of one kind, exact in 128 bits.
struct Ratio: Comparable {
    private let numerator: Int128
    private let denominator: Int128

    init(_ numerator: Int64, over denominator: Int64 = 1) {
        precondition(denominator > 0, "a ratio's denominator is positive")
        self.numerator = Int128(numerator)
        self.denominator = Int128(denominator)
    }

    static func < (a: Ratio, b: Ratio) -> Bool {
        a.numerator * b.denominator < b.numerator * a.denominator
    }

    static func == (a: Ratio, b: Ratio) -> Bool {
        a.numerator * b.denominator == b.numerator * a.denominator
    }
}
