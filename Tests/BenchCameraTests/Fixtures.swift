import BenchCameraModel

/// A camera with one small mode, YUYV 320×240 at 30 frames per second.
func smallCamera(layout: PixelLayout = .yuyv, rate: Int = 30) throws -> CameraOptions {
    CameraOptions(
        catalog: try StreamCatalog(
            layouts: [layout], sizes: [PictureSize(width: 320, height: 240)], rates: [rate],
            speed: .high))
}

/// The frame period of that camera.
let periodNanoseconds: Int64 = 33_333_300
