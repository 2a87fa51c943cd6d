package io.runledger.console.screen.job

import io.runledger.console.action.releaseOrderAction
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.screen.flow.limitPath
import io.runledger.console.screen.flow.queuePath
import io.runledger.console.visit.Visit
import io.runledger.console.visit.seesFleet
import io.runledger.model.job.Job
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.section

/** The queue, the limits, the order and the share of the job, if it has any. */
internal fun FlowContent.flow(visit: Visit, job: Job) {
    val flow = job.flow()
    if (flow.isEmpty) return
    section {
        h2 { +"Queue, limits, order and share" }
        facts {
            flow.queue()?.let { queue -> fact("Queue") { link(visit, queuePath(queue), queue) } }
            if (flow.limitKeys().isNotEmpty()) fact("Limits") { flow.limitKeys().forEach { div { limit(visit, it) } } }
            flow.orderKey()?.let { order -> fact("Order") { mono(order) } }
            flow.shareKey()?.let { share -> fact("Share") { mono(share) } }
        }
        releaseOrderAction(visit, job)
    }
}

/** The name of a limit, and the key behind the first colon. */
private fun FlowContent.limit(visit: Visit, limitKey: String) {
    val name = limitKey.substringBefore(':')
    link(visit, limitPath(name), name)
    if (':' in limitKey) {
        +" for "
        mono(limitKey.substringAfter(':'))
    }
}

/** A link for users who see the page of what all organizations share. */
private fun FlowContent.link(visit: Visit, path: String, name: String) {
    if (visit.seesFleet) a(href = visit.link(path)) { mono(name) } else mono(name)
}
