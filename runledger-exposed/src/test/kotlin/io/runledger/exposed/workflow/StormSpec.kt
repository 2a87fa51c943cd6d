package io.runledger.exposed.workflow

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainOnly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.racing
import io.runledger.model.workflow.Upstream
import java.util.UUID
import kotlin.random.Random

/**
 * Tests for deadlocks: all changes of a run at the same moment, in the orders that are known to be dangerous. A deadlock
 * is an exception and is counted by the server. `-Drunledger.storm=20` runs twenty times as long.
 */
class StormSpec :
    FunSpec({
        val longer = Integer.getInteger("runledger.storm", 1)
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        afterTest {
            flow.contradictions().shouldBeEmpty()
            flow.deadlocks() shouldBe "0"
        }

        fun together(vararg parties: () -> Unit) = racing(parties.size) { parties[it]() }

        fun drain(run: UUID) {
            while (true) flow.claim().ifEmpty { null }?.values?.forEach(flow::succeed) ?: break
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("siblings that end together, each with dependents of its own") {
            repeat(100 * longer) {
                val run = flow.start {
                    val (a, b) = List(2) { work("root$it") }
                    repeat(3) { work("a$it", a) }
                    repeat(3) { work("b$it", b) }
                }
                val claimed = flow.claim()

                together({ flow.settleSurely(claimed.getValue("root0")) }, { flow.settleSurely(claimed.getValue("root1")) })

                flow.steps(run).drop(2).map { it.substringAfter(' ') }.shouldContainOnly("ENQUEUED")
                drain(run)
            }
        }

        test("siblings that end together and share all their dependents release each of them once") {
            repeat(60 * longer) {
                val jobs = flow.jobs()
                val run = flow.start {
                    val roots = List(3) { work("root$it") }.toTypedArray()
                    repeat(16) { work("shared$it", *roots) }
                }
                val claimed = flow.claim()

                together(*Array(3) { root -> { flow.settleSurely(claimed.getValue("root$root")) } })

                flow.jobs() - jobs shouldBe 19
                drain(run)
            }
        }

        test("dependents listed before their prerequisites, and a gate that ends together with a job") {
            repeat(100 * longer) {
                val run = flow.start {
                    work("last", Upstream.named("both"), Upstream.named("mine"))
                    work("both", Upstream.named("g"), Upstream.named("a"))
                    work("mine", Upstream.named("a"))
                    gate("yours", Upstream.named("g"))
                    work("a")
                    gate("g")
                }
                val claimed = flow.claim()

                together({ flow.settleSurely(claimed.getValue("a")) }, { flow.complete(run, "g") })

                flow.complete(run, "yours")
                drain(run)
            }
        }

        test("one run, eight threads, everything at once: appends, gates, settlements, cancels, pauses, edits, lost workers") {
            val seed = System.getProperty("runledger.seed")?.toLong() ?: Random.nextLong()
            withClue("seed $seed") {
                val random = Random(seed)
                repeat(8 * longer) { round ->
                    val storm = Storm(flow, isCanceled = round % 2 == 1)
                    val seeds = List(8) { random.nextLong() }
                    racing(8) { thread -> storm.blow(thread, Random(seeds[thread])) }
                    withClue("round $round") { storm.calm() }
                }
            }
        }
    })
