package io.runledger.model.render

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.repositoryFile
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration

private val orders: WorkflowRequest = WorkflowRequest.builder("orders.fulfil").let { order ->
    val charged = order.job("charge") { it.runs("orders.charge", null) }
    val approved = order.externalGate("approval") { it.after(charged).expiresAfter(Duration.ofDays(3)) }
    val picked = listOf("lamp", "desk", "chair").map { item ->
        order.job("pick-$item") { it.runs("orders.pick", null).after(approved) }
    }
    val shipped = order.job("ship") { it.runs("orders.ship", null).after(picked) }
    order.job("refund") { it.runs("orders.refund", null).after(charged, approved.onFailure()) }
    order.result(shipped).build()
}

private val reports: WorkflowRequest = WorkflowRequest.builder("reports \"daily\"").let { report ->
    val sources = listOf("crawl [north]", "crawl [south]").map { key -> report.job(key) { it.runs("crawl", null) } }
    val merged = report.job("merge") { it.after(sources.map { source -> source.onTerminal() }) }
    val read = report.externalGate("read by 2 people") { it.after(merged) }
    report.job("publish") { it.after(read) }
    report.job("alarm") { it.after(sources[1].onFailure()) }
    report.build()
}

private val standing = mapOf(
    "crawl [north]" to WorkflowStepStatus.SUCCEEDED,
    "crawl [south]" to WorkflowStepStatus.FAILED,
    "merge" to WorkflowStepStatus.SUCCEEDED,
    "read by 2 people" to WorkflowStepStatus.WAITING_FOR_EXTERNAL,
    "publish" to WorkflowStepStatus.BLOCKED,
    "alarm" to WorkflowStepStatus.RUNNING,
)

class GoldenPicturesSpec :
    FunSpec({
        val pictures = mapOf(
            "orders" to WorkflowGraph.of(orders),
            "reports" to WorkflowGraph.of(storyOf(reports, WorkflowRunStatus.RUNNING) { standing.getValue(it.key()) }),
        )

        for ((name, graph) in pictures) {
            test("$name look as they always looked") {
                val drawn = mapOf(
                    "mmd" to graph.mermaid(),
                    "dot" to graph.dot(),
                    "txt" to graph.tree(),
                    "ascii.txt" to graph.asciiTree(),
                )

                drawn.forEach { (kind, text) ->
                    val path = "runledger-model/src/test/resources/io/runledger/model/render/$name.$kind"
                    withClue("$path; if the change is meant, put the new text there") { text shouldBe repositoryFile(path) }
                }
            }
        }
    })
