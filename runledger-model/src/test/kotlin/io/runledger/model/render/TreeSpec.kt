package io.runledger.model.render

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import io.kotest.property.checkAll
import io.runledger.model.workflow.Dependency
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Instant

private const val NAME = """("(?:[^"\\]|\\.)*"|[^ "]+)"""
private val unicode = Regex("""((?:│  | {3})*)(?:├─ |└─ )(?:\((on \w+)\) )?(↓ )?(?:[·◇○●✔✘⊘] )?$NAME(?: .*)?""")
private val ascii = Regex("""((?:\|  | {3})*)(?:\|- |`- )(?:\((on \w+)\) )?(-> )?(?:[.?o>+x-] )?$NAME(?: .*)?""")

/** Reads a tree back: each line is a step or a pointer to one, and its parent is the last line above that is less indented. */
private fun seenIn(tree: String, line: Regex): Seen {
    val path = mutableListOf<String>()
    val steps = mutableListOf<String>()
    val edges = tree.lines().dropLast(1).drop(1).mapNotNull { text ->
        val (indent, label, pointer, name) = checkNotNull(line.matchEntire(text)) { text }.destructured
        val key = keyShown(name)
        val depth = indent.length / 3
        while (path.size > depth) path.removeLast()
        val parent = path.lastOrNull()
        path += key
        if (pointer.isEmpty()) steps += key
        parent?.let { Triple(it, key, modeOf(label)) }
    }
    return Seen(steps.sorted(), edges.toSet())
}

private fun keyShown(name: String): String = if (!name.startsWith('"')) {
    name
} else {
    Regex("""\\u\{([0-9a-f]+)}|\\u([0-9a-f]{4})|\\(.)""").replace(name.substring(1, name.length - 1)) { match ->
        val (wide, narrow, plain) = match.destructured
        if (plain.isNotEmpty()) plain else Character.toString((wide + narrow).toInt(16))
    }
}

class TreeSpec :
    FunSpec({
        test("every step stands once and every edge has a line, whatever the keys contain") {
            checkAll(200, hostileWorkflows()) { workflow ->
                seenIn(WorkflowGraph.of(workflow).tree(), unicode) shouldBe seenIn(workflow)
            }
        }

        test("the same holds for the ASCII tree of a run, which is ASCII") {
            checkAll(200, hostileWorkflows()) { workflow ->
                val run = storyOf(workflow, WorkflowRunStatus.RUNNING) { WorkflowStepStatus.entries[it.key().length % 7] }
                val tree = WorkflowGraph.of(run).asciiTree()

                seenIn(tree, ascii) shouldBe seenIn(workflow)
                tree.all { it == '\n' || it in ' '..'~' } shouldBe true
            }
        }

        test("a step that waits for several stands below the last of them, the others point down to it") {
            val workflow = WorkflowRequest.builder("diamond")
            val first = workflow.job("first")
            val left = workflow.job("left") { it.after(first) }
            val right = workflow.job("right") { it.after(first) }
            val join = workflow.job("join") { it.after(left, right) }
            workflow.job("mourn") { it.after(join.onFailure()) }

            WorkflowGraph.of(workflow.result(join).build()).tree() shouldBe
                """
                diamond
                └─ first
                   ├─ left
                   │  └─ ↓ join (below)
                   └─ right
                      └─ join [result]
                         └─ (on failure) mourn

                """.trimIndent()
        }

        test("a paused run says so beside its status") {
            val workflow = workflow("t", listOf(JobStep.builder("a").build()))
            val run = storyOf(workflow, WorkflowRunStatus.RUNNING, pausedAt = Instant.EPOCH) { WorkflowStepStatus.ENQUEUED }

            WorkflowGraph.of(run).tree().lines().first() shouldBe "t RUNNING, paused"
        }

        test("each status has a mark and a word, in both alphabets") {
            val workflow = workflow("t", WorkflowStepStatus.entries.map { JobStep.builder(it.name).build() })
            val run = storyOf(workflow, WorkflowRunStatus.RUNNING) { WorkflowStepStatus.valueOf(it.key()) }

            WorkflowGraph.of(run).tree() shouldBe
                """
                t RUNNING
                ├─ · BLOCKED [blocked]
                ├─ ◇ WAITING_FOR_EXTERNAL [waiting]
                ├─ ○ ENQUEUED [enqueued]
                ├─ ● RUNNING [running]
                ├─ ✔ SUCCEEDED [succeeded]
                ├─ ✘ FAILED [failed]
                ├─ ⊘ CANCELED [canceled]
                └─ » SKIPPED [skipped]

                """.trimIndent()
            WorkflowGraph.of(run).asciiTree() shouldBe
                """
                t RUNNING
                |- . BLOCKED [blocked]
                |- ? WAITING_FOR_EXTERNAL [waiting]
                |- o ENQUEUED [enqueued]
                |- > RUNNING [running]
                |- + SUCCEEDED [succeeded]
                |- x FAILED [failed]
                |- - CANCELED [canceled]
                `- ~ SKIPPED [skipped]

                """.trimIndent()
        }

        test("a terminal is not commanded by a key, and keys with blanks or brackets are quoted") {
            val keys = listOf("a\u202eb", "a b", "a[b]", "a\\u202eb", "plain")
            val tree = WorkflowGraph.of(workflow("t", keys.map { JobStep.builder(it).runs("t", null).build() })).tree()

            tree shouldBe
                """
                t
                ├─ "a\u202eb" [t]
                ├─ "a b" [t]
                ├─ "a[b]" [t]
                ├─ "a\\u202eb" [t]
                └─ plain [t]

                """.trimIndent()
        }

        test("six hundred steps with 2,400 edges are drawn, and a chain of thousands does not exhaust the stack") {
            val wide = workflow(
                "wide",
                List(600) { n ->
                    val waits = (1..4).map { n - it * it }.filter { it >= 0 }.map { Dependency("s$it", ReleaseMode.ON_SUCCESS) }
                    JobStep.builder("s$n").after(waits).build()
                },
            )
            val edges = wide.steps().sumOf { it.dependencies().size }
            val chain = workflow(
                "chain",
                List(4_000) { n ->
                    JobStep.builder("s$n").after(
                        if (n == 0) {
                            emptyList()
                        } else {
                            listOf(Dependency("s${n - 1}", ReleaseMode.ON_SUCCESS))
                        },
                    ).build()
                },
            )

            // One title, one root, one line for each edge.
            WorkflowGraph.of(wide).tree().lines().dropLast(1) shouldHaveSize 2 + edges
            WorkflowGraph.of(wide).dot().lines().count { " -> " in it } shouldBe edges
            WorkflowGraph.of(chain).tree().trimEnd() shouldEndWith "└─ s3999"
        }
    })
