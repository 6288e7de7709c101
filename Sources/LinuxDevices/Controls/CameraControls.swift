internal import CVideo
internal import Devices
internal import Glibc

/// All controls of one camera, wherever its parts have them: each is written, read and watched on its own part.
///
/// Where two parts have the same control, the earlier one counts. `write`, `read` and `readChange` allocate nothing.
///
/// Unsafe memory: the table of controls is rebuilt by `refresh`, and only read while a stream runs.
final class CameraControls {
    /// Where a control is.
    private struct Place: BitwiseCopyable {
        var id: UInt32
        var device: Int32
        /// Whether its value has 64 bits.
        var isWide: Bool
        /// Its range's beginning and its step when it was looked for last; they may move with the blanking.
        var minimum: Int64
        var step: Int64
    }

    /// The parts, the sensor first.
    let devices: [ControlDevice]
    /// Every control, found by its id; where a write or read finds none, the capture node is asked and refuses.
    private var places: UnsafeMutableBufferPointer<Place>
    private let watch: ControlWatch
    /// The vertical blanking was changed, and the exposure not written since.
    private var isExposureStale = false

    /// - Parameter devices: at least one; the last is the capture node.
    init(_ devices: [ControlDevice]) {
        precondition(!devices.isEmpty, "a camera has a capture node")
        self.devices = devices
        places = UnsafeMutableBufferPointer(start: nil, count: 0)
        watch = ControlWatch(devices)
        refresh()
    }

    deinit {
        places.deallocate()
    }

    /// Asks all parts again which controls they have: another format may bring others.
    ///
    /// Called whenever a format was set, before the stream starts; not on the capture thread.
    func refresh() {
        var found: [Place] = []
        for (number, device) in devices.enumerated() {
            for control in device.list.ranges()
            where !found.contains(where: { $0.id == control.id }) {
                found.append(
                    Place(
                        id: control.id, device: Int32(number), isWide: control.isWide,
                        minimum: control.minimum, step: control.step))
            }
        }
        places.deallocate()
        places = .allocate(capacity: found.count)
        _ = places.initialize(from: found)
    }

    /// Every control, by id, with how it stands; of two parts with the same one, the earlier part's.
    func describe() -> [ControlDescription] {
        var found: [ControlDescription] = []
        for device in devices {
            for control in device.list.describe(part: device.part)
            where !found.contains(where: { $0.control == control.control }) {
                found.append(control)
            }
        }
        return found.sorted { $0.control.rawValue < $1.control.rawValue }
    }

    /// Writes blanking first, then one request per 16 controls and part, each in the order given.
    ///
    /// A request that fails ends the write: what came before it may have been carried out, and it is unknown what the
    /// hardware has. The kernel clamps values that are out of range and rounds to steps in silence; what was stored
    /// shows when it is read back.
    ///
    /// - Returns: 0, or the negative errno.
    func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        watch.beginWriting()
        let result = send(values)
        if result >= 0 { watch.noteWritten(values) } else { watch.endWriting() }
        return result
    }

    /// Sends blanking, then, if the vertical one moved, an exposure that stays, then all the rest part by part.
    private func send(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        // Each in a call of its own: the driver moves the range of the exposure before it looks at its value.
        for value in values where value.control.isBlanking {
            let before = code(of: value.control)
            let result = send(value)
            if result < 0 { return result }
            if value.control == .verticalBlanking, before != value.code { isExposureStale = true }
        }
        let result = isExposureStale ? renewExposure(unlessBy: values) : 0
        if result < 0 { return result }
        for number in devices.indices {
            let result = send(values, to: number)
            if result < 0 { return result }
        }
        isExposureStale = false
        return 0
    }

    /// Writes an exposure again that stays the same while the blanking changes.
    ///
    /// Sensors that count the exposure back from the end of the frame (IMX296) expose longer or shorter then, unless
    /// their drivers write it again; and V4L2 does not pass a value to the driver that is what it was. So the control
    /// gets a neighbouring value first.
    private func renewExposure(unlessBy values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        let control = CameraControl.exposureLines
        guard let place = place(of: control.rawValue), let present = code(of: control) else {
            return 0
        }
        for value in values where value.control == control && value.code != present { return 0 }
        let isLeast = present - place.step < place.minimum
        let neighbour = isLeast ? present + place.step : present - place.step
        let result = send(ControlValue(control, neighbour))
        return result < 0 ? result : send(ControlValue(control, present))
    }

    /// What a control reads back; nil for one that no part has or that can't be read.
    private func code(of control: CameraControl) -> Int64? {
        guard let place = place(of: control.rawValue) else { return nil }
        return try? devices[Int(place.device)].list.read(place.id, isWide: place.isWide).get()
    }

    /// One control in a request of its own.
    private func send(_ value: ControlValue) -> Int32 {
        let writer = devices[device(of: value.control.rawValue)].writer
        writer.put(0, id: value.control.rawValue, code: value.code)
        return writer.send(1)
    }

    /// The controls of one part, but for blanking, in requests of 16 at most.
    private func send(_ values: UnsafeBufferPointer<ControlValue>, to number: Int) -> Int32 {
        let writer = devices[number].writer
        var count = 0
        for value in values {
            let id = value.control.rawValue
            guard !value.control.isBlanking, device(of: id) == number else { continue }
            writer.put(count, id: id, code: value.code)
            count += 1
            if count == ControlWriter.batchMaximum {
                let result = writer.send(count)
                if result < 0 { return result }
                count = 0
            }
        }
        return count == 0 ? 0 : writer.send(count)
    }

    /// Reads one control back; drivers may answer from a cache.
    ///
    /// The value that is read becomes the one that counts as known: a driver that rounded a write has made no change.
    func read(_ control: CameraControl) -> Result<Int64, KernelError> {
        let place = place(of: control.rawValue)
        let device = devices[place.map { Int($0.device) } ?? devices.count - 1]
        let answer = device.list.read(control.rawValue, isWide: place?.isWide ?? false)
        if case .success(let code) = answer { watch.noteRead(ControlValue(control, code)) }
        return answer
    }

    /// Watches these controls from now on, as far as they exist and their drivers report changes.
    func startWatching(_ controls: [CameraControl]) {
        let found = controls.compactMap { place(of: $0.rawValue) }
        watch.start(found.map { ($0.id, Int($0.device), $0.isWide) })
    }

    /// The descriptors were polled: whether one of them has an event.
    ///
    /// Called after every wait of the capture thread, also where nothing has come.
    func notePolled(hasNews: Bool) { watch.notePolled(hasNews: hasNews) }

    /// Takes the oldest change that somebody else made.
    func readChange() -> ControlChange? { watch.readChange() }

    /// Where a control is; nil if no part has it.
    private func place(of id: UInt32) -> Place? {
        for place in places where place.id == id { return place }
        return nil
    }

    /// The part that has a control; the capture node for one that nobody has, which refuses it.
    private func device(of id: UInt32) -> Int {
        for place in places where place.id == id { return Int(place.device) }
        return devices.count - 1
    }
}
