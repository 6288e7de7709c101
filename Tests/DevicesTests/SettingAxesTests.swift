import Testing

@testable import Devices

/// The groups and components of settings are numbered without gaps, and arrays over them are as long as they are.
struct SettingAxesTests {
    @Test func `an array over the groups has a place for each of them`() {
        #expect(ControlGroup.all.map { Int($0.rawValue) } == Array(0..<GroupArray<Int>.count))
        #expect(Int(ControlGroup.count) == ControlGroup.all.count)
        #expect(ControlGroup.all.allSatisfy { ControlGroups.all.has($0) })
    }

    @Test func `an array over the components has a place for each of them`() {
        #expect(
            SettingComponent.all.map(\.rawValue) == Array(0..<ComponentArray<Int>.count))
        #expect(Set(SettingComponent.all.map(\.group)) == Set(ControlGroup.all))
    }
}
