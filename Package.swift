// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target of the package is built alike: language mode 6, explicit imports and existentials, and no
/// warning that anyone could grow used to.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The same for what takes the tests' time, optimised module by module, as in a release, where `deploy/tests/build`
/// asks for it.
///
/// That takes no longer to build, and a third of the time to run. The tests themselves are never optimised, which would
/// take longer than it saves, but compiled module by module too. With more than one thread each source has an object
/// of its own, as a debug build expects. What the index says of system modules nobody asks for.
let isQuick = Context.environment["FRAMELOCK_TEST_BUILD"] == "optimized"
let byModule = [
    "-whole-module-optimization", "-num-threads", "2", "-index-ignore-system-modules",
]
let strictAndQuick = isQuick ? strict + [.unsafeFlags(["-O"] + byModule)] : strict
let strictTests = isQuick ? strict + [.unsafeFlags(byModule)] : strict
/// The same for C: checksums of frames alone take half of the time of many tests otherwise.
let quickC: [CSetting] = isQuick ? [.unsafeFlags(["-O2"])] : []

let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// A Swift library target in Sources; the order below is the order of the arrows: each knows only targets above it.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strictAndQuick)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strictTests)
}

let package = Package(
    name: "framelock",
    products: [
        // For programs: run a recipe (Instrument), a camera by hand (LiveControl), read a run (Records, Reports).
        .library(name: "Framelock", targets: ["Instrument", "LiveControl", "Records", "Reports"]),
        .executable(name: "framelock", targets: ["framelock"]),
        .executable(name: "framelock-bench-camera", targets: ["BenchCamera"]),
        .executable(name: "framelock-benchmarks", targets: ["Benchmarks"]),
        .executable(name: "framelock-prove", targets: ["Prove"]),
    ],
    // Exact: the same recipe gives the same bytes, whenever it is built.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        // C, each imported by exactly one Swift module.
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(
            name: "CGPIOSystem", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
        .target(
            name: "CGPIO", dependencies: ["CGPIOSystem"], cSettings: quickC,
            linkerSettings: [.linkedLibrary("gpiod")]),
        .target(name: "CVideo", cSettings: quickC),
        .target(name: "CRealTime", cSettings: quickC),
        .target(name: "CDevices", cSettings: quickC),
        .target(name: "CStorage", cSettings: quickC),
        .target(name: "CImaging", cSettings: quickC),
        .target(
            name: "CStills", cSettings: quickC,
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("tiff"),
            ]),

        .target(
            name: "CExports", cSettings: quickC,
            linkerSettings: [
                .linkedLibrary("cfitsio"), .linkedLibrary("hdf5_serial"), .linkedLibrary("zstd"),
            ]),

        // The instrument. Arrows only go down this list's way: a target knows those above it.
        module("Timebase"),
        module("Notation", ["CYAML"]),
        module("Imaging", ["Timebase", "CImaging"]),
        module("Devices", ["Timebase", "Imaging", "CDevices"]),
        module("Tracking", ["Timebase", "Imaging", "Devices"]),
        module("Recipes", ["Timebase", "Notation", "Imaging", "Devices"]),
        module(
            "Records",
            ["Timebase", "Notation", "Imaging", "Devices", "Tracking", "Recipes", "CStorage"]),
        module(
            "Stills",
            ["Timebase", "Imaging", "Devices", "Tracking", "Recipes", "Records", "CStills"]),
        module(
            "Engine",
            ["Timebase", "Imaging", "Stills", "Devices", "Tracking", "Recipes", "Records"]),
        module("Simulation", ["Timebase", "Imaging", "Devices"]),
        module(
            "LinuxDevices",
            ["Timebase", "Notation", "Imaging", "Devices", "CVideo", "CGPIO", "CRealTime"]),
        module("LiveControl", ["Timebase", "Imaging", "Devices", "Tracking"]),
        module(
            "Calibration",
            ["Timebase", "Notation", "Imaging", "Devices", "Recipes"]),
        module(
            "Reports",
            [
                "Timebase", "Notation", "Imaging", "Stills", "Devices", "Tracking", "Recipes",
                "Records",
            ]),
        module(
            "Exports",
            [
                "Timebase", "Notation", "Imaging", "Stills", "Devices", "Tracking", "Recipes",
                "Records", "CExports",
            ]),
        module(
            "Instrument",
            [
                "Timebase", "Notation", "Imaging", "Stills", "Devices", "Recipes", "Records",
                "Engine", "Simulation", "LinuxDevices", "LiveControl", logging,
            ]),
        .executableTarget(
            name: "framelock",
            dependencies: [
                "Timebase", "Notation", "Imaging", "Devices", "Recipes", "Records", "Engine",
                "Simulation", "LinuxDevices", "LiveControl", "Calibration", "Reports", "Exports",
                "Instrument", argumentParser, logging,
            ],
            swiftSettings: strictAndQuick),

        // The bench's own USB camera: a device model, so it shares no code with the instrument it tests.
        .target(
            name: "BenchCameraModel", path: "hardware/bench/camera/Model",
            swiftSettings: strictAndQuick),
        .executableTarget(
            name: "BenchCamera", dependencies: ["BenchCameraModel", argumentParser],
            path: "hardware/bench/camera/Program", swiftSettings: strictAndQuick),

        // Not for the instrument: what several test targets share.
        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strictAndQuick),
        // Seeded rigs and the oracles that judge them, for the tests (some seeds) and for `framelock-prove` (all).
        .target(
            name: "ProvingGround",
            dependencies: [
                "Timebase", "Notation", "Imaging", "Devices", "Tracking", "Recipes", "Records",
                "Engine", "Simulation", "Calibration", "TestSupport",
            ],
            path: "Tests/ProvingGround", swiftSettings: strictAndQuick),
        .executableTarget(
            name: "Prove", dependencies: ["ProvingGround", argumentParser], path: "Tests/Prove",
            swiftSettings: strictTests),
        tests("TimebaseTests", ["Timebase", "TestSupport", "ProvingGround"]),
        tests("NotationTests", ["Notation", "TestSupport"]),
        tests("ImagingTests", ["Timebase", "Imaging", "TestSupport"]),
        tests(
            "StillsTests",
            ["Timebase", "Imaging", "Stills", "Devices", "Recipes", "Records", "TestSupport"]),
        tests("DevicesTests", ["Timebase", "Imaging", "Devices", "LinuxDevices", "TestSupport"]),
        tests(
            "TrackingTests",
            ["Timebase", "Imaging", "Devices", "Tracking", "TestSupport", "ProvingGround"]),
        tests(
            "RecipesTests",
            [
                "Timebase", "Notation", "Imaging", "Devices", "Recipes", "Simulation",
                "TestSupport",
            ],
            exclude: ["Golden"]),
        tests(
            "RecordsTests",
            [
                "Timebase", "Notation", "Imaging", "Devices", "Tracking", "Recipes", "Records",
                "TestSupport",
            ]),
        tests(
            "EngineTests",
            [
                "Timebase", "Notation", "Imaging", "Stills", "Devices", "Tracking", "Recipes",
                "Records", "Engine", "Simulation", "TestSupport", "ProvingGround",
            ]),
        tests(
            "SimulationTests",
            ["Timebase", "Imaging", "Devices", "Simulation", "TestSupport"]),
        tests(
            "CalibrationTests",
            [
                "Timebase", "Notation", "Imaging", "Devices", "Recipes", "Simulation",
                "Calibration", "TestSupport", "ProvingGround",
            ]),
        tests(
            "ReportsTests",
            [
                "Timebase", "Notation", "Imaging", "Devices", "Tracking", "Recipes", "Records",
                "Reports", "TestSupport",
            ], exclude: ["Golden"]),
        tests(
            "ExportsTests",
            ["Imaging", "Records", "Exports", "TestSupport"]),
        tests(
            "LinuxDevicesTests",
            [
                "Timebase", "Notation", "Imaging", "Devices", "Recipes", "Engine", "LinuxDevices",
                "CVideo", "TestSupport",
            ], exclude: ["Fixtures"]),
        tests(
            "LiveControlTests",
            [
                "Timebase", "Imaging", "Devices", "Simulation", "LiveControl", "TestSupport",
                "ProvingGround",
            ]),
        tests("BenchCameraTests", ["BenchCameraModel"]),
        // A test for each row of the manual-control contract.
        tests(
            "ManualControlsTests",
            [
                "Timebase", "Notation", "Imaging", "Stills", "Devices", "Tracking", "Recipes",
                "Records", "Engine", "Simulation", "LinuxDevices", "LiveControl", "TestSupport",
            ]),
        tests("CommandLineTests", ["TestSupport"]),
        tests("BenchTests", ["TestSupport"], exclude: ["Fixtures"]),
        tests("TidyTests", []),
        // libv4l's converter, for the benchmark to compare with; the instrument does not use it.
        .target(
            name: "CV4LConvert", path: "Tests/Benchmarks/CV4LConvert",
            linkerSettings: [.linkedLibrary("v4lconvert")]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Timebase", "Notation", "Imaging", "Devices", "Recipes", "Records", "Engine",
                "Simulation", "ProvingGround", "CV4LConvert", argumentParser,
            ],
            path: "Tests/Benchmarks", exclude: ["CV4LConvert", "opencv_demosaic.py"],
            swiftSettings: strictTests),
    ],
    swiftLanguageModes: [.v6]
)
