package io.runledger.console.picture.graph

import org.eclipse.elk.alg.layered.LayeredLayoutProvider
import org.eclipse.elk.alg.layered.options.FixedAlignment
import org.eclipse.elk.alg.layered.options.LayeredOptions
import org.eclipse.elk.alg.layered.options.NodePlacementStrategy
import org.eclipse.elk.alg.layered.options.OrderingStrategy
import org.eclipse.elk.core.data.LayoutMetaDataService
import org.eclipse.elk.core.math.ElkPadding
import org.eclipse.elk.core.options.Direction
import org.eclipse.elk.core.options.EdgeRouting
import org.eclipse.elk.core.options.PortConstraints
import org.eclipse.elk.core.options.PortSide
import org.eclipse.elk.core.util.NullElkProgressMonitor
import org.eclipse.elk.graph.ElkEdge
import org.eclipse.elk.graph.ElkNode
import org.eclipse.elk.graph.ElkPort
import org.eclipse.elk.graph.util.ElkGraphUtil

/**
 * Places boxes in layers from left to right, with the layered algorithm of ELK. The same request always has the same layout.
 *
 * The algorithm is called directly: ELK's engine, which finds algorithms by service loading, and its registry of options are not
 * needed for one algorithm whose options are set here.
 */
internal object LayeredLayout {
    private const val FEW_BOXES = 40

    init {
        LayoutMetaDataService.initElkReflect()
    }

    fun place(request: LayoutRequest): Layout {
        val graph = ElkGraphUtil.createGraph()
        configure(graph, request.sizes.size)
        val boxes = request.sizes.map { size ->
            ElkGraphUtil.createNode(graph).apply {
                setDimensions(size.width.toDouble(), size.height.toDouble())
                setProperty(LayeredOptions.PORT_CONSTRAINTS, PortConstraints.FIXED_SIDE)
            }
        }
        val shared = SharedEnds(request.arrows)
        val ends = HashMap<Any, ElkPort>()
        fun end(key: Any, box: Int, side: PortSide): ElkPort = ends.getOrPut(key) {
            ElkGraphUtil.createPort(boxes[box]).apply { setProperty(LayeredOptions.PORT_SIDE, side) }
        }
        val edges = request.arrows.mapIndexed { place, arrow ->
            ElkGraphUtil.createSimpleEdge(
                end(shared.start(place), arrow.from, PortSide.EAST),
                end(shared.end(place), arrow.to, PortSide.WEST),
            )
        }
        LayeredLayoutProvider().layout(graph, NullElkProgressMonitor())
        return Layout(graph.width, graph.height, boxes.map { Point(it.x, it.y) }, edges.map(::points))
    }

    private fun configure(graph: ElkNode, boxes: Int) {
        graph.setProperty(LayeredOptions.DIRECTION, Direction.RIGHT)
        graph.setProperty(LayeredOptions.EDGE_ROUTING, EdgeRouting.ORTHOGONAL)
        graph.setProperty(LayeredOptions.PADDING, ElkPadding(16.0))
        graph.setProperty(LayeredOptions.SPACING_NODE_NODE, 24.0)
        graph.setProperty(LayeredOptions.SPACING_EDGE_NODE, 16.0)
        graph.setProperty(LayeredOptions.SPACING_EDGE_EDGE, 12.0)
        graph.setProperty(LayeredOptions.SPACING_PORT_PORT, 12.0)
        graph.setProperty(LayeredOptions.SPACING_COMPONENT_COMPONENT, 32.0)
        graph.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, 64.0)
        graph.setProperty(LayeredOptions.SPACING_EDGE_NODE_BETWEEN_LAYERS, 20.0)
        graph.setProperty(LayeredOptions.SPACING_EDGE_EDGE_BETWEEN_LAYERS, 12.0)
        graph.setProperty(LayeredOptions.RANDOM_SEED, 1)
        graph.setProperty(LayeredOptions.CONSIDER_MODEL_ORDER_STRATEGY, OrderingStrategy.NODES_AND_EDGES)
        if (boxes <= FEW_BOXES) {
            graph.setProperty(LayeredOptions.NODE_PLACEMENT_STRATEGY, NodePlacementStrategy.BRANDES_KOEPF)
            graph.setProperty(LayeredOptions.NODE_PLACEMENT_BK_FIXED_ALIGNMENT, FixedAlignment.BALANCED)
        } else {
            // The balanced placement puts prerequisites in the middle of their dependents, but makes pictures of many boxes
            // several times as high.
            graph.setProperty(LayeredOptions.NODE_PLACEMENT_STRATEGY, NodePlacementStrategy.LINEAR_SEGMENTS)
        }
    }

    private fun points(edge: ElkEdge): List<Point> {
        val section = edge.sections.first()
        return listOf(Point(section.startX, section.startY)) +
            section.bendPoints.map { Point(it.x, it.y) } +
            Point(section.endX, section.endY)
    }
}
