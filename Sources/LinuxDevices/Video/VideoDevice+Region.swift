internal import CVideo
internal import Devices
internal import Imaging

extension VideoDevice {
    /// Makes the device crop to a region of its image; nil makes it deliver all of it.
    ///
    /// Called before the format is set; ``checkRegion(_:)`` sees afterwards that the driver kept it.
    ///
    /// - Throws: ``DeviceError`` if a region is asked and the device can't crop to exactly that.
    func setRegion(_ region: FrameRegion?) throws(DeviceError) {
        guard let region else {
            // A region left by another program would crop in silence; a device that can't crop has none.
            if let whole = selection(UInt32(V4L2_SEL_TGT_CROP_DEFAULT)) {
                _ = select(UInt32(V4L2_SEL_TGT_CROP), whole)
            }
            return
        }
        var rectangle = v4l2_rect()
        rectangle.left = Int32(clamping: region.left)
        rectangle.top = Int32(clamping: region.top)
        rectangle.width = UInt32(region.size.width)
        rectangle.height = UInt32(region.size.height)
        switch select(UInt32(V4L2_SEL_TGT_CROP), rectangle) {
        case .failure(let error):
            throw DeviceError(
                .unsupported,
                "\(subject) can't deliver a region (\(error)); leave `region` out")
        case .success(let given):
            guard same(given, rectangle) else {
                throw DeviceError(.unsupported, regionMismatch(region, given))
            }
        }
    }

    /// Sees that a region survived setting the format, and that the driver does not scale it.
    ///
    /// Without a region any size that the device offers is one of its own modes, binned ones included.
    func checkRegion(_ region: FrameRegion?) throws(DeviceError) {
        guard let region, let crop = selection(UInt32(V4L2_SEL_TGT_CROP)) else { return }
        let isKept =
            Int(crop.left) == region.left && Int(crop.top) == region.top
            && Int(crop.width) == region.size.width && Int(crop.height) == region.size.height
        guard isKept else { throw DeviceError(.unsupported, regionMismatch(region, crop)) }
    }

    /// Sets a rectangle, and returns what the driver made of it (VIDIOC_S_SELECTION).
    private func select(_ target: UInt32, _ rectangle: v4l2_rect) -> Result<v4l2_rect, KernelError>
    {
        var request = v4l2_selection()
        // Selections always use the single-planar type (V4L2, "Selection API").
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.target = target
        request.r = rectangle
        if let error = KernelError(result: fl_s_selection(descriptor, &request)) {
            return .failure(error)
        }
        return .success(request.r)
    }

    /// A rectangle of the device; nil where it has none of that kind (VIDIOC_G_SELECTION).
    private func selection(_ target: UInt32) -> v4l2_rect? {
        var request = v4l2_selection()
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.target = target
        return fl_g_selection(descriptor, &request) >= 0 ? request.r : nil
    }

    /// Compared by members, since C structures have no `==` in Swift.
    private func same(_ a: v4l2_rect, _ b: v4l2_rect) -> Bool {
        a.left == b.left && a.top == b.top && a.width == b.width && a.height == b.height
    }

    private func text(_ rectangle: v4l2_rect) -> String {
        "\(rectangle.width)x\(rectangle.height)+\(rectangle.left)+\(rectangle.top)"
    }

    /// The message for a region that came out otherwise, with the bounds if the device reports them.
    private func regionMismatch(_ region: FrameRegion, _ given: v4l2_rect) -> String {
        let bounds = selection(UInt32(V4L2_SEL_TGT_CROP_BOUNDS)).map { " within \(text($0))" } ?? ""
        return "\(subject) can't deliver the region \(region), the nearest is "
            + "\(text(given))\(bounds)"
    }
}
