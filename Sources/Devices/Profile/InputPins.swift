/// What is pinned while one input of a device is selected.
public struct InputPins: Hashable, Sendable {
    /// The input's name, or its start.
    public var name: String
    /// The controls and their codes, in the order of the writes.
    public var pinned: [ControlValue]

    /// Creates the pins of an input.
    public init(name: String, pinned: [ControlValue]) {
        self.name = name
        self.pinned = pinned
    }
}

extension CameraProfile {
    /// The profile for one input: what is pinned on it takes the place of what is pinned on any.
    ///
    /// - Parameter input: the input's name or its start, as recipes have it; nil where it is not known: then nothing
    ///   is pinned that holds for single inputs.
    public func pinned(on input: String?) -> CameraProfile {
        var profile = self
        profile.inputs = []
        guard let input else { return profile }
        let fitting = inputs.filter { input.hasPrefix($0.name) || $0.name.hasPrefix(input) }
        // The longest name says most.
        guard let pins = fitting.max(by: { $0.name.count < $1.name.count })?.pinned else {
            return profile
        }
        profile.pinned.removeAll { pin in pins.contains { $0.control == pin.control } }
        profile.pinned += pins
        return profile
    }
}

extension CameraDescription {
    /// The whole name of an input that a recipe names by its name, the unique start of it, or its number; without one,
    /// of the input that is selected.
    ///
    /// - Returns: nil for a device that has no such input.
    public func inputName(_ wanted: String?) -> String? {
        guard let wanted else { return selectedInput }
        if inputs.contains(wanted) { return wanted }
        if let number = Int(wanted), inputs.indices.contains(number) { return inputs[number] }
        let fitting = inputs.filter { $0.hasPrefix(wanted) }
        return fitting.count == 1 ? fitting.first : nil
    }
}
