package io.runledger.model.render

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.workflow.Input
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus

private fun using(name: String): WorkflowRequest {
    val order = WorkflowRequest.builder("orders")
    val charged = order.job("charge")
    order.job("ship") { it.uses(charged, Input.json(name)) }
    return order.build()
}

class InputLabelsSpec :
    FunSpec({
        test("an edge that carries an input says its name, in a definition and in a run") {
            val order = using("receipt")

            WorkflowGraph.of(order).tree() shouldBe "orders\n└─ charge\n   └─ (receipt) ship\n"
            WorkflowGraph.of(order).mermaid() shouldContain "    s0 -->|\"receipt\"| s1\n"
            WorkflowGraph.of(order).dot() shouldContain "    s0 -> s1 [label=\"receipt\"];\n"
            val story = storyOf(order, WorkflowRunStatus.RUNNING) { WorkflowStepStatus.RUNNING }
            WorkflowGraph.of(story).mermaid() shouldContain "    s0 -->|\"receipt\"| s1\n"
        }

        test("a name stays inside its label") {
            val order = using("""a"|b [c] end""")

            WorkflowGraph.of(order).tree() shouldContain """(a"|b [c] end") ship""".replace("(a\"", "(\"a\\\"")
            WorkflowGraph.of(order).mermaid() shouldContain """s0 -->|"a#34;#124;b#32;#91;c#93;#32;end"| s1"""
            WorkflowGraph.of(order).dot() shouldContain """[label="a\"|b [c] end"]"""
        }
    })
