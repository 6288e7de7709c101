/// What one frame really is: the camera's own knowledge, for the log and for the pattern in the picture.
package struct FrameTruth: Sendable, Equatable {
    /// Streams since the program started, from 1.
    package var stream: Int
    /// Frames since the stream started, from 0; counts those that are never sent, too.
    package var counter: Int
    /// Start of readout, the end of the first row's exposure; CLOCK_MONOTONIC.
    package var readoutStartNanoseconds: Int64
    package var exposureNanoseconds: Int64
    package var gain: Int
    package var focus: Int
    package var temperature: Int
    package var red: Int
    package var blue: Int
    package var brightness: Int

    package init(
        stream: Int, counter: Int, readoutStartNanoseconds: Int64, exposureNanoseconds: Int64,
        gain: Int, focus: Int, temperature: Int, red: Int, blue: Int, brightness: Int
    ) {
        self.stream = stream
        self.counter = counter
        self.readoutStartNanoseconds = readoutStartNanoseconds
        self.exposureNanoseconds = exposureNanoseconds
        self.gain = gain
        self.focus = focus
        self.temperature = temperature
        self.red = red
        self.blue = blue
        self.brightness = brightness
    }
}
