package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.model.condition.Condition
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Verdict
import java.sql.Connection
import java.time.Duration
import java.util.UUID

class ConditionRacesSpec :
    FunSpec({
        fun succeed(risk: Int) = Verdict.Succeed(Payload.of(Json.of("""{"risk":$risk}""")))

        test("prerequisites that end at the same moment decide about a step once, by what both of them left") {
            val flow = flow()
            val runs = List(40) {
                flow.start {
                    val a = work("a")
                    val b = work("b")
                    val isRisky = Condition.anyOf(a.output("risk").greaterThan(70), b.output("risk").greaterThan(70))
                    work("c", a, b) { onlyIf(isRisky) }
                }
            }
            val risks = runs.withIndex().associate { (place, run) -> run to (if (place % 2 == 0) 90 else 10) }
            val claimed = flow.client.leases.claim(ClaimRequest.of(listOf(Flow.TYPE), "w1", Duration.ofMinutes(5), 100))
                .associateBy { it.step()!!.runId() to it.step()!!.stepKey() }

            runs.forEach { run ->
                racing(2) { place ->
                    val job = claimed.getValue(run to if (place == 0) "a" else "b")
                    flow.settleSurely(job, succeed(if (place == 0) risks.getValue(run) else 5))
                }
            }

            runs.map { flow.steps(it).last() } shouldContainExactly
                runs.map { if (risks.getValue(it) > 70) "c ENQUEUED" else "c SKIPPED" }
            flow.jobs() shouldBe 80 + 20
            flow.contradictions().shouldBeEmpty()
        }

        test("a settlement that is rolled back has decided nothing, and the next one decides") {
            val flow = flow()
            val run = flow.start {
                val a = work("a")
                work("b", a) { onlyIf(a.output("risk").atLeast(50)) }
            }
            val lost = flow.claim().getValue("a")
            flow.joined(Connection.TRANSACTION_READ_COMMITTED) {
                it.leases.settle(mapOf(lost.lease() to succeed(10)))
            }
            flow.steps(run).shouldContainExactly("a RUNNING", "b BLOCKED")
            flow.expireLease(lost.lease().jobId())
            flow.client.leases.reap(10, Duration.ofMillis(1))
            flow.ledger.run("UPDATE runledger.job_queue SET next_run_at = now() WHERE status = 'PENDING'")

            flow.succeed(flow.claim().getValue("a"), Json.of("""{"risk":50}"""))

            flow.steps(run).shouldContainExactly("a SUCCEEDED", "b ENQUEUED")
            flow.contradictions().shouldBeEmpty()
        }

        test("a wave of a thousand conditions costs the statements that a wave without any costs") {
            val flow = flow()
            val counting = CountingDataSource(flow.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.workflows.enqueue(workflow { gate("first call") })
            var run: UUID? = null
            val enqueue = counting.count {
                run = client.workflows.enqueue(
                    workflow {
                        val a = work("a")
                        val wide = (1..1000).map { n -> work("w$n", a) { onlyIf(a.output("n").atLeast(n)) } }
                        work("z", *wide.map { it.onTerminal() }.toTypedArray()) { onlyIf(wide.last().skipped()) }
                    },
                ).runId()
            }
            val a = flow.claim().getValue("a")
            val wave = counting.count {
                client.leases.settle(mapOf(a.lease() to Verdict.Succeed(Payload.of(Json.of("""{"n":400}""")))))
            }
            val wide = flow.claim().values
            val fanIn = counting.count {
                client.leases.settle(wide.associate { it.lease() to Verdict.Succeed(null) })
            }

            wide.size shouldBe 400
            flow.finish("z")
            flow.status(run!!) shouldBe "SUCCEEDED"
            // One more than without conditions, for the wave of the steps that were skipped.
            listOf(enqueue, wave, fanIn) shouldBe listOf(3, 4, 3)
            flow.contradictions().shouldBeEmpty()
        }

        test("first steps with a condition cost no statement more") {
            val flow = flow()
            val counting = CountingDataSource(flow.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.workflows.enqueue(workflow { gate("first call") })

            val enqueue = counting.count {
                client.workflows.enqueueAll(
                    List(20) { n ->
                        workflow {
                            context(mapOf("n" to n))
                            repeat(10) { work("w$it") { onlyIf(Condition.context("n").lessThan(it)) } }
                        }
                    },
                )
            }

            enqueue shouldBe 2
            flow.jobs() shouldBe 45
            flow.contradictions().shouldBeEmpty()
        }
    })
