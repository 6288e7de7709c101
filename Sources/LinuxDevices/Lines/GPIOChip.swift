internal import CGPIO
internal import Devices
internal import Glibc

/// An open GPIO chip, for looking up lines.
///
/// Through libgpiod, of version 1 or 2; no line is claimed by it.
final class GPIOChip {
    /// The device file, for messages.
    let path: String
    private let chip: OpaquePointer

    /// Opens a chip.
    ///
    /// - Throws: ``DeviceError`` `permission` with the group to join, or the kernel's error.
    init(path: String) throws(DeviceError) {
        var opened: OpaquePointer?
        let result = fl_gpio_chip_open(path, &opened)
        guard let opened else { throw GPIOChip.failure(path, "open the chip", result) }
        chip = opened
        self.path = path
    }

    deinit {
        fl_gpio_chip_close(chip)
    }

    /// The label by which recipes and rigs name the chip, for example `pinctrl-rp1`.
    ///
    /// Labels stay where numbers of chips do not: the header of a Raspberry Pi 5 was gpiochip4 before it was gpiochip0.
    var label: String { String(cString: fl_gpio_chip_label(chip)) }

    /// How many lines it has.
    var lineCount: Int { Int(fl_gpio_chip_line_count(chip)) }

    /// All lines, by offset; one that can't be described counts as nameless and free.
    func lines() -> [LineChip.Line] {
        (0..<lineCount).map { line($0) ?? LineChip.Line(offset: $0, name: "", consumer: "") }
    }

    /// One line; nil outside the chip.
    func line(_ offset: Int) -> LineChip.Line? {
        var line = fl_gpio_line()
        guard (0..<lineCount).contains(offset),
            fl_gpio_chip_line(chip, UInt32(offset), &line) >= 0
        else { return nil }
        // The kernel names no consumer for a line that the system itself took (as `gpio-hog`s do).
        let consumer = fixedText(line.consumer)
        let isTaken = line.is_used != 0 && consumer.isEmpty
        return LineChip.Line(
            offset: offset, name: fixedText(line.name), consumer: isTaken ? "kernel" : consumer)
    }

    /// The error of a call on a chip that failed, in words.
    ///
    /// - Parameters:
    ///   - path: the chip's device file.
    ///   - action: what was to be done, to follow "could not".
    ///   - result: the negative errno.
    /// - Returns: `permission` for EACCES and EPERM, `busy` for EBUSY, `notFound` where chip or line is gone,
    ///   `unsupported` for what the chip can't do, else `failed`.
    static func failure(_ path: String, _ action: String, _ result: Int32) -> DeviceError {
        let error = KernelError(code: -result)
        switch error.code {
        case EACCES, EPERM:
            return DeviceError(.permission, MissingRight.message(path: path, group: "gpio"))
        case EBUSY: return DeviceError(.busy, "could not \(action) at \(path): \(error)")
        case ENOENT, ENODEV, ENXIO:
            return DeviceError(.notFound, "could not \(action) at \(path): \(error)")
        case EINVAL, EOPNOTSUPP, ENOTTY, GPIOChip.notSupportedByDriver:
            return DeviceError(.unsupported, "could not \(action) at \(path): \(error)")
        default: return DeviceError(.failed, "could not \(action) at \(path): \(error)")
        }
    }

    /// ENOTSUPP, the kernel's own number that some drivers let slip through (`linux/errno.h`).
    private static let notSupportedByDriver: Int32 = 524
}
