import Devices
import Simulation
import Testing
import Timebase

@Suite("Devices and formats")
struct DeviceRowsTests {
    @Test("D1 the simulated camera has a stable id, a name, a driver and a bus like any other")
    func discovery() throws {
        let camera = SimulatedWorld(SimulationOptions()).camera
        let identity = try camera.describe().identity
        #expect(identity.id == "simulated")
        #expect(!identity.name.isEmpty)
        #expect(!identity.driver.isEmpty)
        #expect(!identity.bus.isEmpty)
        #expect(identity.path.isEmpty, "no device file: nothing to mistake for an id")
    }

    @Test("D2 each format names its pixels, its size and its rates")
    func formats() throws {
        let formats = try SimulatedWorld(SimulationOptions()).camera.describe().formats
        #expect(!formats.isEmpty)
        for format in formats {
            #expect(format.pixelFormat != nil)
            #expect(!format.rates.isEmpty)
            #expect(format.rates == format.rates.sorted { $0.period < $1.period })
        }
    }
}
