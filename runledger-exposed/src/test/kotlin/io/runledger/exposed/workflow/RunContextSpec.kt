package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.json.plainMap
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.stepInputs
import io.runledger.model.condition.Condition
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.workflow.ContextMerge
import java.sql.Connection
import java.time.Duration
import java.util.UUID

class RunContextSpec :
    FunSpec({
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun contributing(vararg values: Pair<String, Any?>) =
            Verdict.Succeed(null, values.associate { (name, value) -> name to Payload.of(value) })

        fun contextOf(run: UUID): Map<String, Any?> = plainMap(flow.client.workflows.get(Scope.everything(), run).context())

        /** A run with [steps] that can all begin at once. */
        fun siblings(merge: ContextMerge, steps: Int = 2) = flow.start {
            contextMerge(merge)
            context(mapOf("given" to 0))
            repeat(steps) { work("s$it") }
        }

        test("a run begins with the context it is given, and ends with what its steps made of it") {
            val run = flow.start {
                context(mapOf("country" to "DE", "limits" to mapOf("day" to 5)))
                val a = work("a")
                work("b", a)
            }
            contextOf(run) shouldContainExactly mapOf("country" to "DE", "limits" to mapOf("day" to 5))

            flow.settle(flow.claim().getValue("a"), contributing("risk" to 80, "country" to "FR"))
            flow.settle(flow.claim().getValue("b"), contributing("note" to null))

            contextOf(run) shouldContainExactly
                mapOf("country" to "FR", "limits" to mapOf("day" to 5), "risk" to 80, "note" to null)
            val awaited = flow.client.workflows.await(Scope.everything(), run).get()
            plainMap(awaited.context()) shouldBe contextOf(run)
            awaited.contextMerge() shouldBe ContextMerge.REPLACE
        }

        test("only an object is a context") {
            listOf("text", 1, listOf(1), null).forEach { bad ->
                shouldRefuse(ErrorCode.INVALID_CONTEXT) {
                    flow.start {
                        context(Payload.of(bad))
                        work("a")
                    }
                }
            }
            flow.ledger.value("SELECT count(*) FROM runledger.workflow_runs WHERE finished_at IS NULL") shouldBe "0"
        }

        test("a running step reads the context as it stands, a job of its own has none") {
            val run = flow.start {
                context(mapOf("country" to "DE"))
                work("a")
                work("b")
            }
            val claimed = flow.claim()
            val b = claimed.getValue("b").lease().jobId()
            val inputs = flow.client.stepInputs

            inputs.runContext(b, "risk").shouldBeNull()
            flow.settle(claimed.getValue("a"), contributing("risk" to 80))

            inputs.runContext(b, "risk") shouldBe Json.of("80")
            inputs.runContext(b, "country") shouldBe Json.of("\"DE\"")
            inputs.runContext(UUID.randomUUID(), "country").shouldBeNull()
            contextOf(run).size shouldBe 2
        }

        test("replace: the later value stays, also of two that settle together") {
            val run = siblings(ContextMerge.REPLACE)
            val claimed = flow.claim()

            flow.client.leases.settle(
                listOf("s1", "s0").associate {
                    claimed.getValue(it).lease() to contributing("who" to it, "given" to it)
                },
            )

            contextOf(run) shouldContainExactly mapOf("who" to "s0", "given" to "s0")
        }

        test("keep: the first value stays, also of two that settle together") {
            val run = siblings(ContextMerge.KEEP)
            val claimed = flow.claim()

            flow.client.leases.settle(
                listOf("s1", "s0").associate {
                    claimed.getValue(it).lease() to contributing("who" to it, "given" to it)
                },
            )

            contextOf(run) shouldContainExactly mapOf("who" to "s1", "given" to 0)
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("refuse: who says something else fails for good, who says the same does not") {
            val run = siblings(ContextMerge.REFUSE, steps = 4)
            val claimed = flow.claim()

            val settled = flow.client.leases.settle(
                listOf("s0" to 1, "s1" to 1.0, "s2" to 2).associate { (key, value) ->
                    claimed.getValue(key).lease() to contributing("who" to value)
                } + (claimed.getValue("s3").lease() to contributing("given" to 9, "own" to 9)),
            )

            settled.map { it.result() }.shouldContainExactly(
                Result.SUCCEEDED,
                Result.SUCCEEDED,
                Result.DEAD_LETTERED,
                Result.DEAD_LETTERED,
            )
            contextOf(run) shouldContainExactly mapOf("given" to 0, "who" to 1)
            flow.step(run, "s2", "status || '|' || last_error_code") shouldBe "FAILED|workflow.context_conflict"
            flow.step(run, "s3", "last_error_message") shouldContain "'given'"
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a lost lease contributes nothing, and refuses nobody") {
            val run = siblings(ContextMerge.REFUSE)
            val claimed = flow.claim()
            flow.expireLease(claimed.getValue("s0").lease().jobId())

            val settled = flow.client.leases.settle(
                listOf("s0", "s1").associate { claimed.getValue(it).lease() to contributing("who" to it) },
            )

            settled.map { it.result() }.shouldContainExactly(Result.LOST, Result.SUCCEEDED)
            contextOf(run) shouldContainExactly mapOf("given" to 0, "who" to "s1")
        }

        test("racing siblings lose nothing, and one of them is the last, the first, or the only one") {
            val steps = 12
            val runs = ContextMerge.entries.associateWith { merge ->
                val run = siblings(merge, steps)
                val claimed = flow.claim()
                val results = racing(steps) { n ->
                    flow.settleSurely(claimed.getValue("s$n"), contributing("who" to n, "own$n" to n))
                }
                run to results
            }

            runs.forEach { (merge, outcome) ->
                val (run, results) = outcome
                val context = contextOf(run)
                val winners = results.indices.filter { results[it] == Result.SUCCEEDED }
                winners.size shouldBe if (merge == ContextMerge.REFUSE) 1 else steps
                (context["who"] as Int in winners) shouldBe true
                context.keys.filter { it.startsWith("own") }.toSet() shouldBe winners.map { "own$it" }.toSet()
            }
        }

        test("what a step contributes is there when what waits for it is judged") {
            val run = flow.start {
                val a = work("a")
                work("b", a) { onlyIf(Condition.context("risk").greaterThan(70)) }
                work("c", a) { onlyIf(Condition.context("risk").atMost(70)) }
            }

            flow.settle(flow.claim().getValue("a"), contributing("risk" to 80))

            flow.steps(run).shouldContainExactly("a SUCCEEDED", "b ENQUEUED", "c SKIPPED")
        }

        test("a settlement that is rolled back has contributed nothing; the attempt that ends the step contributes once") {
            val run = siblings(ContextMerge.REFUSE, steps = 1)
            val lost = flow.claim().getValue("s0")
            flow.joined(Connection.TRANSACTION_READ_COMMITTED) {
                it.leases.settle(mapOf(lost.lease() to contributing("who" to "lost")))
            }
            contextOf(run) shouldContainExactly mapOf("given" to 0)
            flow.expireLease(lost.lease().jobId())
            flow.client.leases.reap(10, Duration.ofMillis(1))
            flow.ledger.run("UPDATE runledger.job_queue SET next_run_at = now() WHERE status = 'PENDING'")

            flow.settle(flow.claim().getValue("s0"), contributing("who" to "second"))

            contextOf(run) shouldContainExactly mapOf("given" to 0, "who" to "second")
        }

        test("a retry goes on with the context, a recovery begins with the one that was given") {
            val run = flow.start {
                context(Json.of("""{"given": 1.50, "who": "nobody"}"""))
                contextMerge(ContextMerge.KEEP)
                val a = work("a")
                work("b", a)
            }
            flow.settle(flow.claim().getValue("a"), contributing("who" to "a", "own" to "a"))
            flow.fail(flow.claim().getValue("b"))
            val workflows = flow.client.workflows

            val again = workflows.recover(Scope.everything(), RecoveryRequest(run, null, "anew", "from the start")).runId()
            flow.claim()
            workflows.retryFailed(Scope.everything(), RetryFailedRequest(run, "again", "mended"))

            flow.ledger.value("SELECT context, context_merge FROM runledger.workflow_runs WHERE id = '$again'") shouldBe
                """{"who": "nobody", "given": 1.50}|KEEP"""
            workflows.get(Scope.everything(), run).context() shouldBe Json.of("""{"own": "a", "who": "nobody", "given": 1.50}""")
        }

        test("context and merge rule belong to what an idempotency key compares") {
            fun asked(country: String, merge: ContextMerge = ContextMerge.REPLACE) = workflow {
                idempotencyKey("with a context")
                context(mapOf("country" to country))
                contextMerge(merge)
                work("a")
            }
            val run = flow.start(asked("DE"))

            flow.start(asked("DE")) shouldBe run
            shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT) { flow.start(asked("FR")) }
            shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT) { flow.start(asked("DE", ContextMerge.KEEP)) }
        }

        test("a contribution that cannot be stored fails its step, not its neighbours") {
            val run = siblings(ContextMerge.REPLACE, steps = 3)
            val claimed = flow.claim()

            val settled = flow.client.leases.settle(
                mapOf(
                    claimed.getValue("s0").lease() to contributing(" " to 1),
                    claimed.getValue("s1").lease() to contributing("big" to "x".repeat(20_000_000)),
                    claimed.getValue("s2").lease() to contributing("fine" to 1),
                ),
            )

            settled.map { it.result() }.shouldContainExactly(Result.DEAD_LETTERED, Result.DEAD_LETTERED, Result.SUCCEEDED)
            contextOf(run) shouldContainExactly mapOf("given" to 0, "fine" to 1)
            flow.step(run, "s0", "last_error_code") shouldBe "workflow.invalid_context"
            flow.step(run, "s1", "last_error_code") shouldBe "workflow.context_too_large"
        }

        test("contributions of a whole batch cost two statements, none where there are none") {
            val counting = CountingDataSource(flow.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.workflows.enqueue(workflow { gate("first call") })

            fun cost(merge: ContextMerge, contribute: Boolean): Int {
                siblings(merge, 50)
                val requests = flow.claim().entries.associate { (key, job) ->
                    job.lease() to if (contribute) contributing(key to 1) else Verdict.Succeed(null)
                }
                return counting.count { client.leases.settle(requests) }
            }

            val plain = cost(ContextMerge.REFUSE, contribute = false)
            listOf(
                cost(ContextMerge.REPLACE, contribute = true),
                cost(ContextMerge.KEEP, contribute = true),
                cost(ContextMerge.REFUSE, contribute = true),
            ) shouldContainExactly List(3) { plain + 2 }
        }
    })
