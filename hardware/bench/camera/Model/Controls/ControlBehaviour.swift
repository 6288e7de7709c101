/// Why a control request is stalled; the raw value is the UVC error code, the case name its option.
package enum ControlRefusal: UInt8, Error, Sendable, CaseIterable {
    case notReady = 1
    case wrongState = 2
    case outOfRange = 4
    case invalidUnit = 5
    case invalidControl = 6
    case invalidRequest = 7

    /// The word that selects it on the command line.
    package var name: String {
        switch self {
        case .notReady: "not-ready"
        case .wrongState: "wrong-state"
        case .outOfRange: "out-of-range"
        case .invalidUnit: "invalid-unit"
        case .invalidControl: "invalid-control"
        case .invalidRequest: "invalid-request"
        }
    }
}

/// How the camera's controls behave, and misbehave.
package struct ControlBehaviour: Sendable {
    /// What happens to a value written while its automatic is on.
    package enum WhileAutomatic: String, Sendable, CaseIterable {
        /// Stalled with "wrong state", as the class definition asks for.
        case refuse
        /// Acknowledged, without effect.
        case ignore
        /// Taken over, and soon moved again by the automatic.
        case accept
    }

    package var ranges: [ControlRange] = Setting.allCases.map(ControlRange.ordinary)
    package var whileAutomatic = WhileAutomatic.refuse
    /// Settings whose every write is stalled.
    package var refusals: [(setting: Setting, reason: ControlRefusal)] = []
    /// Settings that are acknowledged and read back, and never reach the sensor.
    package var ignored: [Setting] = []
    /// Settings of whose writes so many in a thousand are acknowledged, read back and lost.
    package var losses: [(setting: Setting, perThousand: Int)] = []
    /// Seed of which writes those are.
    package var seed: UInt64 = 1
    /// Settings whose writes are answered late (after nanoseconds) or never (nil).
    package var hangs: [(setting: Setting, nanoseconds: Int64?)] = []

    package init() {}

    package func range(_ setting: Setting) -> ControlRange { ranges[setting.rawValue] }
}
