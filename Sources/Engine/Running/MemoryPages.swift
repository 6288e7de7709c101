internal import Glibc

/// The sizes of the kernel's pages: 4 KiB on a PC and most boards, 16 KiB on a Raspberry Pi 5, 64 KiB elsewhere.
///
/// ``FramePool`` aligns its memory by it.
struct MemoryPages: Hashable {
    /// Bytes of a page, a power of two.
    let size: Int

    /// This machine's.
    static let here = MemoryPages(size: max(4_096, sysconf(Int32(_SC_PAGESIZE))))

    /// Bytes of a huge page: what one page of a page table maps, whose entries have 8 bytes.
    ///
    /// 2 MiB for pages of 4 KiB, 32 MiB for 16 KiB, 512 MiB for 64 KiB, on x86-64 and arm64 alike.
    var hugeSize: Int { size * (size / 8) }

    /// Where memory of so many bytes begins best: at a huge page if it can hold one, else at a page.
    func alignment(of byteCount: Int) -> Int { byteCount >= hugeSize ? hugeSize : size }
}
