extension PixelFormat {
    /// Every pixel format that framelock records, in the order in which they are listed to people.
    ///
    /// Source of names, codes and layouts: the kernel's V4L2 pixel format pages and `linux/videodev2.h`.
    public static let known: [PixelFormat] = [
        PixelFormat("GREY", "GREY", .mono, bits: 8),
        PixelFormat("Y10", "Y10 ", .mono, bits: 10),
        PixelFormat("Y12", "Y12 ", .mono, bits: 12),
        PixelFormat("Y16", "Y16 ", .mono, bits: 16),
        PixelFormat("Y10P", "Y10P", .mono, bits: 10, packing: .csi2),
        PixelFormat("Y12P", "Y12P", .mono, bits: 12, packing: .csi2),
        PixelFormat("SRGGB8", "RGGB", .bayer(.rggb), bits: 8),
        PixelFormat("SGRBG8", "GRBG", .bayer(.grbg), bits: 8),
        PixelFormat("SGBRG8", "GBRG", .bayer(.gbrg), bits: 8),
        PixelFormat("SBGGR8", "BA81", .bayer(.bggr), bits: 8),
        PixelFormat("SRGGB10", "RG10", .bayer(.rggb), bits: 10),
        PixelFormat("SGRBG10", "BA10", .bayer(.grbg), bits: 10),
        PixelFormat("SGBRG10", "GB10", .bayer(.gbrg), bits: 10),
        PixelFormat("SBGGR10", "BG10", .bayer(.bggr), bits: 10),
        PixelFormat("SRGGB12", "RG12", .bayer(.rggb), bits: 12),
        PixelFormat("SGRBG12", "BA12", .bayer(.grbg), bits: 12),
        PixelFormat("SGBRG12", "GB12", .bayer(.gbrg), bits: 12),
        PixelFormat("SBGGR12", "BG12", .bayer(.bggr), bits: 12),
        PixelFormat("SRGGB16", "RG16", .bayer(.rggb), bits: 16),
        PixelFormat("SGRBG16", "GR16", .bayer(.grbg), bits: 16),
        PixelFormat("SGBRG16", "GB16", .bayer(.gbrg), bits: 16),
        PixelFormat("SBGGR16", "BYR2", .bayer(.bggr), bits: 16),
        PixelFormat("SRGGB10P", "pRAA", .bayer(.rggb), bits: 10, packing: .csi2),
        PixelFormat("SGRBG10P", "pgAA", .bayer(.grbg), bits: 10, packing: .csi2),
        PixelFormat("SGBRG10P", "pGAA", .bayer(.gbrg), bits: 10, packing: .csi2),
        PixelFormat("SBGGR10P", "pBAA", .bayer(.bggr), bits: 10, packing: .csi2),
        PixelFormat("SRGGB12P", "pRCC", .bayer(.rggb), bits: 12, packing: .csi2),
        PixelFormat("SGRBG12P", "pgCC", .bayer(.grbg), bits: 12, packing: .csi2),
        PixelFormat("SGBRG12P", "pGCC", .bayer(.gbrg), bits: 12, packing: .csi2),
        PixelFormat("SBGGR12P", "pBCC", .bayer(.bggr), bits: 12, packing: .csi2),
        PixelFormat("YUYV", "YUYV", .yuv422(lumaFirst: true), bits: 8),
        PixelFormat("UYVY", "UYVY", .yuv422(lumaFirst: false), bits: 8),
        PixelFormat("RGB24", "RGB3", .rgb, bits: 8),
    ]

    /// The format of a recipe's name, for example `SRGGB12`; nil if framelock does not record it.
    public static func named(_ name: String) -> PixelFormat? {
        known.first { $0.name == name }
    }

    /// The format of a V4L2 code; nil if framelock does not record it.
    public static func coded(_ fourCC: UInt32) -> PixelFormat? {
        known.first { $0.fourCC == fourCC }
    }
}
