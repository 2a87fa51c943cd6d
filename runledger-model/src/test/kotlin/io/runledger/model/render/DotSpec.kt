package io.runledger.model.render

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.checkAll
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.WorkflowRequest

private const val QUOTED = """"((?:[^"\\]|\\.)*)""""
private val step = Regex("""    (s\d+) \[label=$QUOTED[^"]*(?:"[^"]*"[^"]*)*];""")
private val edge = Regex("""    (s\d+) -> (s\d+)(?: \[label="(on \w+)"(?:, style=dashed)?])?;""")

/** Reads a graph back as Graphviz does, or fails on a line that is neither a step nor an edge. */
private fun seenIn(graph: String): Seen {
    val lines = graph.lines().dropLast(2).drop(3)
    val keys = lines.mapNotNull(step::matchEntire).associate { match ->
        val (id, label) = match.destructured
        id to keyShown(label)
    }
    val edges = lines.filterNot(step::matches).map { line ->
        val (from, to, label) = checkNotNull(edge.matchEntire(line)) { line }.destructured
        Triple(keys.getValue(from), keys.getValue(to), modeOf(label))
    }
    return Seen(keys.values.sorted(), edges.toSet())
}

private fun keyShown(label: String): String {
    val firstLine = Regex("""(?:[^\\]|\\[^n])*""").matchAt(label, 0)!!.value
    return visible(Regex("""\\(.)""").replace(firstLine) { it.groupValues[1] }.replace("&amp;", "&"))
}

class DotSpec :
    FunSpec({
        test("every step and every edge of any workflow is drawn, whatever its keys contain") {
            checkAll(200, hostileWorkflows()) { workflow ->
                seenIn(WorkflowGraph.of(workflow).dot()) shouldBe seenIn(workflow)
            }
        }

        test("a key can neither leave its label nor become an escape or an entity of Graphviz") {
            val graph = WorkflowGraph.of(workflow("t", listOf(JobStep.builder("""\N "x" &lt; \""").build()))).dot()

            graph shouldContain """s0 [label="\\N \"x\" &amp;lt; \\"];"""
        }

        test("a gate has a shape of its own, and a condition is written on its edge") {
            val workflow = WorkflowRequest.builder("t")
            val gate = workflow.externalGate("approval")
            workflow.job("ship") { it.after(gate) }
            workflow.job("refund") { it.after(gate.onFailure()) }
            workflow.job("tidy") { it.after(gate.onTerminal()) }

            WorkflowGraph.of(workflow.build()).dot() shouldBe
                """
                digraph {
                    label="t"; labelloc=t;
                    node [shape=box, style="rounded,filled", fillcolor="#ffffff"];
                    s0 [label="approval\ngate", shape=hexagon, style=filled];
                    s1 [label="ship"];
                    s2 [label="refund"];
                    s3 [label="tidy"];
                    s0 -> s1;
                    s0 -> s2 [label="on failure", style=dashed];
                    s0 -> s3 [label="on terminal"];
                }

                """.trimIndent()
        }
    })
