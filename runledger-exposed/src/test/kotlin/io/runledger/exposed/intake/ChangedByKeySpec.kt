package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.leases
import io.runledger.exposed.signal.Ear
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.key.ReplacedPart
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** Debounced and replaced jobs. */
class ChangedByKeySpec :
    FunSpec({
        val pause = Duration.ofMinutes(10)
        val atMost = Duration.ofMinutes(15)
        val later = Instant.parse("2190-01-01T00:00:00Z")

        fun Bench.request(payload: Any, settings: JobRequest.Builder.() -> Unit): EnqueuedJob =
            client.jobs.enqueue(JobRequest.builder(Bench.TYPE, payload).apply(settings).build())

        fun Bench.debounced(payload: Any, settings: JobRequest.Builder.() -> Unit = {}) =
            request(payload) { debounce("k", pause, atMost).settings() }

        fun Bench.age(job: UUID, by: String) = set(
            job,
            "created_at = created_at - interval '$by', updated_at = updated_at - interval '$by', next_run_at = next_run_at - interval '$by'",
        )

        test("a debounced job is due after the pause, and later enqueues put it off and replace payload and headers") {
            val bench = bench()
            val ear = autoClose(Ear(bench.ledger))
            val first = bench.debounced(1) { header("locale", "de").priority(7).maxAttempts(5) }
            first.disposition() shouldBe Disposition.INSERTED
            bench.row(first.id(), "next_run_at - created_at") shouldBe "00:10:00"
            bench.claim().shouldBeEmpty()
            bench.age(first.id(), "2 minutes")

            val second = ear.heard {
                bench.debounced(2) { header("locale", "en").priority(9) } shouldBe
                    EnqueuedJob(first.id(), Disposition.REPLACED, JobStatus.PENDING, 1)
            }

            second.shouldBeEmpty()
            bench.row(
                first.id(),
                "payload, headers, priority, max_attempts, next_run_at - updated_at, run_number, attempt",
            ) shouldBe
                """2|{"locale": "en"}|7|5|00:10:00|1|0"""
            bench.journal(first.id(), "event_type, payload - 'next_run_at' - 'previous_next_run_at'") shouldContainExactly listOf(
                """EDITED|{"reason": "A later enqueue has the same key.", "changed": ["payload", "headers", "next_run_at"], """ +
                    """"previous_headers": {"locale": "de"}, "previous_payload": 1}""",
            )
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("it is due at the latest some time after the first enqueue, and then at once") {
            val bench = bench()
            val ear = autoClose(Ear(bench.ledger))
            val id = bench.debounced(1).id()
            bench.age(id, "8 minutes")

            bench.debounced(2).id() shouldBe id
            bench.row(id, "next_run_at - created_at") shouldBe "00:15:00"
            bench.age(id, "9 minutes")
            bench.row(id, "next_run_at < now()") shouldBe "t"

            // It is due and was not claimed yet: the payload is replaced, and the time stays.
            ear.heard { bench.debounced(3).id() shouldBe id } shouldContainExactly listOf("j:${Bench.TYPE}")
            bench.row(id, "payload, next_run_at - created_at") shouldBe "3|00:15:00"
            bench.claimOne().jobId() shouldBe id
        }

        test("a debounced job whose limit has passed is due now") {
            val bench = bench()
            val id = bench.debounced(1).id()
            bench.set(id, "created_at = created_at - interval '20 minutes'")

            bench.debounced(2).id() shouldBe id

            bench.row(id, "next_run_at = updated_at") shouldBe "t"
        }

        test("when it was claimed, the next enqueue begins a new job, also if the first waits for its next attempt") {
            val bench = bench()
            val first = bench.debounced(1).id()
            bench.client.jobs.runNow(Scope.everything(), first, "test")
            val lease = bench.claimOne()

            val second = bench.debounced(2)
            second.disposition() shouldBe Disposition.INSERTED
            bench.client.leases.settle(
                mapOf(lease to Verdict.Retry(JobFailure.retryable("test.broken", "broken"), pause, null)),
            )

            bench.debounced(3).id() shouldBe second.id()
            bench.row(first, "payload") shouldBe "1"
            bench.row(second.id(), "payload") shouldBe "3"
        }

        test("a debounced job that an operator canceled and requeued is not changed: the next enqueue begins a new one") {
            val bench = bench()
            val first = bench.debounced(1).id()
            bench.client.jobs.cancel(Scope.everything(), first)
            bench.client.jobs.requeue(Scope.everything(), first)

            bench.debounced(2).id() shouldNotBe first
        }

        test("in one call, the last of equal debounced keys counts") {
            val bench = bench()
            val requests = listOf(1, 2, 3).map { JobRequest.builder(Bench.TYPE, it).debounce("k", pause, atMost).build() }

            val answers = bench.client.jobs.enqueueAll(requests)

            answers.map { it.disposition() } shouldContainExactly
                listOf(Disposition.INSERTED, Disposition.REPLACED, Disposition.REPLACED)
            bench.ledger.rows("SELECT payload, next_run_at - created_at FROM runledger.job_queue") shouldContainExactly
                listOf("3|00:10:00")
            bench.client.jobs.enqueueAll(requests).map { it.id() }.distinct() shouldContainExactly listOf(answers[0].id())
            bench.journal(answers[0].id()).size shouldBe 1
        }

        test("the caller says which parts of a waiting job are replaced") {
            val bench = bench()
            fun replace(vararg parts: ReplacedPart, settings: JobRequest.Builder.() -> Unit) =
                bench.request("new") { replacePending("k", *parts).settings() }
            val id = bench.request("old") {
                replacePending("k", ReplacedPart.PAYLOAD).runAt(later).priority(5).header("a", "b")
            }.id()

            replace(ReplacedPart.PRIORITY) { priority(9) } shouldBe EnqueuedJob(id, Disposition.REPLACED, JobStatus.PENDING, 1)
            bench.row(id, "payload, headers, priority, next_run_at = '$later'") shouldBe """"old"|{"a": "b"}|9|t"""
            replace(ReplacedPart.PRIORITY, ReplacedPart.PAYLOAD) {}
            bench.row(id, "payload, headers, priority, next_run_at = '$later'") shouldBe """"new"||100|t"""
            replace(ReplacedPart.TIME) { delay(pause) }
            bench.row(id, "next_run_at - updated_at") shouldBe "00:10:00"
            replace(ReplacedPart.TIME) { runAt(later) }
            bench.row(id, "next_run_at = '$later'") shouldBe "t"

            bench.journal(
                id,
                "payload -> 'changed', payload ->> 'previous_priority', payload ->> 'priority'",
            ) shouldContainExactly
                listOf(
                    """["priority"]|5|9""",
                    """["payload", "headers", "priority"]|9|100""",
                    """["next_run_at"]||""",
                    """["next_run_at"]||""",
                )
        }

        test("a replaced time that is missing or has passed means now, and the workers are notified") {
            val bench = bench()
            val ear = autoClose(Ear(bench.ledger))
            val id = bench.request("a") { replacePending("k", ReplacedPart.TIME).runAt(later) }.id()

            ear.heard { bench.request("b") { replacePending("k", ReplacedPart.TIME) } } shouldContainExactly
                listOf("j:${Bench.TYPE}")

            bench.row(id, "next_run_at = updated_at, payload") shouldBe "t|\"a\""
            val due = bench.row(id, "next_run_at")
            bench.request("b") { replacePending("k", ReplacedPart.TIME).runAt(Instant.EPOCH.plusSeconds(1)) }
            bench.row(id, "next_run_at") shouldBe due
            bench.journal(id).size shouldBe 1
        }

        test("a job that waits for its next attempt is replaced and keeps its attempts; one that runs or has ended is not") {
            val bench = bench()
            val rule: JobRequest.Builder.() -> Unit = { replacePending("k", ReplacedPart.PAYLOAD) }
            val first = bench.request(1, rule).id()
            val lease = bench.claimOne()
            bench.client.leases.settle(
                mapOf(lease to Verdict.Retry(JobFailure.retryable("test.broken", "broken"), pause, null)),
            )

            bench.request(2, rule).id() shouldBe first
            bench.row(first, "payload, attempt") shouldBe "2|1"
            bench.journal(first, "event_type, attempt").last() shouldBe "EDITED|1"
            bench.client.jobs.runNow(Scope.everything(), first, "test")
            bench.claimOne()
            val second = bench.request(3, rule)
            second.disposition() shouldBe Disposition.INSERTED
            bench.succeed(bench.claimOne())
            bench.request(4, rule).disposition() shouldBe Disposition.INSERTED
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("the same key in another organization, or of a global job, is another key") {
            val bench = bench()
            val owners = listOf(null, UUID.randomUUID(), UUID.randomUUID())
            fun enqueue(payload: Int) = bench.client.jobs.enqueueAll(
                owners.map { owner ->
                    JobRequest.builder(Bench.TYPE, payload).debounce("k", pause, atMost).also {
                        if (owner !=
                            null
                        ) {
                            it.organization(owner)
                        }
                    }
                        .build()
                },
            )
            val first = enqueue(1)
            first.map { it.id() }.distinct().size shouldBe 3

            bench.client.jobs.enqueue(
                JobRequest.builder(
                    Bench.TYPE,
                    2,
                ).replacePending("k", ReplacedPart.PAYLOAD).organization(checkNotNull(owners[1])).build(),
            ).id() shouldBe first[1].id()

            first.map { bench.row(it.id(), "payload") } shouldContainExactly listOf("1", "2", "1")
            enqueue(3).map { it.id() } shouldContainExactly first.map { it.id() }
        }

        test("one call may debounce, replace and insert, each in the order of the call") {
            val bench = bench()
            val old = bench.debounced(1).id()

            fun one(payload: Any, settings: JobRequest.Builder.() -> Unit) =
                JobRequest.builder(Bench.TYPE, payload).apply(settings).build()
            val answers = bench.client.jobs.enqueueAll(
                listOf(
                    one(2) { debounce("k", pause, atMost) },
                    one(3) { replacePending("k", ReplacedPart.PRIORITY).priority(3) },
                    one(4) { replacePending("k", ReplacedPart.TIME).runAt(later) },
                    one(5) { replacePending("new", ReplacedPart.PRIORITY).priority(5) },
                    one(6) { replacePending("new", ReplacedPart.PRIORITY).priority(6) },
                    one(7) { replacePending("new", ReplacedPart.TIME).runAt(later) },
                ),
            )

            answers.map { it.id() } shouldContainExactly List(3) { old } + List(3) { answers[3].id() }
            bench.row(old, "payload, priority, next_run_at = '$later'") shouldBe "2|3|t"
            bench.row(answers[3].id(), "payload, priority, next_run_at = '$later'") shouldBe "5|6|t"
            bench.journal(old).size shouldBe 1
        }
    })
