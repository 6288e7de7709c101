/// The grammar of numbers, RFC 8259 §6.
enum JSONNumber {
    enum Scan: Equatable {
        /// A number up to `end`; `integer` where it is a whole number that an `Int64` holds exactly.
        case number(end: Int, integer: Int64?)
        /// No number: what was expected at that offset.
        case expected(String, at: Int)
    }

    /// Reads one number at the start of `bytes`, which need not end with it.
    static func scan(_ bytes: ArraySlice<UInt8>) -> Scan {
        var index = bytes.startIndex
        let isNegative = index < bytes.endIndex && bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let firstDigit = index
        var value: Int64? = 0
        while index < bytes.endIndex, let digit = digit(bytes[index]) {
            value = value.flatMap { appending(digit, to: $0, isNegative: isNegative) }
            index += 1
        }
        guard index > firstDigit else { return .expected("a digit", at: index) }
        if bytes[firstDigit] == UInt8(ascii: "0"), index - firstDigit > 1 {
            return .expected("a number without leading zeros", at: firstDigit)
        }
        // −0 is no integer: Int64 would lose its sign.
        if isNegative && value == 0 { value = nil }
        return scanFraction(bytes, from: index, whole: value)
    }

    /// Reads on after the whole part of a number.
    ///
    /// - Parameters:
    ///   - start: the first byte after it.
    ///   - whole: the whole part; nil where an `Int64` does not hold it, as it does not hold −0.
    private static func scanFraction(
        _ bytes: ArraySlice<UInt8>, from start: Int, whole: Int64?
    ) -> Scan {
        var index = start
        var value = whole
        if index < bytes.endIndex, bytes[index] == UInt8(ascii: ".") {
            value = nil
            index += 1
            guard skipDigits(bytes, &index) else {
                return .expected("a digit after the decimal point", at: index)
            }
        }
        if index < bytes.endIndex, bytes[index] | 0x20 == UInt8(ascii: "e") {
            value = nil
            index += 1
            let isSign =
                index < bytes.endIndex
                && (bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-"))
            if isSign { index += 1 }
            guard skipDigits(bytes, &index) else {
                return .expected("a digit in the exponent", at: index)
            }
        }
        return .number(end: index, integer: value)
    }

    /// A number with one more digit; nil beyond the range of `Int64`.
    private static func appending(_ digit: Int64, to value: Int64, isNegative: Bool) -> Int64? {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        // Negative numbers are built downwards, so that Int64.min is reached.
        let (sum, carry) =
            isNegative
            ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
        return carry ? nil : sum
    }

    /// The value of an ASCII digit; nil for any other byte.
    private static func digit(_ byte: UInt8) -> Int64? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? Int64(value) : nil
    }

    /// Skips digits; false where there was none.
    private static func skipDigits(_ bytes: ArraySlice<UInt8>, _ index: inout Int) -> Bool {
        let start = index
        while index < bytes.endIndex, digit(bytes[index]) != nil { index += 1 }
        return index > start
    }
}
