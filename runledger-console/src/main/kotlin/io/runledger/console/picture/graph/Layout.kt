package io.runledger.console.picture.graph

import io.runledger.model.workflow.ReleaseMode

/** What a layout needs to know of a graph. Two graphs that are equal here have the same layout, whatever their states are. */
internal data class LayoutRequest(val sizes: List<Size>, val arrows: List<Arrow>)

internal data class Size(val width: Int, val height: Int)

/** A line between two boxes, by their indexes. */
internal data class Arrow(val from: Int, val to: Int, val mode: ReleaseMode)

/**
 * The places of boxes and lines.
 *
 * @property boxes the upper left corners, in the order of the request
 * @property lines the points of each line from its beginning to its end, in the order of the request
 */
internal class Layout(val width: Double, val height: Double, val boxes: List<Point>, val lines: List<List<Point>>)

internal data class Point(val x: Double, val y: Double)
