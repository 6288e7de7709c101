/// What host and camera have agreed to stream, by the video probe and commit controls.
struct StreamNegotiation: Sendable {
    private static let probe: UInt8 = 1
    private static let commit: UInt8 = 2

    private let catalog: StreamCatalog
    private var proposed: StreamingControl
    private var committed: StreamingControl

    init(catalog: StreamCatalog) {
        self.catalog = catalog
        proposed = StreamingControl().negotiated(catalog)
        committed = proposed
    }

    /// The mode of the next stream.
    var mode: StreamMode { committed.mode(catalog) }

    /// Answers a request to one of the two controls; nil is a stall.
    mutating func answer(
        _ request: UVCRequest, selector: UInt8, _ data: [UInt8]
    ) -> [UInt8]? {
        guard selector == Self.probe || selector == Self.commit else { return nil }
        switch request {
        case .setCurrent:
            guard let wanted = StreamingControl(data) else { return nil }
            let agreed = wanted.negotiated(catalog)
            if selector == Self.probe { proposed = agreed } else { committed = agreed }
            return []
        case .getCurrent, .getMinimum, .getMaximum:
            return (selector == Self.probe ? proposed : committed).encoded(catalog)
        case .getDefault: return StreamingControl().negotiated(catalog).encoded(catalog)
        case .getResolution: return [UInt8](repeating: 0, count: StreamingControl.byteCount)
        case .getLength: return [UInt8(StreamingControl.byteCount), 0]
        case .getInformation: return [0x03]
        }
    }
}
