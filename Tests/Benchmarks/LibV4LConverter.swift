internal import CV4LConvert
internal import Imaging

/// libv4l's conversion to RGB24, as previews of other programs use it.
final class LibV4LConverter {
    private let converter: OpaquePointer

    init(_ name: String, width: Int, height: Int) throws {
        guard let format = PixelFormat.named(name),
            let converter = fl_converter_create(format.fourCC, UInt32(width), UInt32(height))
        else { throw BenchmarkProblem("libv4lconvert can't be set up for \(name)") }
        self.converter = converter
    }

    deinit { fl_converter_free(converter) }

    func convert(
        _ frame: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws {
        let status = fl_converter_convert(
            converter, frame.baseAddress?.assumingMemoryBound(to: UInt8.self),
            output.baseAddress?.assumingMemoryBound(to: UInt8.self))
        if status != 0 { throw BenchmarkProblem("libv4lconvert refuses a frame") }
    }
}
