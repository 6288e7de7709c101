import Devices
import LinuxDevices
import Testing

@Suite struct LineLocationTests {
    static func chip(_ label: String, _ path: String, _ names: [String]) -> LineChip {
        LineChip(
            label: label, path: path,
            lines: names.enumerated().map {
                LineChip.Line(offset: $0.offset, name: $0.element, consumer: "")
            })
    }

    let findings = LineDiscovery.Findings(
        chips: [
            chip("pinctrl-rp1", "/dev/gpiochip0", ["ID_SDA", "GPIO17", "GPIO27"]),
            chip("expander", "/dev/gpiochip1", ["", ""]),
            chip("twin", "/dev/gpiochip2", ["A", "A"]),
            chip("double", "/dev/gpiochip3", ["A"]), chip("double", "/dev/gpiochip4", ["B"]),
        ], problems: [])

    func locate(_ chip: String, _ position: LineRequest.Position) throws(DeviceError) -> String {
        let place = try findings.locate(
            LineRequest(name: "part", chip: chip, position: position, direction: .input))
        return "\(place.path) \(place.offset)"
    }

    func refusal(_ chip: String, _ position: LineRequest.Position) throws -> DeviceError {
        try #require(throws: DeviceError.self) { try locate(chip, position) }
    }

    @Test func `a line is found by its name`() throws {
        #expect(try locate("pinctrl-rp1", .name("GPIO17")) == "/dev/gpiochip0 1")
    }

    @Test func `a line is found by its number`() throws {
        #expect(try locate("expander", .offset(1)) == "/dev/gpiochip1 1")
    }

    @Test func `a number past the last line names the last`() throws {
        let error = try refusal("expander", .offset(2))
        #expect(error.kind == .notFound)
        #expect(error.message == "line `part`: chip expander has the lines 0 to 1, no 2")
    }

    @Test func `an unknown name lists the names`() throws {
        #expect(
            try refusal("pinctrl-rp1", .name("GPIO18")).message
                == "line `part`: chip pinctrl-rp1 has no line named GPIO18; it has ID_SDA, "
                + "GPIO17, GPIO27"
        )
    }

    @Test func `where lines have no names the number is asked for`() throws {
        #expect(
            try refusal("expander", .name("GPIO17")).message.hasSuffix(
                "its lines have no names, so give the number"))
    }

    @Test func `a name that two lines share names neither`() throws {
        let error = try refusal("twin", .name("A"))
        #expect(error.kind == .unsupported)
        #expect(error.message.contains("has 2 lines named A; give the number"))
    }

    @Test func `an unknown chip lists the chips`() throws {
        #expect(
            try refusal("gpiochip0", .offset(0)).message
                == "line `part`: there is no chip with the label gpiochip0; there are pinctrl-rp1, "
                + "expander, twin, double, double")
    }

    @Test func `a label that two chips share names neither`() throws {
        #expect(
            try refusal("double", .offset(0)).message.contains("/dev/gpiochip3, /dev/gpiochip4"))
    }

    @Test func `a chip that may not be opened is the reason why one is missing`() throws {
        let denied = DeviceError(.permission, "no right to use /dev/gpiochip0")
        let closed = LineDiscovery.Findings(chips: [], problems: [denied])
        let request = LineRequest(
            name: "part", chip: "pinctrl-rp1", position: .offset(0), direction: .input)
        #expect(throws: denied) { try closed.locate(request) }
    }

    @Test func `no lines need no chips`() throws {
        let lines = GPIOLines(discovery: LineDiscovery(root: "/nonexistent"))
        try lines.open([])
        #expect(lines.pollDescriptors.isEmpty)
        #expect(lines.readEdge() == nil)
        #expect(!lines.set(line: 0, active: true))
        lines.close()
    }
}
