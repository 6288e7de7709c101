import Glibc
import Testing

@testable import Engine

struct MemoryPagesTests {
    @Test(arguments: [(4_096, 2 << 20), (16_384, 32 << 20), (65_536, 512 << 20)])
    func `a huge page is what one page of a page table maps`(size: Int, huge: Int) {
        #expect(MemoryPages(size: size).hugeSize == huge)
    }

    @Test func `memory begins at a huge page only if it can hold one`() {
        let pages = MemoryPages(size: 16_384)
        #expect(pages.alignment(of: 4_096) == 16_384)
        #expect(pages.alignment(of: (32 << 20) - 1) == 16_384)
        #expect(pages.alignment(of: 32 << 20) == 32 << 20)
        #expect(pages.alignment(of: 1 << 30) == 32 << 20)
    }

    @Test func `this machine's pages are the kernel's`() {
        #expect(MemoryPages.here.size == sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test(arguments: [4_096, 4_096 * 1_100])
    func `buffers lie where the disk and the kernel can take them`(byteCount: Int) throws {
        let pool = FramePool(count: 2, byteCount: byteCount)
        let start = try #require(pool.bytes(0).baseAddress)
        let second = try #require(pool.bytes(1).baseAddress)
        let alignment = MemoryPages.here.alignment(of: 2 * byteCount)
        #expect(Int(bitPattern: start) % alignment == 0)
        #expect(second - start == byteCount)
        #expect(pool.bytes(1).allSatisfy { $0 == 0 })
    }
}
