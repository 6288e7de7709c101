// swift-tools-version: 6.2
import PackageDescription

// A program of somebody else's: it knows framelock as a package, and nothing of its inside.
let package = Package(
    name: "Example",
    dependencies: [.package(name: "framelock", path: "../..")],
    targets: [
        .executableTarget(
            name: "Example", dependencies: [.product(name: "Framelock", package: "framelock")])
    ],
    swiftLanguageModes: [.v6]
)
