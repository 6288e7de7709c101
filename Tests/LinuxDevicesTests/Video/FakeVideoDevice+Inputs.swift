import CVideo
import Glibc

extension FakeVideoDevice {
    func answerInput(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard !inputs.isEmpty else { return ENOTTY }
        switch request {
        case Request.enumInput:
            let query = argument.assumingMemoryBound(to: v4l2_input.self)
            guard inputs.indices.contains(Int(query.pointee.index)) else { return EINVAL }
            let input = inputs[Int(query.pointee.index)]
            copyText(input.name, to: &query.pointee.name)
            query.pointee.capabilities = input.hasTimings ? 2 : 0
        case Request.getInput:
            argument.assumingMemoryBound(to: Int32.self).pointee = selectedInput
        case Request.setInput:
            selectedInput = argument.assumingMemoryBound(to: Int32.self).pointee
        default: return answerTimings(request, argument)
        }
        return 0
    }

    private func answerTimings(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard inputs[Int(selectedInput)].hasTimings else { return ENODATA }
        let query = argument.assumingMemoryBound(to: v4l2_dv_timings.self)
        switch request {
        case Request.enumTimings:
            let list = argument.assumingMemoryBound(to: v4l2_enum_dv_timings.self)
            guard timings.indices.contains(Int(list.pointee.index)) else { return EINVAL }
            list.pointee.timings = timings[Int(list.pointee.index)]
        case Request.queryTimings:
            guard let sourceTimings else { return ENOLINK }
            query.pointee =
                sourceFollows && currentTimings.bt.width > 0
                ? currentTimings : sourceTimings
        case Request.setTimings: currentTimings = query.pointee
        default: query.pointee = currentTimings
        }
        return 0
    }
}
