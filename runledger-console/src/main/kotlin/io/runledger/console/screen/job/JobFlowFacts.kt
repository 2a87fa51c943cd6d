package io.runledger.console.screen.job

import io.runledger.console.action.releaseOrderAction
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.screen.flow.limitPath
import io.runledger.console.screen.flow.queuePath
import io.runledger.console.visit.Visit
import io.runledger.console.visit.seesFleet
import io.runledger.model.flow.AfterDeadLetter
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.section

/** The queue, the limits, the order and the share of the job, if it has any. */
internal fun FlowContent.flow(visit: Visit, view: JobView) {
    val flow = view.flow
    if (flow.isEmpty) return
    section {
        h2 { +"Queue, limits, order and share" }
        facts {
            flow.queue()?.let { queue -> fact("Queue") { link(visit, queuePath(queue), queue) } }
            if (flow.limits().isNotEmpty()) {
                fact("Limits") {
                    flow.limits().forEach { limit ->
                        div {
                            link(visit, limitPath(limit.name()), limit.name())
                            limit.key()?.let { key ->
                                +" for "
                                mono(key)
                            }
                        }
                    }
                }
            }
            flow.order()?.let { order ->
                fact("Order") {
                    mono(order)
                    val isHeld = flow.afterDeadLetter() == AfterDeadLetter.HOLD
                    +if (isHeld) ", held by a dead letter" else ", goes on after a dead letter"
                }
            }
            flow.share()?.let { share -> fact("Share") { mono(share) } }
        }
        releaseOrderAction(visit, view.job, flow)
    }
}

/** A link for users who see the page of what all organizations share. */
private fun FlowContent.link(visit: Visit, path: String, name: String) {
    if (visit.seesFleet) a(href = visit.link(path)) { mono(name) } else mono(name)
}
