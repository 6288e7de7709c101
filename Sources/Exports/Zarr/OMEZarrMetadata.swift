internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Records

/// The JSON of an exported OME-Zarr image: Zarr v3 with OME-Zarr 0.5, `multiscales` and `omero`.
struct OMEZarrMetadata {
    let export: OMEZarr
    let image: FrameImage

    /// Of the levels, the whole one first.
    var sizes: [FrameSize] {
        let whole = image.size(of: export.run.frames.size)
        return export.hasPyramid ? Pyramid.sizes(of: whole) : [whole]
    }

    /// In the order of `c`.
    var channels: [FrameAxes.Channel] { export.axes.channels(of: image) }

    private var format: PixelFormat { export.run.frames.pixelFormat }
    private var shape: [Int64] {
        let shape = export.axes.shape
        return [shape.t, Int64(channels.count), Int64(shape.z)]
    }

    private static let littleEndian: JSONValue = [
        "name": "bytes", "configuration": ["endian": "little"],
    ]

    private func array(
        shape: [Int64], chunk: [Int64], type: JSONValue, codecs: [JSONValue], names: [JSONValue]
    ) -> JSONValue {
        [
            "zarr_format": 3, "node_type": "array",
            "shape": .array(shape.map { .integer($0) }), "data_type": type,
            "chunk_grid": [
                "name": "regular",
                "configuration": ["chunk_shape": .array(chunk.map { .integer($0) })],
            ],
            "chunk_key_encoding": ["name": "default", "configuration": ["separator": "/"]],
            "fill_value": 0, "codecs": .array(codecs), "dimension_names": .array(names),
            "attributes": [:],
        ]
    }

    /// `zarr.json` of a level.
    func array(_ size: FrameSize) -> JSONValue {
        let plane = [Int64(size.height), Int64(size.width)]
        let codecs: [JSONValue] =
            [Self.littleEndian]
            + (export.isCompressed
                ? [
                    [
                        "name": "zstd",
                        "configuration": [
                            "level": .integer(Int64(Zstandard.level)), "checksum": false,
                        ],
                    ]
                ] : [])
        return array(
            shape: shape + plane, chunk: [1, 1, 1] + plane,
            type: format.bytesPerSample == 1 ? "uint8" : "uint16", codecs: codecs,
            names: ["t", "c", "z", "y", "x"])
    }

    /// `zarr.json` of the array that has 1 where a plane was recorded, and 0 for a hole.
    var recorded: JSONValue {
        array(
            shape: shape, chunk: shape, type: "uint8", codecs: [Self.littleEndian],
            names: ["t", "c", "z"])
    }

    /// Attributes of the image's group.
    ///
    /// - Parameter windows: of each channel, the samples that a viewer shows as black and as full at first.
    func attributes(_ windows: [(start: Int64, end: Int64)]) -> JSONValue {
        let name = [export.run.manifest.recipeName, image.name].filter { !$0.isEmpty }
        return [
            "ome": [
                "version": "0.5",
                "multiscales": [
                    [
                        "name": .string(name.joined(separator: ", ")),
                        "axes": .array(axes),
                        "datasets": .array(
                            sizes.indices.map { level in
                                [
                                    "path": .string("\(level)"),
                                    "coordinateTransformations": .array(transforms(level)),
                                ]
                            }),
                        "type": export.hasPyramid ? "mean" : "none",
                    ]
                ],
                "omero": omero(windows),
            ],
            "framelock": framelock,
        ]
    }

    private var axes: [JSONValue] {
        let unit = pixelSize == nil ? nil : "micrometer"
        return [
            ["name": "t", "type": "time"], ["name": "c", "type": "channel"],
            ["name": "z", "type": "space"],
        ]
            + ["y", "x"].map { name in
                var axis: JSONObject = ["name": .string(name), "type": "space"]
                if let unit { axis["unit"] = .string(unit) }
                return .object(axis)
            }
    }

    private var pixelSize: Int64? { export.run.manifest.metadata?.pixelSize?.picometres }

    /// The size of a pixel, and, of a smaller level, where the middle of its first pixel is.
    private func transforms(_ level: Int) -> [JSONValue] {
        let (across, down) = (Int64(image.columnsPerPixel), Int64(image.rowsPerPixel))
        func length(_ halves: Int64) -> JSONValue {
            // In half pixels of the sensor.
            let picometres = (pixelSize ?? 1_000_000) * halves
            return JSONValue.number(FixedPoint.shortText(picometres / 2, places: 6)) ?? 1
        }
        let times = Int64(1) << Int64(level)
        let scale: JSONValue = [
            "type": "scale",
            "scale": [1, 1, 1, length(2 * down * times), length(2 * across * times)],
        ]
        guard level > 0 else { return [scale] }
        return [
            scale,
            [
                "type": "translation",
                "translation": [
                    0, 0, 0, length(down * (times - 1)), length(across * (times - 1)),
                ],
            ],
        ]
    }

    /// Whether a viewer shows a channel at first: all in their colours, or the first one where they have none.
    ///
    /// Of frames that are several planes one frame is shown, and one green of two: colours are added up.
    private func isShown(_ place: Int) -> Bool {
        guard image.planes.count > 1 else {
            return place == 0 || channels.allSatisfy { $0.colour != nil }
        }
        return place < image.planes.count && image.planes[place].name != FrameImage.secondGreen
    }

    /// How a viewer shows channels at first.
    private func omero(_ windows: [(start: Int64, end: Int64)]) -> JSONValue {
        let isColoured = channels.allSatisfy { $0.colour != nil }
        return [
            "channels": .array(
                zip(channels, windows).enumerated().map { place, item in
                    let (channel, window) = item
                    return [
                        "label": .string(channel.name.isEmpty ? "intensity" : channel.name),
                        "color": .string(Self.hexadecimal(channel.colour ?? 0xFFFFFF)),
                        "active": .bool(isShown(place)),
                        "coefficient": 1, "family": "linear", "inverted": false,
                        "window": [
                            "min": 0, "max": .integer(Int64(format.maximum)),
                            "start": .integer(window.start), "end": .integer(window.end),
                        ],
                    ]
                }),
            "rdefs": [
                "defaultT": 0, "defaultZ": 0, "model": isColoured ? "color" : "greyscale",
            ],
        ]
    }

    private static func hexadecimal(_ colour: UInt32) -> String {
        let digits = String(colour, radix: 16, uppercase: true)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// What OME has no word for.
    private var framelock: JSONValue {
        var block: JSONObject = [
            "source": .object(
                JSONObject(export.facts.map { ($0.name, JSONValue.string($0.text)) })),
            "pixel_format": .string(format.name),
            "bits_per_sample": .integer(Int64(format.bitsPerSample)),
            "recorded": "recorded",
        ]
        if case .bayer(let pattern) = format.samples {
            block["bayer_pattern"] = .string(pattern.rawValue)
        }
        if let levels = export.run.frames.levels {
            block["black_level"] = .integer(levels.black)
            block["white_level"] = .integer(levels.white)
        }
        if export.axes.isGrid {
            block["lens_positions"] = .array(
                export.axes.positions.compactMap { $0 }.map { position in
                    JSONValue.number(FixedPoint.shortText(position, places: 6)) ?? .null
                })
        }
        if let metadata = export.run.manifest.metadata {
            block["metadata"] = JSONForm<RunMetadata>.metadata.write(metadata)
        }
        return .object(block)
    }
}
