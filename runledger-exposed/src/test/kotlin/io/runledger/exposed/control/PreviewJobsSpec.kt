package io.runledger.exposed.control

import io.kotest.assertions.withClue
import io.kotest.core.spec.Spec
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledger
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobStatus.DEAD_LETTERED
import io.runledger.model.job.JobStatus.LEASED
import io.runledger.model.job.JobStatus.PENDING
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class PreviewJobsSpec :
    FunSpec({
        val acme = Scope.organization(UUID(1, 1))
        val scopes = listOf(Scope.everything(), Scope.global(), acme)
        val plain =
            listOf(
                JobSelection.any(),
                JobSelection.ofType("mail"),
                JobSelection(listOf("mail", "call"), setOf(), null, null, null, null),
            )
        val selections = plain + plain.flatMap {
            listOf(
                it.failedWith("down"),
                it.failedWithMessage("Host 9 is down"),
                it.failedWith("down").failedWithMessage("Host <number> is down"),
                it.olderThan(Duration.ofDays(1)),
                it.failedWith("late").olderThan(Duration.ofDays(1)),
            )
        }

        /** Jobs of all changeable statuses, with and without an organization, a failure, an age and a step. */
        fun Spec.mixture(): TestLedger = freshLedger().define("mail", "call", "scan").also { ledger ->
            ledger.run(
                """INSERT INTO runledger.job_queue (id, job_type, organization_id, status, priority, attempt, max_attempts, created_at,
                    next_run_at, finished_at, last_error_code, last_error_message, lease_id, worker_id, leased_at, lease_seconds,
                    claim_origin, lease_expires_at)
                SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(x, 1, 3) || '8' || substr(x, 4, 15))::uuid,
                    (ARRAY['mail', 'call', 'scan'])[n % 3 + 1], CASE WHEN n % 2 = 0 THEN '${UUID(
                    1,
                    1,
                )}'::uuid END, s::runledger.job_status,
                    n % 4, 1, 3, at, CASE WHEN n % 5 = 0 THEN now() + interval '1 hour' ELSE at END,
                    CASE WHEN s = 'DEAD_LETTERED' THEN now() END,
                    (ARRAY['down', 'late', NULL])[n % 7 % 3 + 1], (ARRAY['Host ' || n || ' is down', 'Too late', NULL])[n % 11 % 3 + 1],
                    CASE WHEN s = 'LEASED' THEN gen_random_uuid() END, CASE WHEN s = 'LEASED' THEN 'w' END,
                    CASE WHEN s = 'LEASED' THEN now() END, CASE WHEN s = 'LEASED' THEN 60 END, CASE WHEN s = 'LEASED' THEN 'DIRECT' END,
                    CASE WHEN s = 'LEASED' THEN now() + n * interval '1 s' END
                FROM (
                    SELECT s, n, now() - interval '1 minute' - (n % 3) * interval '20 hours' AS at, md5(random()::text) AS x
                    FROM unnest(ARRAY['PENDING', 'LEASED', 'DEAD_LETTERED']) s, generate_series(1, 120) n
                ) made""",
            )
            // A step's dead letter is retried with its run, and cannot be requeued.
            Bench(ledger, ledger.client).run {
                ledger.rows("SELECT id FROM runledger.job_queue WHERE status = 'DEAD_LETTERED' ORDER BY id LIMIT 9").forEach {
                    set(UUID.fromString(it), "is_step = true")
                }
            }
        }

        val ledger by lazy { mixture() }

        /** How many jobs an operation changes, without a trace. */
        fun trying(work: (Ledger) -> Long): Long = ledger.dataSource.connection.use { connection ->
            connection.autoCommit = false
            work(ledger.client.within(connection)).also { connection.rollback() }
        }

        scopes.forEach { scope ->
            test("a preview counts what the operation changes, in scope ${scope.kind()}") {
                selections.forEach { selection ->
                    withClue("$selection") {
                        val requeued = ledger.client.jobs.preview(scope, selection, setOf(DEAD_LETTERED))
                        requeued.count() shouldBe trying { it.jobs.requeueAllDeadLetters(scope, selection) }
                        val canceled = ledger.client.jobs.preview(scope, selection, setOf(PENDING, LEASED))
                        canceled.count() shouldBe trying { it.jobs.cancelAllWhere(scope, selection) }
                        val waiting = ledger.client.jobs.preview(scope, selection, setOf(PENDING))
                        waiting.count() shouldBe trying { it.jobs.cancelAllWhere(scope, selection.inStatus(PENDING)) }
                        waiting shouldBe ledger.client.jobs.preview(scope, selection.inStatus(PENDING), setOf(PENDING, LEASED))
                        listOf(requeued, canceled, waiting).forEach {
                            it.isAtLeast shouldBe false
                            it.sample().size shouldBe minOf(it.count(), 10)
                        }
                    }
                }
            }
        }

        test("the sample shows jobs that the operation would change") {
            val selection = JobSelection.ofType("mail").failedWith("down")

            val sample = ledger.client.jobs.preview(acme, selection, setOf(PENDING, LEASED)).sample()

            sample.forEach {
                it.jobType() shouldBe "mail"
                it.organizationId() shouldBe UUID(1, 1)
                it.lastErrorCode() shouldBe "down"
                it.status() shouldBeIn setOf(PENDING, LEASED)
            }
            val joined = ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                val canceled = ledger.client.within(connection).jobs.cancelWhere(acme, selection, null, sample.size).map {
                    it.jobId()
                }
                connection.rollback()
                canceled
            }
            sample.map { it.id() } shouldContainExactlyInAnyOrder joined
        }

        test("beyond its bound a count says that it is a lower bound") {
            val counting = PreviewJobs(ledger.client.context, mostJobs = 50)
            counting.preview(Scope.everything(), JobSelection.any(), setOf(PENDING, LEASED)).run { count() to isAtLeast } shouldBe
                (50L to true)
            counting.preview(Scope.everything(), JobSelection.any(), setOf(LEASED)).run { count() to isAtLeast } shouldBe
                (50L to true)
            PreviewJobs(ledger.client.context, mostJobs = 120).preview(Scope.everything(), JobSelection.any(), setOf(LEASED))
                .run { count() to isAtLeast } shouldBe (120L to false)
        }

        test("a count that passes too many other jobs is a lower bound, too") {
            val reading = PreviewJobs(ledger.client.context, mostCandidates = 60)
            val selection = JobSelection.any().failedWithMessage("Too late")
            val all = ledger.client.jobs.preview(Scope.everything(), selection, setOf(PENDING))

            val some = reading.preview(Scope.everything(), selection, setOf(PENDING))

            some.isAtLeast shouldBe true
            (some.count() in 1..<all.count()) shouldBe true
            reading.preview(acme, JobSelection.any(), setOf(PENDING)).run { count() to isAtLeast } shouldBe (60L to true)
        }

        test("statuses that no operation on a selection changes are refused, and so is a selection of another status") {
            val jobs = ledger.client.jobs
            listOf(emptySet(), setOf(JobStatus.SUCCEEDED), setOf(PENDING, JobStatus.CANCELED)).forEach {
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { jobs.preview(acme, JobSelection.any(), it) }
            }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { jobs.preview(acme, JobSelection.any().inStatus(LEASED), setOf(PENDING)) }
        }
    })
