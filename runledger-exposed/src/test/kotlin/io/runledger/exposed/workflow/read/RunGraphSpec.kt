package io.runledger.exposed.workflow.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.read.Watched
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.render.WorkflowGraph
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus

class RunGraphSpec :
    FunSpec({
        val everything = Scope.everything()

        fun <T : Any> pages(read: (String?) -> Page<T>): List<List<T>> =
            generateSequence(read(null)) { page -> page.next()?.let(read) }.map { it.items() }.toList()

        test("steps come in the order declared and dependencies in a stable order, all of them once") {
            val flow = flow()
            val runs = flow.client.workflows
            val keys = List(7) { "s${6 - it}" }
            val run = flow.start {
                val first = work(keys[0])
                keys.drop(1).forEach { work(it, first) }
            }

            val steps = pages { runs.steps(everything, run, 3, it) }
            steps.map { it.size } shouldContainExactly listOf(3, 3, 1)
            steps.flatten().map { it.stepKey() } shouldContainExactly keys
            runs.allSteps(everything, run) shouldContainExactly steps.flatten()
            runs.steps(everything, run, 7).next().shouldBeNull()

            val edges = pages { runs.dependencies(everything, run, 4, it) }
            edges.map { it.size } shouldContainExactly listOf(4, 2)
            edges.flatten().map { it.dependentStepId() } shouldContainExactlyInAnyOrder steps.flatten().drop(1).map { it.id() }
            edges.flatten().map { it.prerequisiteStepId() }.toSet() shouldBe setOf(steps[0][0].id())
        }

        test("steps with the same ordinal are neither repeated nor hidden") {
            val flow = flow()
            val run = flow.start { repeat(5) { work("s$it") } }
            flow.ledger.run("UPDATE runledger.workflow_step_rows SET ordinal = 0")

            pages { flow.client.workflows.steps(everything, run, 2, it) }.flatten().map { it.stepKey() }
                .shouldContainExactlyInAnyOrder("s0", "s1", "s2", "s3", "s4")
        }

        test("a story is drawn with where the steps stand") {
            val flow = flow()
            val run = flow.start {
                val charge = work("charge")
                val approval = gate("approval", charge)
                work("ship", approval)
                work("refund", charge, approval.onFailure())
            }
            flow.finish("charge")

            val story = flow.client.workflows.story(everything, run)

            story.dependencies().count { it.releaseMode() == ReleaseMode.ON_FAILURE } shouldBe 1
            story.events() shouldContainExactly flow.client.workflows.events(everything, run).items()
            WorkflowGraph.of(story).tree() shouldBe
                """
                test.flow WAITING_FOR_EXTERNAL
                └─ ✔ charge [work, succeeded]
                   ├─ ◇ approval [gate, waiting]
                   │  ├─ · ship [work, blocked]
                   │  └─ (on failure) ↓ refund (below)
                   └─ · refund [work, blocked]

                """.trimIndent()
        }

        test("a story is of one moment, whatever happens while it is read") {
            val flow = flow()
            val run = flow.start { gate("g") }
            val disturbed = Watched(flow.ledger.dataSource) { number -> if (number == 2) flow.complete(run, "g") }

            val story = RunledgerClient.create(disturbed).workflows.story(everything, run)

            flow.status(run) shouldBe "SUCCEEDED"
            story.run().status() shouldBe WorkflowRunStatus.WAITING_FOR_EXTERNAL
            story.steps().single().status() shouldBe WorkflowStepStatus.WAITING_FOR_EXTERNAL
            story.events().size shouldBe 2
        }

        test("a story costs as many statements for a large run as for a small one") {
            val flow = flow()
            val small = flow.start { work("a") }
            val large = flow.start {
                val first = work("first")
                repeat(600) { work("s$it", first) }
            }
            val counting = CountingDataSource(flow.ledger.dataSource)
            val runs = RunledgerClient.create(counting.dataSource).workflows
            runs.story(everything, small)

            val statements = listOf(small, large).map { run -> counting.count { runs.story(everything, run) } }

            // Five reads, and the line that makes them one snapshot.
            statements shouldContainExactly listOf(6, 6)
            runs.story(everything, large).dependencies().size shouldBe 600
        }
    })
