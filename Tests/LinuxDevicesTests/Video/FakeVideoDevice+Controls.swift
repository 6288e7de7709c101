import CVideo
import Glibc

extension FakeVideoDevice {
    func answerControl(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        if request == Request.queryControl {
            let query = argument.assumingMemoryBound(to: v4l2_query_ext_ctrl.self)
            let after = query.pointee.id & 0x0fff_ffff
            let next = controls.sorted { $0.id < $1.id }.first { $0.id > after }
            guard query.pointee.id & 0x8000_0000 != 0, let next else { return EINVAL }
            query.pointee.id = next.id
            query.pointee.type = next.type
            query.pointee.flags = next.flags
            query.pointee.minimum = next.range.lowerBound
            query.pointee.maximum = next.range.upperBound
            query.pointee.step = 1
            return 0
        }
        let batch = argument.assumingMemoryBound(to: v4l2_ext_controls.self)
        var written: [(id: UInt32, value: Int64)] = []
        for place in 0..<Int(batch.pointee.count) {
            guard let entry = batch.pointee.controls?.advanced(by: place),
                let index = controls.firstIndex(where: { $0.id == entry.pointee.id })
            else { return EINVAL }
            if request == Request.setControls {
                let isWide = controls[index].type == 5
                let value = isWide ? entry.pointee.value64 : Int64(entry.pointee.value)
                controls[index].value = value
                written.append((entry.pointee.id, value))
            } else if controls[index].type == 5 {
                entry.pointee.value64 = controls[index].value
            } else {
                entry.pointee.value = Int32(controls[index].value)
            }
        }
        if request == Request.setControls { writes.append(written) }
        return 0
    }
}
