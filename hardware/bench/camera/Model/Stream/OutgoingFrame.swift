/// A frame on its way to the host.
struct OutgoingFrame: Sendable {
    let truth: FrameTruth
    let fault: Fault?
    /// The picture; empty if nothing of it is sent.
    var picture: [UInt8]
    /// Bytes of the picture that are sent: half of a short frame.
    let byteCount: Int
    var position = 0
    let frameIdentifier: UInt8
    let presentationTicks: UInt32

    var isSilent: Bool { byteCount == 0 }
    var isComplete: Bool { position >= byteCount }
}

/// A frame that is over: sent, damaged, lost or skipped.
package struct FrameOutcome: Sendable, Equatable {
    package let truth: FrameTruth
    /// Nil if the frame was sent whole and sound.
    package let fault: Fault?
}
