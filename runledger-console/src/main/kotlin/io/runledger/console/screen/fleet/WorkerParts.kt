package io.runledger.console.screen.fleet

import io.runledger.console.page.mono
import io.runledger.console.page.picture
import io.runledger.console.page.state
import io.runledger.console.picture.Gauge
import io.runledger.console.picture.PictureOptions
import io.runledger.console.picture.Tone
import io.runledger.model.fleet.Worker
import kotlinx.html.FlowContent
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.span
import kotlinx.html.summary

internal fun FlowContent.workerState(worker: Worker) =
    if (worker.isLost) span("state state-lost") { +"lost" } else state(worker.state())

/** How many handlers run, how many jobs wait for one, and how many slots are free. */
internal fun FlowContent.slots(worker: Worker) {
    val busy = worker.busySlots().toLong()
    val held = worker.heldJobs().toLong()
    val parts = listOf(Gauge.Part("busy", Tone.RUNNING, busy), Gauge.Part("held", Tone.WAITING, held))
    picture(Gauge("Slots of ${worker.workerId()}", parts, worker.slots().toLong()).svg(options))
    div("note") {
        +"$busy of ${worker.slots()} busy, ${(worker.slots() - busy).coerceAtLeast(0)} free"
        if (held > 0) +", $held held"
    }
}

/** A few names, and the others on demand. */
internal fun FlowContent.names(names: List<String>) {
    names.take(FEW).forEach { name -> div { mono(name) } }
    if (names.size <= FEW) return
    details {
        summary { +"${names.size - FEW} more" }
        names.drop(FEW).take(MANY).forEach { name -> div { mono(name) } }
    }
}

private val options = PictureOptions.builder().width(140).build()

private const val FEW = 3
private const val MANY = 200
