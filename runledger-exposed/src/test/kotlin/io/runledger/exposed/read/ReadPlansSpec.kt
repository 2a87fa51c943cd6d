package io.runledger.exposed.read

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Jobs
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.TimedCursor
import io.runledger.exposed.freshLedger
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant
import java.util.UUID

private const val JOBS = 200_000

/** Ids that contain a time, like those of the library, one job per second back from now. Every hundredth is the organization's. */
private fun TestLedger.fill(organization: UUID) = run(
    "INSERT INTO runledger.job_definitions (job_type) SELECT 't' || n FROM generate_series(0, 9) n",
    """INSERT INTO runledger.job_queue (id, job_type, organization_id, status, max_attempts, attempt, created_at, next_run_at, finished_at)
        SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
                || substr(md5(n::text), 4, 15))::uuid,
            't' || n % 10, CASE WHEN n % 100 = 0 THEN '$organization'::uuid ELSE gen_random_uuid() END, status::runledger.job_status,
            3, CASE status WHEN 'PENDING' THEN 0 ELSE 1 END, at, at, CASE WHEN status <> 'PENDING' THEN at END
        FROM (
            SELECT n, now() - n * interval '1 second' AS at,
                CASE WHEN n % 200 = 7 THEN 'PENDING' WHEN n % 200 = 9 THEN 'DEAD_LETTERED' ELSE 'SUCCEEDED' END AS status
            FROM generate_series(1, $JOBS) n
        ) made""",
    """INSERT INTO runledger.job_attempts (job_id, run_number, attempt, leased_at, started_at, finished_at, lease_seconds, outcome, worker_id)
        SELECT id, 1, 1, created_at, created_at, finished_at, 30, 'SUCCEEDED', 'w' FROM runledger.job_queue
        WHERE status <> 'PENDING' ORDER BY finished_at""",
    """INSERT INTO runledger.job_dead_letters (job_id, run_number, attempt, failed_at, kind, job_type, reason, payload_snapshot)
        SELECT id, 1, 1, finished_at, 'TERMINAL', job_type, 'FAILURE_KIND_NON_RETRYABLE', '{}' FROM runledger.job_queue
        WHERE status <> 'PENDING'""",
    "INSERT INTO runledger.job_journal (job_id, attempt, event_type) SELECT job_id, 1, 'PROGRESS' FROM runledger.job_attempts",
    "INSERT INTO runledger.job_logs (job_id, level, message) SELECT job_id, 'INFO', 'done' FROM runledger.job_attempts",
    "VACUUM ANALYZE",
)

class ReadPlansSpec :
    FunSpec({
        val organization = UUID.randomUUID()
        val ledger by lazy { freshLedger().also { it.fill(organization) } }
        val everything = Scope.everything()

        fun plansOfClient(read: (RunledgerClient) -> Unit): List<String> {
            val source = Explaining(ledger.dataSource)
            read(RunledgerClient.create(source))
            return source.plans.filter { "Scan" in it }
        }

        fun plansOf(read: (Jobs) -> Unit): List<String> = plansOfClient { read(it.jobs) }

        fun pages(plan: String): Int {
            val total = checkNotNull(Regex("""Buffers: shared (.*)""").find(plan)).groupValues[1]
            return Regex("""(?:hit|read)=(\d+)""").findAll(total).sumOf { it.groupValues[1].toInt() }
        }

        fun shouldReadAtMost(limit: Int, read: (Jobs) -> Unit) {
            val plans = plansOf(read)
            plans.size shouldBeGreaterThan 0
            plans.forEach { plan ->
                withClue(plan) {
                    plan shouldNotContain Regex("Seq Scan on (job_queue|job_attempts|job_journal|job_logs)")
                    pages(plan) shouldBeLessThanOrEqualTo limit
                }
            }
        }

        fun anyJob(status: String) = UUID.fromString(
            ledger.value("SELECT id FROM runledger.job_queue WHERE status = '$status' ORDER BY id OFFSET 500 LIMIT 1"),
        )

        test("a job, its events, its attempts and its story are found by indexes") {
            val id = anyJob("SUCCEEDED")

            shouldReadAtMost(20) { it.get(everything, id) }
            shouldReadAtMost(60) { it.events(everything, id) }
            shouldReadAtMost(20) { it.attempts(everything, id) }
            shouldReadAtMost(20) { it.deadLetters(everything, id) }
            shouldReadAtMost(20) { it.deadLetters(everything, id, 50, "1") }
            shouldReadAtMost(60) { it.story(everything, id) }
        }

        test("a page reads about as much as it shows, the first and a deep one") {
            val first = JobQuery.builder().limit(50).build()
            val deep = first.after(Cursor.after(anyJob("SUCCEEDED")))

            shouldReadAtMost(100) { it.list(everything, first) }
            shouldReadAtMost(100) { it.list(everything, deep) }
            shouldReadAtMost(200) { it.list(Scope.organization(organization), first) }
        }

        test("a page of a past time starts there, and dead letters of a type have an index") {
            val past = Instant.now() - Duration.ofSeconds(JOBS.toLong()) + Duration.ofMinutes(2)
            val dead = JobQuery.builder().statuses(JobStatus.DEAD_LETTERED).jobTypes(listOf("t9")).limit(50).build()

            shouldReadAtMost(200) { it.list(everything, dead) }
            // A day of ids is the slack between clocks; the two days and more after it are not read.
            shouldReadAtMost(6_000) { it.list(everything, JobQuery.builder().createdBefore(past).limit(50).build()) }
        }

        test("why looks at a bounded part of the queue") {
            plansOf { it.why(everything, anyJob("PENDING")) }.forEach { plan ->
                withClue(plan) { plan shouldNotContain "Seq Scan on job_queue" }
            }
        }

        test("an organization's jobs of a status are found without its history") {
            val scope = Scope.organization(organization)
            val waiting = JobQuery.builder().statuses(JobStatus.PENDING, JobStatus.LEASED).limit(50).build()

            shouldReadAtMost(200) { it.list(scope, waiting) }
            shouldReadAtMost(200) { it.list(scope, JobQuery.builder().statuses(JobStatus.SUCCEEDED).limit(50).build()) }
            shouldReadAtMost(50) { it.counts(scope) }
        }

        test("open dead letters are found without those that were requeued, the first page and a deep one") {
            val deep = TimedCursor(Instant.now() - Duration.ofSeconds(JOBS / 2L), UUID.randomUUID()).text()

            shouldReadAtMost(300) { it.openDeadLetters(everything, 50) }
            shouldReadAtMost(300) { it.openDeadLetters(everything, 50, deep) }
        }

        test("metrics read what is live and what ended within their window, and none of the day before") {
            val scopes = listOf(everything, Scope.global(), Scope.organization(organization))

            scopes.flatMap { scope -> plansOfClient { it.metrics.jobs(scope) } }.forEach { plan ->
                println("PLAN metrics beside $JOBS: ${pages(plan)} pages")
                withClue(plan) {
                    plan shouldNotContain Regex("Seq Scan on (job_queue|job_attempts)")
                    // A thousand jobs wait, and 300 attempts ended within five minutes.
                    pages(plan) shouldBeLessThanOrEqualTo 4_000
                }
            }
        }

        test("live counts do not read ended jobs") {
            plansOf { it.counts(everything) }.forEach { plan ->
                withClue(plan) { plan shouldNotContain "Seq Scan on job_queue" }
            }
        }
    })
