package io.runledger.model.render

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.property.checkAll
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus

private val step = Regex("""    (s\d+)(?:\["([^"]*)"]|\{\{"([^"]*)"}})(:::\w+)?""")
private val edge = Regex("""    (s\d+) (-->|-\.->)(?:\|(on \w+)\|)? (s\d+)""")

/** Reads a chart back as Mermaid does, or fails on a line that is neither a step nor an edge nor a class. */
private fun seenIn(chart: String): Seen {
    val lines = chart.lines().dropLast(1).drop(1).filterNot { it.startsWith("    classDef ") }
    val keys = lines.mapNotNull(step::matchEntire).associate { match ->
        val (id, job, gate) = match.destructured
        id to keyShown((job + gate).substringBefore("<br/>"))
    }
    val edges = lines.filterNot(step::matches).map { line ->
        val (from, _, label, to) = checkNotNull(edge.matchEntire(line)) { line }.destructured
        Triple(keys.getValue(from), keys.getValue(to), modeOf(label))
    }
    return Seen(keys.values.sorted(), edges.toSet())
}

private fun keyShown(label: String) = visible(
    Regex("""#(\d+);""").replace(label) {
        Character.toString(it.groupValues[1].toInt())
    },
)

class MermaidSpec :
    FunSpec({
        test("every step and every edge of any workflow is drawn, whatever its keys contain") {
            checkAll(200, hostileWorkflows()) { workflow ->
                seenIn(WorkflowGraph.of(workflow).mermaid()) shouldBe seenIn(workflow)
            }
        }

        test("a key can neither leave its label nor become markup") {
            val workflow = workflow("t", listOf(JobStep.builder("""a"]-->b["<i>1. #35; style:a#b""").build()))

            val chart = WorkflowGraph.of(workflow).mermaid()

            chart shouldContain """s0["a#34;#93;#45;#45;#62;b#91;#34;#60;i#62;1#46;#32;#35;35#59;#32;style#58;a#35;b"]"""
        }

        test("a definition has no colours, a run has those of its statuses and no others") {
            val workflow = workflow("t", listOf("a", "b").map { JobStep.builder(it).build() })

            WorkflowGraph.of(workflow).mermaid() shouldNotContain "classDef"
            val run = storyOf(workflow, WorkflowRunStatus.RUNNING) { WorkflowStepStatus.FAILED }
            val chart = WorkflowGraph.of(run).mermaid()
            chart shouldContain """s1["b<br/>failed"]:::failed"""
            chart.lines().count { "classDef" in it } shouldBe 1
        }

        test("a gate has a shape of its own, and a condition is written on its edge") {
            val workflow = WorkflowRequest.builder("t")
            val gate = workflow.externalGate("approval")
            workflow.job("ship") { it.after(gate) }
            workflow.job("refund") { it.after(gate.onFailure()) }
            workflow.job("tidy") { it.after(gate.onTerminal()) }

            WorkflowGraph.of(workflow.build()).mermaid() shouldBe
                """
                flowchart TD
                    s0{{"approval<br/>gate"}}
                    s1["ship"]
                    s2["refund"]
                    s3["tidy"]
                    s0 --> s1
                    s0 -.->|on failure| s2
                    s0 -->|on terminal| s3

                """.trimIndent()
        }
    })

/** Reads the condition of an edge back. */
internal fun modeOf(label: String): ReleaseMode = when (label) {
    "" -> ReleaseMode.ON_SUCCESS
    "on terminal" -> ReleaseMode.ON_TERMINAL
    "on failure" -> ReleaseMode.ON_FAILURE
    else -> error(label)
}

/** Reads the character codes of invisible characters back. */
internal fun visible(text: String): String =
    Regex("""\\u([0-9a-f]{4})""").replace(text) { Character.toString(it.groupValues[1].toInt(16)) }
