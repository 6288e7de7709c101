public import Imaging
public import Timebase

/// One combination of pixels and size that a camera offers, with its rates.
public struct CameraFormat: Hashable, Sendable {
    /// V4L2's four-character code as text, also for formats that framelock does not record.
    public var fourCC: String
    /// The pixel format; nil if framelock does not record it.
    public var pixelFormat: PixelFormat?
    /// Frame size.
    public var size: FrameSize
    /// Frame rates, fastest first; empty if the driver names none.
    public var rates: [FrameRate]
    /// The sizes that the driver takes, where it names a range and ``size`` is an example; nil where it names sizes.
    public var range: FrameSizeRange?
    /// The part of the sensor's pixel array that is read, as its driver reports it; nil if it does not.
    public var crop: FrameRegion?

    /// Whether frames can have a size.
    public func offers(_ wanted: FrameSize) -> Bool {
        range?.contains(wanted) ?? (size == wanted)
    }

    /// Creates a format.
    public init(fourCC: String, pixelFormat: PixelFormat?, size: FrameSize, rates: [FrameRate]) {
        self.fourCC = fourCC
        self.pixelFormat = pixelFormat
        self.size = size
        self.rates = rates
    }
}

/// How a camera is to deliver frames.
public struct CaptureConfiguration: Hashable, Sendable {
    /// Pixel format.
    public var pixelFormat: PixelFormat
    /// Frame size.
    public var size: FrameSize
    /// Frame rate; nil leaves it to the camera.
    public var rate: FrameRate?
    /// The part of the sensor's image; nil for all of it.
    public var region: FrameRegion?
    /// The input of a device with several, by name; nil for the selected one.
    public var input: String?
    /// The lines after a frame of a raw sensor, which then count instead of ``rate``; nil to find them for the rate.
    public var blanking: ControlValue?
    /// What controls that move the order of a raw sensor's colours are to have; flips that are not named are off.
    public var layout: [ControlValue] = []
    /// What the sensor is to send beside its pixels; nil: nothing.
    public var embeddedData: EmbeddedDataFormat?

    /// Creates a configuration.
    public init(
        pixelFormat: PixelFormat, size: FrameSize, rate: FrameRate? = nil,
        region: FrameRegion? = nil, input: String? = nil
    ) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.rate = rate
        self.region = region
        self.input = input
    }
}

/// What a camera agreed to.
public struct AcceptedConfiguration: Hashable, Sendable {
    /// How frames lie in the driver's memory.
    public var layout: FrameLayout
    /// The rate that the driver promises; nil if it promises none.
    public var rate: FrameRate?
    /// Frame buffers shared with the driver.
    public var bufferCount: Int
    /// How often the camera's own clock ticks in a second; nil if it is not followed.
    public var cameraTicksPerSecond: Int64?

    /// Creates an agreement.
    public init(layout: FrameLayout, rate: FrameRate?, bufferCount: Int) {
        self.layout = layout
        self.rate = rate
        self.bufferCount = bufferCount
    }
}

/// What discovery finds of a camera.
public struct CameraDescription: Hashable, Sendable {
    /// Which camera.
    public var identity: CameraIdentity
    /// What it offers.
    public var formats: [CameraFormat]
    /// Its controls, by id.
    public var controls: [ControlDescription]
    /// Names of its inputs, where it has several.
    public var inputs: [String]
    /// The one of ``inputs`` that is selected; nil where there are none.
    public var selectedInput: String?
    /// The format that is set; nil if it is none of ``formats``.
    public var selected: CameraFormat?

    /// Creates a description.
    public init(
        identity: CameraIdentity, formats: [CameraFormat], controls: [ControlDescription],
        inputs: [String] = []
    ) {
        self.identity = identity
        self.formats = formats
        self.controls = controls
        self.inputs = inputs
    }
}
