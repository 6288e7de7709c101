import Calibration
import Testing

struct CalibrationErrorTests {
    @Test func `an error is its message`() {
        #expect(
            "\(CalibrationError("no light: switch the lamp on"))" == "no light: switch the lamp on")
    }
}
