public import Imaging
internal import Timebase
public struct MeteringOptions: Hashable, Sendable {}
public struct FocusSearch: Hashable, Sendable {}
struct MeteringDesk: Sendable {
    var options = MeteringOptions()
    var isBusy: Bool { false }
    var requests: [RequestID] { [] }
    func isRunning(_ subject: ManualSubject) -> Bool { false }
    mutating func stopAll() {}
    mutating func stop(_ subjects: Set<ManualSubject>) -> [RequestID] { [] }
}
extension ManualCamera {
    public var neededReadings: FrameMeter.Subjects { .light }
    public var focusPoint: FramePoint { .centre }
    mutating func meterNext(_ now: Instant<Monotonic>) -> Bool { false }
    mutating func meter(_ frame: ObservedFrame, _ now: Instant<Monotonic>) {}
    mutating func unlock(_ subjects: Set<ManualSubject>) {}
    mutating func startRoutine(_ request: ManualRequest, _ id: RequestID, isOptional: Bool) throws(SettingProblem) {}
    mutating func setBias(_ thousandths: Int64, _ id: RequestID, _ now: Instant<Monotonic>) throws(SettingProblem) {}
}
