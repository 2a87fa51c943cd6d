package io.runledger.exposed.schema

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledger
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.deliveries
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.triggers
import io.runledger.exposed.upkeep
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.condition.Condition
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Lease
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.key.Uniqueness
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import io.runledger.model.schedule.PollResult
import io.runledger.model.workflow.WorkflowRunStatus
import java.sql.SQLException
import java.time.Duration

/** Each role can run its operations with the rights of roles.sql, and cannot run those of the next role. */
class RolesSpec :
    FunSpec({
        val everything = Scope.everything()
        val script = checkNotNull(RunledgerClient::class.java.getResource("roles.sql")).readText()

        fun TestLedger.member(role: String) = RunledgerClient.create(asRole { listOf("GRANT runledger_$role TO $it") })

        /** Statements that no call of the library sends. */
        fun TestLedger.shouldDeny(role: String, sql: String) = shouldThrow<SQLException> {
            asRole { listOf("GRANT runledger_$role TO $it") }.connection.use { connection ->
                connection.createStatement().use { it.execute(sql) }
            }
        }.sqlState shouldBe "42501"

        fun prepared() = freshLedger().define("mail", "work").apply { repeat(2) { run(script) } }

        fun RunledgerClient.mail(key: String? = null) =
            jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).apply { key?.let(::idempotencyKey) }.build())

        fun refused(work: () -> Any?) = shouldRefuse(ErrorCode.PERMISSION_DENIED) { work() }

        test("a producer enqueues jobs and starts runs, again under the same key, and can do nothing else to them") {
            val ledger = prepared()
            val producer = ledger.member("producer")

            val job = producer.mail("once")
            producer.mail("once").isNew shouldBe false
            producer.jobs.enqueueAll(List(3) { JobRequest.builder("mail", Json.EMPTY_OBJECT).build() }) shouldHaveSize 3
            val keyed = workflow {
                work("second", work("first"))
                idempotencyKey("once")
            }
            val run = producer.workflows.enqueue(keyed).runId()
            producer.workflows.enqueue(keyed).runId() shouldBe run
            val alone = workflow {
                work("only")
                activeKey("one at a time")
            }
            repeat(2) { producer.workflows.enqueueUnlessActive(alone) }
            val idle = workflow { work("unwanted") { onlyIf(Condition.context("wanted").exists()) } }
            producer.workflows.enqueue(idle).status() shouldBe WorkflowRunStatus.SUCCEEDED

            producer.jobs.get(everything, job.id()).status() shouldBe JobStatus.PENDING
            refused { producer.jobs.cancel(everything, job.id()) }
            refused { producer.workflows.cancel(everything, run) }
            refused { producer.leases.claim(ClaimRequest.of(listOf("mail"), "thief", lease, 1)) }
            refused { producer.definitions.pause("mail") }
            ledger.shouldDeny("producer", "UPDATE runledger.job_queue SET payload = '{}'")
        }

        test("a producer enqueues unique jobs, and changes waiting ones only with the rights that roles.sql names") {
            val ledger = prepared()
            val producer = ledger.member("producer")
            val hour = Duration.ofHours(1)
            fun Ledger.unique() =
                jobs.enqueue(JobRequest.builder("mail", 1).unique(Uniqueness.whilePending("u").orWithin(hour)).build())
            fun Ledger.debounced() = jobs.enqueue(JobRequest.builder("mail", 1).debounce("d", hour, hour).build())

            val unique = producer.unique()
            producer.unique().id() shouldBe unique.id()
            ledger.client.jobs.cancel(everything, unique.id())
            ledger.run("UPDATE runledger.job_keys SET ends_at = NULL")
            producer.unique().isNew shouldBe true
            val debounced = producer.debounced()
            refused { producer.debounced() }
            ledger.client.leases.claim(ClaimRequest.of(listOf("mail"), "w1", lease, 10))

            ledger.run(
                "GRANT UPDATE (payload, headers, next_run_at, priority) ON runledger.job_queue TO runledger_producer",
                "GRANT INSERT ON runledger.job_journal TO runledger_producer",
            )
            producer.debounced().let { it.id() to it.disposition() } shouldBe (debounced.id() to Disposition.REPLACED)
        }

        test("a worker runs jobs and steps to their end, and cannot change types or forget anything") {
            val ledger = prepared()
            val worker = ledger.member("worker")
            repeat(4) { worker.mail() }
            worker.workflows.enqueue(workflow { work("second", work("first")) })
            fun claimed(type: String) = worker.leases.claim(ClaimRequest.of(listOf(type), "w1", lease, 10))
            fun settle(ending: Pair<Lease, Verdict>) = worker.leases.settle(mapOf(ending)).single().result().name

            val (good, bad, later, given) = claimed("mail")
            worker.leases.renew(listOf(good.lease()), lease).single().answer().name shouldBe "RENEWED"
            worker.leases.report(ProgressReport(good.lease(), Progress.of(1, 2), null, null))
            worker.logs.append(LogRequest.of(good.lease(), LogLevel.INFO, "half way"))
            settle(good.lease() to Verdict.Succeed(null)) shouldBe "SUCCEEDED"
            val failure = JobFailure.terminal("test.broken", "It broke.")
            settle(
                bad.lease() to Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
            ) shouldBe "DEAD_LETTERED"
            settle(later.lease() to Verdict.Snooze(Duration.ofHours(1))) shouldBe "SNOOZED"
            worker.leases.release(listOf(given.lease()), "SHUTDOWN").single().result().name shouldBe "RELEASED"
            repeat(2) { settle(claimed("work").single().lease() to Verdict.Succeed(null)) shouldBe "SUCCEEDED" }
            worker.leases.reap(10, Duration.ofSeconds(1))
            worker.upkeep.expireGates(10)
            worker.upkeep.releaseActiveKeys(10)
            worker.dueSchedules.fire(10)
            worker.deliveries.register("pager", listOf("mail"))
            worker.deliveries.take("pager", listOf("mail"), 10, lease)

            ledger.client.verify().isSound shouldBe true
            refused { worker.definitions.pause("mail") }
            ledger.shouldDeny("worker", "DELETE FROM runledger.job_queue")
        }

        test("a worker makes triggers and no other schedule, changes what none of them does, and gives no order to end") {
            val ledger = prepared()
            val worker = ledger.member("worker")
            worker.triggers.register("inbox", Duration.ofMinutes(1))
            worker.triggers.settle(worker.triggers.take(listOf("inbox"), lease).single(), PollResult.skip())

            val columns = "(name, kind, job_type, interval_seconds, next_fire_at)"
            ledger.shouldDeny("worker", "INSERT INTO runledger.job_schedules $columns VALUES ('s', 'JOB', 'mail', 1, now())")
            ledger.shouldDeny("worker", "UPDATE runledger.job_schedules SET payload_template = '{}'")
            ledger.shouldDeny("worker", "UPDATE runledger.job_schedules SET job_type = 'mail', kind = 'JOB'")
            ledger.shouldDeny("worker", "UPDATE runledger.workers SET stop_order_id = gen_random_uuid()")
        }

        test("an operator repairs and forgets, and cannot change the schema") {
            val ledger = prepared()
            val operator = ledger.member("operator")
            val job = operator.mail()
            operator.definitions.pause("mail")
            operator.definitions.resume("mail")
            operator.jobs.cancel(everything, job.id())
            ledger.run("UPDATE runledger.job_queue SET finished_at = now() - interval '2 days'")
            operator.retention.prune(PruneRequest.of(Duration.ofDays(1), setOf(JobStatus.CANCELED), 10)).jobs() shouldBe 1

            operator.verify().isSound shouldBe true
            ledger.shouldDeny("operator", "ALTER TABLE runledger.job_queue ADD COLUMN mine text")
        }

        test("a reader reads, looks through the whole ledger, and writes nothing") {
            val ledger = prepared()
            val job = ledger.enqueue()
            val reader = ledger.member("reader")

            reader.requireCompatibleSchema()
            reader.jobs.get(everything, job.id()).id() shouldBe job.id()
            reader.jobs.story(everything, job.id())
            reader.metrics.jobs(everything) shouldHaveSize 2
            reader.verify().isSound shouldBe true
            reader.health().expiredLeases() shouldBe 0
            refused { reader.mail() }
        }
    })
