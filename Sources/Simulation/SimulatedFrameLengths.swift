/// When the frames of a raw sensor begin whose blanking changes, in lines from the start of its stream.
struct SimulatedFrameLengths {
    private struct Length {
        /// The first frame that has it.
        var frame: Int64
        /// Lines from the start of the stream to that frame's readout.
        var start: Int64
        /// Lines from its readout to the next one's.
        var lines: Int64
    }

    private var lengths: [Length] = []

    /// The frame length of a stream that starts now.
    mutating func begin(_ lines: Int64) {
        lengths = [Length(frame: -1, start: 0, lines: lines)]
    }

    /// Frames have another length from a frame on: it shows in the interval after that.
    mutating func change(to lines: Int64, from frame: Int64) {
        guard lines != lengths.last?.lines else { return }
        lengths.removeAll { $0.frame >= frame && $0.frame >= 0 }
        lengths.append(Length(frame: frame, start: start(of: frame), lines: lines))
    }

    /// Lines from the start of the stream to the readout of a frame.
    func start(of frame: Int64) -> Int64 {
        guard let length = lengths.last(where: { $0.frame <= frame }) ?? lengths.first else {
            return 0
        }
        return length.start + (frame - length.frame) * length.lines
    }

    /// The shortest frame so far, in lines.
    var shortest: Int64 { lengths.map(\.lines).min() ?? 0 }
}
