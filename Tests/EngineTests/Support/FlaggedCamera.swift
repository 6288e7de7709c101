import Devices
import Imaging

/// A camera that does nothing but keep its controls with their flags, and what was done to them in order.
final class FlaggedCamera: CameraDriver {
    /// What was done, for example `auto_exposure=1`, `configure`, `start`.
    private(set) var journal: [String] = []
    private(set) var watched: [CameraControl] = []
    var descriptions: [ControlDescription] = []
    /// What a control becomes whatever is written; nothing for one that takes any value.
    var stuck: [CameraControl: Int64] = [:]
    /// Values that starting the stream sets back.
    var forgotten: [ControlValue] = []
    /// A slave is active while its automatic has this value.
    var freedBy: [CameraControl: ControlValue] = [:]

    let identity = CameraIdentity(
        id: "flagged", name: "flagged camera", driver: "test", bus: "test", backend: "test",
        path: "")
    var pollDescriptor: Int32 { -1 }

    func add(_ name: String, _ code: Int64, _ change: (inout ControlDescription) -> Void = { _ in })
    {
        guard let control = CameraControl(name: name) else { preconditionFailure("no \(name)") }
        var description = ControlDescription(
            control: control, label: name, minimum: -10_000, maximum: 10_000, step: 1,
            defaultCode: 0, code: code)
        change(&description)
        descriptions.append(description)
    }

    func code(_ control: CameraControl) -> Int64? {
        descriptions.first { $0.control == control }?.code
    }

    func describe() throws(DeviceError) -> CameraDescription {
        let controls = descriptions.map { description in
            var described = description
            if let free = freedBy[description.control] {
                described.isInactive = code(free.control) != free.code
            }
            return described
        }
        return CameraDescription(identity: identity, formats: [], controls: controls)
    }

    func configure(_ configuration: CaptureConfiguration) throws(DeviceError)
        -> AcceptedConfiguration
    {
        journal.append("configure")
        guard
            let layout = FrameLayout(
                pixelFormat: configuration.pixelFormat, size: configuration.size)
        else { throw DeviceError(.unsupported, "no such layout") }
        return AcceptedConfiguration(layout: layout, rate: configuration.rate, bufferCount: 4)
    }

    func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        journal.append(
            values.map { "\($0.control.name)=\($0.code)" }.joined(separator: " "))
        for value in values {
            guard let place = descriptions.firstIndex(where: { $0.control == value.control })
            else { return -22 }
            descriptions[place].code = stuck[value.control] ?? value.code
        }
        return 0
    }

    func read(_ control: CameraControl) -> Result<Int64, DeviceError> {
        code(control).map { .success($0) }
            ?? .failure(DeviceError(.unsupported, "no \(control.name)"))
    }

    func watch(_ controls: [CameraControl]) { watched = controls }

    func start() throws(DeviceError) {
        journal.append("start")
        for value in forgotten {
            guard let place = descriptions.firstIndex(where: { $0.control == value.control })
            else { continue }
            descriptions[place].code = value.code
        }
    }

    func dequeue() -> DequeueResult { .empty }
    func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer { .init(start: nil, count: 0) }
    func requeue(_ frame: DequeuedFrame) -> Int32 { 0 }
    func stop() {}
}
