internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Timebase

/// The JSON of the group and the array: Zarr v3 with OME-Zarr 0.5.
///
/// Source: Zarr v3 core specification and the codec `sharding_indexed`; OME-Zarr 0.5, `multiscales`. The same text is
/// made again for checking, so nothing in it depends on the run but the length of the array.
struct ZarrMetadata {
    let layout: ZarrLayout
    /// The images' name, which is the recipe's; the time from slot to slot; black and white.
    let frames: FrameSeries

    /// `frames.zarr/zarr.json`.
    ///
    /// One resolution at the path `0`; what only framelock writes is under its own name.
    var group: JSONValue {
        [
            "zarr_format": 3,
            "node_type": "group",
            "attributes": [
                "ome": [
                    "version": "0.5",
                    "multiscales": [
                        [
                            "name": .string(frames.name),
                            "axes": .array(axes),
                            "datasets": [
                                ["path": "0", "coordinateTransformations": [scale]]
                            ],
                        ]
                    ],
                ],
                "framelock": framelock,
            ],
        ]
    }

    /// `frames.zarr/0/zarr.json`.
    ///
    /// The outer chunk is a shard of many slots, the inner chunk a frame; the index stands first in the shard.
    ///
    /// - Parameter slots: how many slots the array has.
    func array(slots: Int64) -> JSONValue {
        [
            "zarr_format": 3,
            "node_type": "array",
            "shape": shape(Int64(slots)),
            "data_type": layout.pixelFormat.bytesPerSample == 1 ? "uint8" : "uint16",
            "chunk_grid": [
                "name": "regular",
                "configuration": ["chunk_shape": shape(Int64(layout.framesPerShard))],
            ],
            "chunk_key_encoding": ["name": "default", "configuration": ["separator": "/"]],
            "fill_value": 0,
            "codecs": [
                [
                    "name": "sharding_indexed",
                    "configuration": [
                        "chunk_shape": shape(1),
                        "codecs": .array(frameCodecs),
                        "index_codecs": [Self.bytesCodec, ["name": "crc32c"]],
                        "index_location": "start",
                    ],
                ]
            ],
            "dimension_names": hasChannels ? ["t", "c", "y", "x"] : ["t", "y", "x"],
            "attributes": ["framelock": framelock],
        ]
    }

    /// Whether pixels have several samples: then the array has a dimension `c`.
    private var hasChannels: Bool { layout.pixelFormat.channels > 1 }

    /// Samples are little-endian whatever the host is.
    private static let bytesCodec: JSONValue = [
        "name": "bytes", "configuration": ["endian": "little"],
    ]

    /// The disk holds the camera's bytes, samples of a pixel side by side; the array has channels before rows.
    ///
    /// Transposing leaves the bytes as they are: readers turn them, and the capture need not.
    private var frameCodecs: [JSONValue] {
        guard hasChannels else { return [Self.bytesCodec] }
        return [
            ["name": "transpose", "configuration": ["order": [0, 2, 3, 1]]], Self.bytesCodec,
        ]
    }

    /// The lengths of all dimensions, with the one of time given.
    private func shape(_ first: Int64) -> JSONValue {
        var shape: [JSONValue] = [.integer(first)]
        if hasChannels { shape.append(.integer(Int64(layout.pixelFormat.channels))) }
        shape += [.integer(Int64(layout.size.height)), .integer(Int64(layout.size.width))]
        return .array(shape)
    }

    /// Time has the unit second, and space the unit micrometre, only where ``scale`` gives it one.
    private var axes: [JSONValue] {
        var time: JSONObject = ["name": "t", "type": "time"]
        if frames.period != nil { time["unit"] = "second" }
        var axes: [JSONValue] = [.object(time)]
        if hasChannels { axes.append(["name": "c", "type": "channel"]) }
        for name in ["y", "x"] {
            var axis: JSONObject = ["name": .string(name), "type": "space"]
            if frames.metadata?.pixelSize != nil { axis["unit"] = "micrometer" }
            axes.append(.object(axis))
        }
        return axes
    }

    /// Along t the nominal period where slots are consecutive frames, else plain numbers: the ledger has their times.
    ///
    /// Along y and x the size of a pixel, where the recipe says it.
    private var scale: JSONValue {
        var seconds: JSONValue = 1
        if let period = frames.period, period > .zero {
            let text = decimalText(UInt64(period.nanoseconds), unit: 1_000_000_000)
            seconds = JSONValue.number(text) ?? 1
        }
        var factors = [seconds]
        if hasChannels { factors.append(1) }
        var pixel: JSONValue = 1
        if let size = frames.metadata?.pixelSize {
            let text = decimalText(UInt64(size.picometres), unit: 1_000_000)
            pixel = JSONValue.number(text) ?? 1
        }
        return ["type": "scale", "scale": .array(factors + [pixel, pixel])]
    }

    /// What OME-Zarr has no word for: pixel format, bits of a sample, black and white level where the profile has them,
    /// Bayer pattern or names of channels, the ledger, and the recipe's metadata.
    private var framelock: JSONValue {
        var block: JSONObject = [
            "pixel_format": .string(layout.pixelFormat.name),
            "bits_per_sample": .integer(Int64(layout.pixelFormat.bitsPerSample)),
        ]
        if let levels = frames.levels {
            block["black_level"] = .integer(levels.black)
            block["white_level"] = .integer(levels.white)
        }
        switch layout.pixelFormat.samples {
        case .mono: block["samples"] = "mono"
        case .bayer(let pattern):
            block["samples"] = "bayer"
            block["bayer_pattern"] = .string(pattern.rawValue)
        case .yuv422(let lumaFirst):
            block["samples"] = "yuv422"
            block["channels"] = lumaFirst ? ["luma", "chroma"] : ["chroma", "luma"]
        case .rgb:
            block["samples"] = "rgb"
            block["channels"] = ["red", "green", "blue"]
        }
        block["ledger"] = "ledger.csv"
        if let metadata = frames.metadata {
            block["metadata"] = JSONForm<RunMetadata>.metadata.write(metadata)
        }
        return .object(block)
    }
}
