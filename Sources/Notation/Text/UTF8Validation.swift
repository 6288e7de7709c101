/// The offset of the first byte that is not part of valid UTF-8, or nil where all of it is valid.
func firstInvalidUTF8Offset(in bytes: [UInt8]) -> Int? {
    do {
        _ = try UTF8Span(validating: bytes.span)
        return nil
    } catch {
        return error.byteOffsets.lowerBound
    }
}
