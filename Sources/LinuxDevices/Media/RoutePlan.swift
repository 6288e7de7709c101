/// Which routes a sub-device of the way is to have.
///
/// VIDIOC_SUBDEV_S_ROUTING sets all routes at once and resets the formats of the part, so it is left alone where it
/// will do.
struct RoutePlan {
    /// The step of the way that leads through the part.
    let step: MediaTopology.Step
    /// What the part reports of itself.
    let part: MediaSnapshot.Subdevice
    /// The way of embedded data; nil where they are not wanted or not to be had.
    let metadata: MetadataWay?

    /// The routes to set; nil where those that are there will do.
    var wanted: [SubdeviceRoute]? {
        let wanted = step.sink.map { throughReceiver($0) } ?? throughSensor
        let active = part.routes.filter(\.isActive)
        let isSame =
            wanted.count == active.count
            && wanted.allSatisfy { one in active.contains { $0.joinsSame(as: one) } }
        return isSame ? nil : wanted
    }

    /// The image's route, that of embedded data if they are wanted, and whatever has nothing to do with this sensor.
    private func throughReceiver(_ sink: MediaTopology.Pad) -> [SubdeviceRoute] {
        let source = step.source
        let own = part.routes.first {
            $0.sinkPad == sink.index && $0.sourcePad == source.index
        }
        let image =
            own.map { route in
                var route = route
                route.isActive = true
                return route
            } ?? SubdeviceRoute(sinkPad: sink.index, sourcePad: source.index)
        let lines = metadataRoute
        let pads = [image.sourcePad, lines?.sourcePad]
        let others = part.routes.filter {
            $0.isActive && $0.sinkPad != sink.index && !pads.contains($0.sourcePad)
        }
        return [image] + (lines.map { [$0] } ?? []) + others
    }

    /// The route that takes the sensor's metadata stream to the node's pad; nil where they come on a pad of their own.
    private var metadataRoute: SubdeviceRoute? {
        guard let metadata, let sink = metadata.sink, let source = metadata.source,
            metadata.entity == step.source.entity, metadata.isStream
        else { return nil }
        return SubdeviceRoute(
            sinkPad: metadata.sinkIndex, sinkStream: sink.stream,
            sourcePad: metadata.sourceIndex, sourceStream: source.stream)
    }

    /// All that the sensor has now, and its embedded data if they are wanted.
    private var throughSensor: [SubdeviceRoute] {
        part.routes.compactMap { route in
            var route = route
            if let metadata, metadata.isStream, route.sourcePad == step.source.index,
                route.sourceStream == metadata.sensor.stream
            {
                route.isActive = true
            }
            return route.isActive ? route : nil
        }
    }
}
