internal import Imaging
internal import Timebase

extension StillMetadata {
    /// The tags of the EXIF directory, ascending by number as TIFF 6.0 asks for.
    ///
    /// What is nil, 0 or empty is left out, so that a reader never takes a default for a measurement. The exception is
    /// the bias: 0 EV is written. Times are UTC, so their offset tags are always `+00:00`; sub-seconds have nine
    /// digits. Exposure, f-number and bias go to libtiff as doubles, which it writes as rationals.
    ///
    /// - Parameters:
    ///   - file: the kind of file: of a JPEG EXIF wants to know more, and of a TIFF less.
    ///   - size: of the picture, after development; it becomes PixelXDimension and PixelYDimension.
    ///   - channels: 1 or 3.
    func exifTags(
        for file: StillFormat, size: FrameSize, channels: Int
    ) -> [(TIFFTag, TIFFValue)] {
        var tags: [(TIFFTag, TIFFValue)] = []
        if let exposure, exposure > .zero {
            tags.append((.exposureTime, .real(Double(exposure.nanoseconds) / 1e9)))
        }
        if let apertureThousandths {
            tags.append((.fNumber, .real(Double(apertureThousandths) / 1_000)))
        }
        // Programme: 0 not defined, 1 manual, 2 normal.
        tags.append(
            (.exposureProgram, .short(exposureMode.map { $0 == .manual ? 1 : 2 } ?? 0)))
        if let iso, iso > 0 {
            // EXIF: 65,535 stands for more than fits; the whole number is then in ISOSpeed alone.
            tags.append((.photographicSensitivity, .shorts([UInt16(clamping: iso)])))
            // 3: what follows is the ISO speed.
            tags.append((.sensitivityType, .short(3)))
            tags.append((.isoSpeed, .long(UInt32(clamping: iso))))
        }
        tags.append((.exifVersion, .bytes(Array("0232".utf8))))
        let clock = time.map { UTCTime($0) }
        if let clock {
            tags.append((.dateTimeOriginal, .text(clock.exifText)))
            tags.append((.dateTimeDigitized, .text(clock.exifText)))
            tags += [.offsetTime, .offsetTimeOriginal, .offsetTimeDigitized]
                .map { ($0, .text("+00:00")) }
        }
        if file == .jpeg {
            // Y, Cb, Cr; of grey Y alone.
            tags.append(
                (.componentsConfiguration, .bytes(channels == 1 ? [1, 0, 0, 0] : [1, 2, 3, 0])))
        }
        tags.append((.exposureBias, .real(Double(biasThousandths) / 1_000)))
        tags.append((.meteringMode, .short(metering.rawValue)))
        if !summary.isEmpty {
            // A comment begins with the name of its character set. (Not ImageDescription: it would stand at the end of
            // the file, where Debian's dcraw reads beyond it and gives up.)
            let text = Array("ASCII".utf8) + [0, 0, 0] + Array(Self.ascii(summary).utf8)
            tags.append((.userComment, .bytes(text)))
        }
        if let clock {
            tags += [.subSecondTime, .subSecondTimeOriginal, .subSecondTimeDigitized]
                .map { ($0, .text(clock.nanosecondDigits)) }
        }
        tags.append((.flashpixVersion, .bytes(Array("0100".utf8))))
        // 1: sRGB, by which a development is to be shown; raw samples have none.
        tags.append((.colourSpace, .short(file == .dng ? 65_535 : 1)))
        if file != .tiff {
            tags.append((.pixelXDimension, .long(UInt32(size.width))))
            tags.append((.pixelYDimension, .long(UInt32(size.height))))
        }
        // 0 automatic, 1 manual.
        for (tag, mode) in [(TIFFTag.exposureMode, exposureMode), (.whiteBalance, whiteBalance)] {
            if let mode { tags.append((tag, .short(mode == .manual ? 1 : 0))) }
        }
        return tags
    }

    /// The tags of the main directory that are about the picture as a whole.
    ///
    /// `DateTime` is the start of the exposure too, since the file has no other time of its own. Orientation is always
    /// written: pixels stay as the sensor gave them.
    ///
    /// The resolution is EXIF's for pictures that have none: 72 pixels an inch.
    var mainTags: [(TIFFTag, TIFFValue)] {
        var tags: [(TIFFTag, TIFFValue)] = []
        if !make.isEmpty { tags.append((.make, .text(Self.ascii(make)))) }
        if !model.isEmpty { tags.append((.model, .text(Self.ascii(model)))) }
        tags.append((.orientation, .short(UInt16(orientation.exif))))
        tags += [
            (.xResolution, .real(72)), (.yResolution, .real(72)), (.resolutionUnit, .short(2)),
        ]
        if !software.isEmpty { tags.append((.software, .text(Self.ascii(software)))) }
        if let time { tags.append((.dateTime, .text(UTCTime(time).exifText))) }
        return tags
    }

    /// Text as EXIF's and TIFF's type ASCII has it: at most 1,000 characters; all but 32…126 become question marks.
    static func ascii(_ text: String) -> String {
        String(
            text.prefix(1_000).map { character in
                character.asciiValue.map { (32...126).contains($0) } == true ? character : "?"
            })
    }
}

extension UTCTime {
    /// The time as EXIF writes it, `2026:11:20 14:03:22`: colons in the date too, and no time zone.
    fileprivate var exifText: String {
        date.split(separator: "-").joined(separator: ":") + " " + time
    }

    /// Nine digits behind the second, with leading zeros: EXIF reads `SubSecTime` as a decimal fraction.
    fileprivate var nanosecondDigits: String {
        String(String(1_000_000_000 + nanoseconds).dropFirst())
    }
}
