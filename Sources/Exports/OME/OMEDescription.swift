internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

/// The OME-XML of an OME-TIFF: what its planes are, when and how they were taken.
///
/// By the schema of 2016-06 (https://www.openmicroscopy.org/Schemas/OME/2016-06). Frames of 4:2:2 are two images, luma
/// and chroma, since they have different sizes.
struct OMEDescription {
    let run: RecordedRun
    let axes: FrameAxes
    /// In the order in which they are in the file, once for each plane of each image.
    let planes: [ExportedFrame]
    /// The images of a frame.
    let images: [FrameImage]
    let facts: [(name: String, text: String)]

    /// The text.
    var text: String {
        let elements = images.enumerated().map {
            image($1, $0, firstDirectory: directories(before: $0))
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 \
            http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" \
            Creator="framelock \(run.manifest.version.markup)">
            \(experimenter)\(instrument)\(elements.joined())<StructuredAnnotations>
            <MapAnnotation ID="Annotation:0" Namespace="framelock">
            <Value>
            \(facts.map { "<M K=\"\($0.name.markup)\">\($0.text.markup)</M>\n" }.joined())</Value>
            </MapAnnotation>
            </StructuredAnnotations>
            </OME>
            """
    }

    private var format: PixelFormat { run.frames.pixelFormat }
    private var metadata: RunMetadata? { run.manifest.metadata }

    private func directories(before image: Int) -> Int {
        images[..<image].reduce(0) { $0 + $1.planes.count * planes.count }
    }

    private var experimenter: String {
        metadata?.operator.map {
            "<Experimenter ID=\"Experimenter:0\" UserName=\"\($0.markup)\"/>\n"
        } ?? ""
    }

    private var instrument: String {
        let camera = run.manifest.camera
        let objective =
            metadata?.objective.map { "<Objective ID=\"Objective:0\" Model=\"\($0.markup)\"/>\n" }
            ?? ""
        return """
            <Instrument ID="Instrument:0">
            <Detector ID="Detector:0" Model="\(camera.name.markup)" SerialNumber="\(camera.id.markup)"/>
            \(objective)</Instrument>

            """
    }

    private func image(_ image: FrameImage, _ index: Int, firstDirectory: Int) -> String {
        let size = image.size(of: run.frames.size)
        let shape = axes.shape
        let name = [run.manifest.recipeName, image.name].filter { !$0.isEmpty }
        let samples = image.samplesPerPixel * image.planes.count
        let operatorLine =
            metadata?.operator == nil ? "" : "<ExperimenterRef ID=\"Experimenter:0\"/>\n"
        let objective =
            metadata?.objective == nil ? "" : "<ObjectiveSettings ID=\"Objective:0\"/>\n"
        return """
            <Image ID="Image:\(index)" Name="\(name.joined(separator: ", ").markup)">
            <AcquisitionDate>\(run.manifest.started.instant.microsecondText)</AcquisitionDate>
            \(operatorLine)<Description>\(description(image).markup)</Description>
            <InstrumentRef ID="Instrument:0"/>
            \(objective)<Pixels ID="Pixels:\(index)" DimensionOrder="XYCZT" \
            Type="\(format.bytesPerSample == 2 ? "uint16" : "uint8")" SignificantBits="\(format.bitsPerSample)" \
            BigEndian="false" Interleaved="true" SizeX="\(size.width)" SizeY="\(size.height)" \
            SizeC="\(shape.c * samples)" SizeZ="\(shape.z)" SizeT="\(shape.t)"\(pixelSize(image))>
            \(channels(image, index))\(tiffData(image, firstDirectory))\(planeElements(image))</Pixels>
            <AnnotationRef ID="Annotation:0"/>
            </Image>

            """
    }

    private func description(_ image: FrameImage) -> String {
        var text =
            "\(format.name) \(run.frames.size), \(format.bitsPerSample) bits, samples as recorded"
        if case .bayer(let pattern) = format.samples {
            text +=
                "; \(image.planes.count > 1 ? "the channels" : "a mosaic") of \(pattern.rawValue), not developed"
        }
        return text + (axes.isGrid ? "" : "; t counts slots, one after the other")
    }

    private func pixelSize(_ image: FrameImage) -> String {
        guard let picometres = metadata?.pixelSize?.picometres, picometres > 0 else { return "" }
        func attribute(_ axis: String, _ factor: Int64) -> String {
            let text = FixedPoint.shortText(picometres * factor, places: 6)
            return " PhysicalSize\(axis)=\"\(text)\" PhysicalSize\(axis)Unit=\"µm\""
        }
        return attribute("X", Int64(image.columnsPerPixel))
            + attribute("Y", Int64(image.rowsPerPixel))
    }

    private func channels(_ image: FrameImage, _ index: Int) -> String {
        axes.channels(of: image).enumerated().map { number, channel in
            var text = "<Channel ID=\"Channel:\(index):\(number)\""
            if !channel.name.isEmpty { text += " Name=\"\(channel.name.markup)\"" }
            text += " SamplesPerPixel=\"\(image.samplesPerPixel)\""
            // Red, green, blue and opacity in a signed number of 32 bits.
            if let colour = channel.colour {
                text += " Color=\"\(Int32(bitPattern: colour << 8 | 0xFF))\""
            }
            return text + "/>\n"
        }.joined()
    }

    private func tiffData(_ image: FrameImage, _ firstDirectory: Int) -> String {
        each(image) { plane, part, directory in
            """
            <TiffData FirstT="\(plane.place.t)" FirstZ="\(plane.place.z)" \
            FirstC="\(channel(plane, image, part) * image.samplesPerPixel)" IFD="\(firstDirectory + directory)" \
            PlaneCount="1"/>

            """
        }
    }

    private func planeElements(_ image: FrameImage) -> String {
        each(image) { plane, part, _ in
            let row = plane.entry.row
            var text = """
                <Plane TheT="\(plane.place.t)" TheZ="\(plane.place.z)" \
                TheC="\(channel(plane, image, part) * image.samplesPerPixel)"
                """
            if let start = row.exposureTime?.start {
                let seconds = FixedPoint.shortText(start.nanoseconds, places: 9)
                text += " DeltaT=\"\(seconds)\" DeltaTUnit=\"s\""
            }
            // What was only asked for is left out.
            if let exposure = row.applied.exposure, exposure > .zero {
                let seconds = FixedPoint.shortText(exposure.nanoseconds, places: 9)
                text += " ExposureTime=\"\(seconds)\" ExposureTimeUnit=\"s\""
            }
            if let lens = row.applied.lensMillionths, lens >= 0 {
                let position = FixedPoint.shortText(lens, places: 6)
                text += " PositionZ=\"\(position)\" PositionZUnit=\"reference frame\""
            }
            return text + "/>\n"
        }
    }

    private func channel(_ plane: ExportedFrame, _ image: FrameImage, _ part: Int) -> Int {
        plane.place.c * image.planes.count + part
    }

    private func each(_ image: FrameImage, _ text: (ExportedFrame, Int, Int) -> String) -> String {
        var (all, directory) = ("", 0)
        for plane in planes {
            for part in image.planes.indices {
                all += text(plane, part, directory)
                directory += 1
            }
        }
        return all
    }
}

extension Instant<Realtime> {
    /// Date and time in UTC to the microsecond, below which XML's readers do not go.
    fileprivate var microsecondText: String { UTCTime(self).text.dropLast(4) + "Z" }
}
