/// The tags that stills carry, by the numbers of TIFF 6.0, EXIF 2.32 and DNG 1.4.
///
/// Those of the CFA (33421, 33422) come from TIFF/EP, ISO 12234-2, from which DNG took them. The blank lines part the
/// main directory, the EXIF directory, and what DNG adds to the main one.
enum TIFFTag: UInt32 {
    case newSubfileType = 254
    case imageWidth = 256
    case imageLength = 257
    case bitsPerSample = 258
    case compression = 259
    case photometric = 262
    case make = 271
    case model = 272
    case orientation = 274
    case samplesPerPixel = 277
    case rowsPerStrip = 278
    case xResolution = 282
    case yResolution = 283
    case planarConfiguration = 284
    case resolutionUnit = 296
    case software = 305
    case dateTime = 306
    case predictor = 317
    case chromaPositioning = 531
    case cfaRepeatPatternDimension = 33421
    case cfaPattern = 33422

    case exposureTime = 33434
    case fNumber = 33437
    case exposureProgram = 34850
    case photographicSensitivity = 34855
    case sensitivityType = 34864
    case isoSpeed = 34867
    case exifVersion = 36864
    case dateTimeOriginal = 36867
    case dateTimeDigitized = 36868
    case offsetTime = 36880
    case offsetTimeOriginal = 36881
    case offsetTimeDigitized = 36882
    case componentsConfiguration = 37121
    case exposureBias = 37380
    case meteringMode = 37383
    case userComment = 37510
    case subSecondTime = 37520
    case subSecondTimeOriginal = 37521
    case subSecondTimeDigitized = 37522
    case flashpixVersion = 40960
    case colourSpace = 40961
    case pixelXDimension = 40962
    case pixelYDimension = 40963
    case exposureMode = 41986
    case whiteBalance = 41987

    case dngVersion = 50706
    case dngBackwardVersion = 50707
    case uniqueCameraModel = 50708
    case cfaPlaneColour = 50710
    case cfaLayout = 50711
    case blackLevelRepeatDimension = 50713
    case blackLevel = 50714
    case whiteLevel = 50717
    case colourMatrix1 = 50721
    case asShotNeutral = 50728
    case cameraSerialNumber = 50735
    case calibrationIlluminant1 = 50778
}

/// What a tag holds, in the type in which libtiff takes it for that tag.
///
/// Not the type in the file: a `real` is written as a rational where TIFF has one, an array of `reals` too.
enum TIFFValue {
    case short(UInt16)
    case long(UInt32)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    case shorts([UInt16])
    case longs([UInt32])
    case reals([Float])
}
