import Testing

@testable import LinuxDevices

/// What a driver's timestamps mean beside the flags that it sets.
struct TimestampSourceTests {
    @Test(arguments: [
        ("hwtimestamps", "0", nil), ("hwtimestamps", "N", nil),
        ("hwtimestamps", "1", "hwtimestamps=1"),
        ("clock", "CLOCK_REALTIME", nil),
    ])
    func `uvcvideo is known by its parameters to mean another time`(
        parameter: String, value: String, other: String?
    ) {
        let root = FakeRoot()
        root.write("/sys/module/uvcvideo/parameters/\(parameter)", "\(value)\n")
        let tree = SystemTree(root: root.path)
        #expect(TimestampSource.otherMeaning("uvcvideo", in: tree) == other)
        #expect(TimestampSource.otherMeaning("vivid", in: tree) == nil)
    }

    @Test func `a driver without parameters means what it says`() {
        let tree = SystemTree(root: FakeRoot().path)
        #expect(TimestampSource.otherMeaning("uvcvideo", in: tree) == nil)
    }
}
