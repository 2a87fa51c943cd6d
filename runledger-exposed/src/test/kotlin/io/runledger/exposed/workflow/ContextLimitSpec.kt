package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.json.plainMap
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.ContextMerge
import java.util.UUID
import kotlin.random.Random

/** The limit of the context of a run, for all its steps together. */
class ContextLimitSpec :
    FunSpec({
        val flow = flow()
        val limit = 1_000
        val client = RunledgerClient.builder(flow.ledger.dataSource).maxContextBytes(limit).build()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun contributing(vararg values: Pair<String, Any?>) =
            Verdict.Succeed(null, values.associate { (name, value) -> name to Payload.of(value) })

        fun settle(vararg endings: Pair<ClaimedJob, Verdict>): List<SettledJob> =
            client.leases.settle(endings.associate { (job, verdict) -> job.lease() to verdict })

        fun contextOf(run: UUID): Map<String, Any?> = plainMap(client.workflows.get(Scope.everything(), run).context())

        fun bytesOf(run: UUID) =
            flow.ledger.value("SELECT octet_length(context::text) FROM runledger.workflow_runs WHERE id = '$run'").toInt()

        fun siblings(steps: Int, merge: ContextMerge = ContextMerge.REPLACE) = flow.start {
            contextMerge(merge)
            repeat(steps) { work("s$it") }
        }

        fun text(length: Int) = "x".repeat(length)

        test("a step that would make the context too large is a dead letter and adds nothing; its siblings go on") {
            val run = siblings(4)
            val jobs = flow.claim()
            val settled = settle(
                jobs.getValue("s0") to contributing("a" to text(600)),
                jobs.getValue("s1") to contributing("b" to text(600)),
                jobs.getValue("s2") to contributing("c" to text(300)),
                jobs.getValue("s3") to contributing("d" to text(2_000)),
            )

            settled.map { it.result() } shouldContainExactly
                listOf(Result.SUCCEEDED, Result.DEAD_LETTERED, Result.SUCCEEDED, Result.DEAD_LETTERED)
            contextOf(run).keys shouldBe setOf("a", "c")
            flow.step(run, "s1", "status || '|' || last_error_code") shouldBe "FAILED|workflow.context_too_large"
            flow.step(run, "s1", "last_error_message") shouldContain "maxContextBytes"
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a value that takes the place of another counts in its place") {
            val run = siblings(3)
            val jobs = flow.claim()
            settle(jobs.getValue("s0") to contributing("a" to text(900)))
            settle(jobs.getValue("s1") to contributing("a" to text(950))).single().result() shouldBe Result.SUCCEEDED
            settle(jobs.getValue("s2") to contributing("b" to text(100))).single().result() shouldBe Result.DEAD_LETTERED
            contextOf(run) shouldBe mapOf("a" to text(950))
        }

        test("a value that is dropped because the first one stays takes no room") {
            val run = siblings(2, ContextMerge.KEEP)
            val jobs = flow.claim()
            val settled = settle(
                jobs.getValue("s0") to contributing("a" to text(900)),
                jobs.getValue("s1") to contributing("a" to text(950)),
            )
            settled.map { it.result() } shouldContainExactly listOf(Result.SUCCEEDED, Result.SUCCEEDED)
            contextOf(run) shouldBe mapOf("a" to text(900))
        }

        test("the order of contributions stays when some must be looked at one by one") {
            val run = siblings(3)
            val jobs = flow.claim()
            val settled = settle(
                jobs.getValue("s0") to contributing("who" to 0, "a" to text(600)),
                jobs.getValue("s1") to contributing("who" to 1, "a" to text(601)),
                jobs.getValue("s2") to contributing("who" to 2),
            )
            settled.map { it.result() } shouldContainExactly List(3) { Result.SUCCEEDED }
            contextOf(run) shouldBe mapOf("who" to 2, "a" to text(601))
        }

        test("a lost lease takes no room from the others") {
            val run = siblings(2)
            val jobs = flow.claim()
            flow.expireLease(jobs.getValue("s0").lease().jobId())
            val settled = settle(
                jobs.getValue("s0") to contributing("a" to text(900)),
                jobs.getValue("s1") to contributing("b" to text(900)),
            )
            settled.map { it.result() } shouldContainExactly listOf(Result.LOST, Result.SUCCEEDED)
            contextOf(run).keys shouldBe setOf("b")
        }

        test("racing siblings never make a context larger than it may be, and none is refused that fits") {
            repeat(3) { round ->
                val run = siblings(12, ContextMerge.entries[round % 3])
                val jobs = flow.claim()
                val results = racing(12) { n ->
                    generateSequence { settle(jobs.getValue("s$n") to contributing("k$n" to text(100))).single().result() }
                        .first { it != Result.BUSY }
                }
                // Each takes 109 bytes or 110, and one comma and brackets less than the others.
                results.count { it == Result.SUCCEEDED } shouldBe contextOf(run).size
                contextOf(run).size shouldBe 9
                (bytesOf(run) <= limit) shouldBe true
            }
        }

        test("random contributions in random batches end as one after the other would") {
            val random = Random(20_261)
            repeat(15) {
                val merge = ContextMerge.entries.random(random)
                val steps = random.nextInt(2, 12)
                val run = siblings(steps, merge)
                val jobs = flow.claim()
                val said = (0 until steps).shuffled(random)
                    .map { "s$it" to mapOf("k${random.nextInt(4)}" to text(random.nextInt(1, 700))) }
                val expected = LinkedHashMap<String, String>()
                val fates = said.map { (_, values) ->
                    val (name, value) = values.entries.single()
                    val after = when {
                        merge == ContextMerge.REPLACE -> expected + values
                        merge == ContextMerge.REFUSE && expected[name].let { it != null && it != value } -> null
                        else -> values + expected
                    }
                    // "name": "value" with ", " between the members and a bracket at each end
                    val isFitting = after != null && after.entries.sumOf { it.key.length + it.value.length + 8 } <= limit
                    if (isFitting) expected.putAll(after)
                    if (isFitting) Result.SUCCEEDED else Result.DEAD_LETTERED
                }

                var rest = said
                val results = mutableListOf<Result>()
                while (rest.isNotEmpty()) {
                    val batch = rest.take(random.nextInt(1, 6))
                    rest = rest.drop(batch.size)
                    results += settle(
                        *batch.map { (key, values) -> jobs.getValue(key) to contributing(*values.toList().toTypedArray()) }
                            .toTypedArray(),
                    ).map { it.result() }
                }
                results shouldBe fates
                contextOf(run) shouldBe expected
            }
        }
    })
