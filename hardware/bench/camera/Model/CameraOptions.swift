/// Everything about a camera that its user can choose.
package struct CameraOptions: Sendable {
    package var speed = BusSpeed.high
    package var timing = BusTiming.bus
    package var catalog: StreamCatalog
    package var controls = ControlBehaviour()
    package var scene = Scene()
    package var seed: UInt64 = 1
    package var clock = DeviceClock(errorPartsPerBillion: 0)
    /// Each readout starts up to this much late, evenly distributed.
    package var jitterNanoseconds: Int64 = 0
    package var faults = FaultSchedule()
    /// Whether frames wait for ``CameraMachine/trigger(at:)`` instead of the camera's own clock.
    package var isTriggered = false
    package var product = "framelock bench camera"
    package var serial = "0001"

    package init(catalog: StreamCatalog) { self.catalog = catalog }
}
