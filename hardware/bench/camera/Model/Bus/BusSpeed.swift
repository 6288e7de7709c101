/// The speed at which the camera enumerates, and the isochronous bandwidths it offers at that speed.
package enum BusSpeed: String, Sendable, CaseIterable {
    case high
    case `super`

    /// One microframe (High speed) or bus interval (SuperSpeed), the period of an isochronous packet.
    package static let microframeNanoseconds: Int64 = 125_000

    /// The number that the kernel's vhci attach attribute expects (`enum usb_device_speed`).
    package var kernelNumber: Int {
        switch self {
        case .high: 3
        case .super: 5
        }
    }

    /// The alternate settings of the streaming interface after the empty one, smallest first.
    package var alternates: [IsochronousAlternate] {
        switch self {
        case .high:
            [(256, 1), (512, 1), (1024, 1), (768, 2), (1024, 2), (1024, 3)].map {
                IsochronousAlternate(packetBytes: $0.0, burst: 1, multiplier: $0.1)
            }
        case .super:
            [(1, 1), (2, 1), (4, 1), (8, 1), (16, 1), (16, 2), (16, 3)].map {
                IsochronousAlternate(packetBytes: 1024, burst: $0.0, multiplier: $0.1)
            }
        }
    }

    /// The largest payload that one microframe can carry, in bytes.
    package var maximumPayloadBytes: Int { alternates.map(\.bytesPerInterval).max() ?? 0 }
}

/// One isochronous bandwidth of the streaming interface.
package struct IsochronousAlternate: Sendable, Equatable {
    package let packetBytes: Int
    package let burst: Int
    package let multiplier: Int

    package var bytesPerInterval: Int { packetBytes * burst * multiplier }
}
