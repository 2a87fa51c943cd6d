package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.triggers
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.json.Json
import io.runledger.model.key.ReplacedPart
import io.runledger.model.key.Uniqueness
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.PollResult
import java.sql.Connection
import java.time.Duration
import java.util.UUID

class UniqueJobsSpec :
    FunSpec({
        val everything = Scope.everything()
        val hour = Duration.ofHours(1)
        val retry = Verdict.Retry(JobFailure.retryable("test.broken", "It broke."), hour, null)

        fun TestLedger.unique(uniqueness: Uniqueness): EnqueuedJob = enqueue { unique(uniqueness) }

        fun TestLedger.closeWindows() = run("UPDATE runledger.job_keys SET ends_at = now() - interval '1 second'")

        fun TestLedger.jobs() = value("SELECT count(*) FROM runledger.job_queue").toInt()

        fun request(payload: String, uniqueness: Uniqueness): JobRequest =
            JobRequest.builder("mail", Json.of(payload)).unique(uniqueness).build()

        test("while a job waits, an enqueue with its key returns it; while it runs, the next one is enqueued") {
            val ledger = freshLedger().define("mail")
            val rule = Uniqueness.whilePending("k")
            val first = ledger.unique(rule)
            first.disposition() shouldBe Disposition.INSERTED

            ledger.unique(rule) shouldBe EnqueuedJob(first.id(), Disposition.EXISTING, JobStatus.PENDING, 1)
            val lease = ledger.claim().single()
            val second = ledger.unique(rule)

            second.isNew shouldBe true
            ledger.settle(lease, retry)
            // The first waits again, but the key is that of the second.
            ledger.unique(rule).id() shouldBe second.id()
            ledger.client.verify().contradictions().shouldBeEmpty()
        }

        test("a job that waits for its next attempt is a waiting job") {
            val ledger = freshLedger().define("mail")
            val first = ledger.unique(Uniqueness.whilePending("k"))
            ledger.settle(ledger.claim().single(), retry)

            ledger.unique(Uniqueness.whilePending("k")).id() shouldBe first.id()
        }

        test("until a job has ended, an enqueue with its key returns it") {
            val ledger = freshLedger().define("mail")
            val rule = Uniqueness.whileUnfinished("k")
            val first = ledger.unique(rule)

            ledger.unique(rule).id() shouldBe first.id()
            val job = ledger.claim().single()
            ledger.unique(rule) shouldBe EnqueuedJob(first.id(), Disposition.EXISTING, JobStatus.LEASED, 1)
            ledger.settle(job, Verdict.Succeed(null))

            ledger.unique(rule).isNew shouldBe true
        }

        test("within a duration there is one job, whatever its state, and the duration is not lengthened") {
            val ledger = freshLedger().define("mail")
            val rule = Uniqueness.within("k", hour)
            val first = ledger.unique(rule)
            ledger.settle(ledger.claim().single(), Verdict.Succeed(null))
            val ends = ledger.value("SELECT ends_at FROM runledger.job_keys")

            ledger.unique(rule) shouldBe EnqueuedJob(first.id(), Disposition.EXISTING, JobStatus.SUCCEEDED, 1)

            ledger.value("SELECT ends_at FROM runledger.job_keys") shouldBe ends
            ledger.value(
                "SELECT k.ends_at - q.created_at FROM runledger.job_keys k JOIN runledger.job_queue q ON q.id = job_id",
            ) shouldBe
                "01:00:00"
            ledger.closeWindows()
            ledger.unique(rule).isNew shouldBe true
        }

        test("a duration alone does not regard a job that still waits when it is over; with a state it does") {
            val ledger = freshLedger().define("mail")
            val first = ledger.unique(Uniqueness.within("k", hour))
            ledger.closeWindows()

            ledger.unique(Uniqueness.whileUnfinished("k").orWithin(hour)).id() shouldBe first.id()
            ledger.unique(Uniqueness.within("k", hour)).isNew shouldBe true
        }

        test("a throttled job is enqueued once per period") {
            val ledger = freshLedger().define("mail")
            val ids = List(3) { ledger.enqueue { throttle("k", hour) } }

            ids.map { it.disposition() } shouldContainExactly
                listOf(Disposition.INSERTED, Disposition.EXISTING, Disposition.EXISTING)
            ids.map { it.id() }.distinct() shouldBe listOf(ids[0].id())
            ledger.closeWindows()
            ledger.enqueue { throttle("k", hour) }.isNew shouldBe true
        }

        test("a window stays open when a rule that does not regard it inserts another job") {
            val ledger = freshLedger().define("mail")
            ledger.enqueue { throttle("k", hour) }
            ledger.settle(ledger.claim().single(), Verdict.Succeed(null))
            val second = ledger.unique(Uniqueness.whilePending("k"))
            second.isNew shouldBe true

            ledger.enqueue { throttle("k", hour) }.id() shouldBe second.id()
        }

        test("equal payloads are one key, whatever the order of members and the notation of numbers") {
            val ledger = freshLedger().define("mail")
            val rule = Uniqueness.whileUnfinishedByPayload()
            fun enqueue(payload: String) = ledger.client.jobs.enqueue(request(payload, rule)).id()
            val first = enqueue("""{"to": "ada", "n": [1e2, -0.0], "deep": {"b": null, "a": "\u00e9"}}""")

            enqueue("""{"deep":{"a":"é","b":null},"n":[100.0,0],"to":"ada"}""") shouldBe first
            listOf(
                """{"deep":{"a":"é","b":null},"n":[100.1,0],"to":"ada"}""",
                """{"deep":{"a":"é"},"n":[100.0,0],"to":"ada"}""",
                """{"deep":{"a":"é","b":null},"n":[0,100],"to":"ada"}""",
                """["ada"]""",
                """"ada"""",
                "null",
                "{}",
                "[]",
                "1",
                "true",
            ).map(::enqueue).toSet().plus(first).size shouldBe 11
            ledger.value("SELECT count(*) FROM runledger.job_keys WHERE is_payload AND length(key) = 64") shouldBe "11"
        }

        test("a text is not the key of a payload with the same digest") {
            val ledger = freshLedger().define("mail")
            ledger.client.jobs.enqueue(request("1", Uniqueness.withinByPayload(hour)))

            ledger.unique(Uniqueness.whilePending(ledger.value("SELECT key FROM runledger.job_keys"))).isNew shouldBe true
        }

        test("a key belongs to its type and organization; global is one of its own") {
            val ledger = freshLedger().define("mail", "crawl")
            val acme = UUID.randomUUID()
            val rule = Uniqueness.whileUnfinished("k")

            val ids = List(2) {
                listOf(
                    ledger.enqueue { unique(rule) },
                    ledger.enqueue("crawl") { unique(rule) },
                    ledger.enqueue { unique(rule).organization(acme) },
                    ledger.enqueue { unique(rule).organization(UUID(0, 7)) },
                ).map { it.id() }
            }

            ids[0].toSet().size shouldBe 4
            ids[1] shouldBe ids[0]
        }

        test("a requeued job keeps its key, unless a later job has it") {
            val ledger = freshLedger().define("mail")
            val rule = Uniqueness.whileUnfinished("k")
            val first = ledger.unique(rule).id()
            ledger.client.jobs.cancel(everything, first)
            ledger.client.jobs.requeue(everything, first)
            ledger.unique(rule) shouldBe EnqueuedJob(first, Disposition.EXISTING, JobStatus.PENDING, 2)

            ledger.client.jobs.cancel(everything, first)
            val second = ledger.unique(rule).id()
            second shouldNotBe first
            // An operator's requeue is no enqueue: now both wait.
            ledger.client.jobs.restart(everything, first)
            ledger.unique(rule).id() shouldBe second
            ledger.client.verify().contradictions().shouldBeEmpty()
        }

        test("a replay has no key") {
            val ledger = freshLedger().define("mail")
            val rule = Uniqueness.whileUnfinished("k")
            val first = ledger.unique(rule)
            ledger.settle(ledger.claim().single(), Verdict.Succeed(null))

            val replay = ledger.client.jobs.replay(everything, ReplayRequest(first.id(), 1, "again", "wanted twice"))

            (replay as ReplayOutcome.Replayed).disposition() shouldBe Disposition.INSERTED
            ledger.value("SELECT job_id FROM runledger.job_keys") shouldBe first.id().toString()
            ledger.unique(rule).isNew shouldBe true
        }

        test("the rest of the request is not compared, and an existing job is found after its type was disabled") {
            val ledger = freshLedger().define("mail")
            val first = ledger.client.jobs.enqueue(request("1", Uniqueness.within("k", hour)))
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")

            ledger.client.jobs.enqueue(request("2", Uniqueness.within("k", hour))).id() shouldBe first.id()
            shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) { ledger.unique(Uniqueness.whilePending("other")) }

            ledger.value("SELECT count(*) FROM runledger.job_keys") shouldBe "1"
        }

        test("in one call, the first of equal keys is inserted and the others return it, beside jobs of other kinds") {
            val ledger = freshLedger().define("mail")
            val old = ledger.unique(Uniqueness.whilePending("b"))
            fun one(settings: JobRequest.Builder.() -> Unit) = JobRequest.builder("mail", Json.NULL).apply(settings).build()

            val answers = ledger.client.jobs.enqueueAll(
                listOf(
                    one { unique(Uniqueness.whilePending("c")) },
                    one {},
                    one { unique(Uniqueness.whilePending("b")) },
                    one { idempotencyKey("i") },
                    one { unique(Uniqueness.whilePending("c")) },
                    one { throttle("a", hour) },
                    one { throttle("a", hour) },
                    // The debounced job has no window, so the throttled one is enqueued, and has the key.
                    one { debounce("d", hour, hour) },
                    one { throttle("d", hour) },
                    one { unique(Uniqueness.whilePending("d")) },
                ),
            )

            answers.map { it.isNew } shouldContainExactly
                listOf(true, true, false, true, false, true, false, true, true, false)
            answers[4].id() shouldBe answers[0].id()
            answers[2].id() shouldBe old.id()
            answers[9].id() shouldBe answers[8].id()
            ledger.jobs() shouldBe 7
            ledger.value("SELECT job_id FROM runledger.job_keys WHERE key = 'd'") shouldBe answers[8].id().toString()
            ledger.client.verify().contradictions().shouldBeEmpty()
        }

        test("the number of statements does not depend on the number of jobs, and jobs without a key cost what they did") {
            val ledger = freshLedger().define("mail")
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            fun batch(size: Int, settings: JobRequest.Builder.(Int) -> Unit) =
                List(size) { JobRequest.builder("mail", it).apply { settings(it) }.build() }
            fun cost(size: Int, settings: JobRequest.Builder.(Int) -> Unit) =
                counting.count { client.jobs.enqueueAll(batch(size, settings)) }
            cost(1) { }

            listOf(1, 700).forEach { size ->
                cost(size) { } shouldBe 1
                // The keys and the jobs; then the keys and their holders.
                cost(size) { unique(Uniqueness.whileUnfinished("$size-$it")) } shouldBe 2
                cost(size) { unique(Uniqueness.whileUnfinished("$size-$it")) } shouldBe 2
                cost(size) { debounce("d$size-$it", hour, hour) } shouldBe 2
                cost(size) { debounce("d$size-$it", hour, hour) } shouldBe 3
                // Each key moves to a new job.
                cost(size) { throttle("$size-$it", hour) } shouldBe 4
                // Half of the keys are new, and a quarter of the jobs is changed.
                cost(size) {
                    when {
                        it % 2 == 0 -> throttle("new$size-$it", hour)
                        it % 4 == 1 -> replacePending("d$size-$it", ReplacedPart.PRIORITY)
                        else -> unique(Uniqueness.whilePending("$size-$it"))
                    }
                } shouldBe if (size == 1) 2 else 4
            }
            ledger.client.verify().contradictions().shouldBeEmpty()
        }

        test("the caller's transaction stays usable, and needs READ COMMITTED") {
            val ledger = freshLedger().define("mail")
            val rule = Uniqueness.whilePending("k")
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                val joined = ledger.client.within(connection)
                val first = joined.jobs.enqueue(request("1", rule))
                joined.jobs.enqueue(request("1", rule)) shouldBe
                    EnqueuedJob(first.id(), Disposition.EXISTING, JobStatus.PENDING, 1)
                shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) {
                    joined.jobs.enqueueAll(
                        listOf("mail", "unknown").map { JobRequest.builder(it, Json.NULL).throttle("t", hour).build() },
                    )
                }
                connection.commit()
            }
            ledger.value("SELECT count(*) FROM runledger.job_keys") shouldBe "1"

            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                connection.transactionIsolation = Connection.TRANSACTION_REPEATABLE_READ
                shouldRefuse(ErrorCode.JOB_KEY_ISOLATION) { ledger.client.within(connection).jobs.enqueue(request("1", rule)) }
                connection.rollback()
            }
        }

        test("a rolled-back enqueue leaves no key") {
            val ledger = freshLedger().define("mail")
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).jobs.enqueue(request("1", Uniqueness.within("k", hour)))
                connection.rollback()
            }

            ledger.value("SELECT count(*) FROM runledger.job_keys") shouldBe "0"
        }

        test("an operator's enqueue records the jobs that it inserted or changed") {
            val ledger = freshLedger().define("mail")
            val dana = ledger.client.actingAs("dana")
            val first = dana.jobs.enqueue(JobRequest.builder("mail", 1).debounce("k", hour, hour).build())
            dana.jobs.enqueue(JobRequest.builder("mail", 2).debounce("k", hour, hour).build()).id() shouldBe first.id()
            dana.jobs.enqueue(JobRequest.builder("mail", 3).unique(Uniqueness.whilePending("k")).build())

            ledger.rows("SELECT actor, changed, target FROM runledger.operator_actions ORDER BY id") shouldContainExactly
                listOf(1, 1, 0).map { "dana|$it|${first.id()}" }
            ledger.value("SELECT payload ->> 'actor' FROM runledger.job_journal WHERE event_type = 'EDITED'") shouldBe "dana"
        }

        test("a key of a job that was deleted by hand is free, and verify names it") {
            val ledger = freshLedger().define("mail")
            ledger.enqueue { throttle("k", hour) }
            ledger.run("DELETE FROM runledger.job_queue")
            ledger.client.verify().contradictions().map { it.rule() } shouldContainExactly listOf("job_key.orphan")

            ledger.enqueue { throttle("k", hour) }.isNew shouldBe true

            ledger.client.verify().contradictions().shouldBeEmpty()
            ledger.run("UPDATE runledger.job_keys SET job_type = 'crawl'")
            ledger.client.verify().contradictions().map { it.rule() } shouldContainExactly listOf("job_key.mismatch")
        }

        test("the jobs of a trigger may have keys: each item is recorded with the job that stands for it") {
            val ledger = freshLedger().define("mail")
            ledger.client.triggers.register("inbox", hour)
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now()")
            val poll = ledger.client.triggers.take(listOf("inbox"), Duration.ofMinutes(1)).single()
            val waiting = ledger.unique(Uniqueness.whilePending("k"))

            val fires = ledger.client.triggers.settle(poll, PollResult.fire("item", request("1", Uniqueness.whilePending("k"))))

            fires.single().jobId() shouldBe waiting.id()
            ledger.jobs() shouldBe 1
        }
    })
