package io.runledger.exposed.read

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Plan
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.control.PreviewJobs
import io.runledger.exposed.control.ReadCauses
import io.runledger.exposed.freshLedger
import io.runledger.exposed.metrics.ReadDurations
import io.runledger.exposed.metrics.ReadFailureCauses
import io.runledger.exposed.metrics.ReadThroughput
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus.DEAD_LETTERED
import io.runledger.model.job.JobStatus.LEASED
import io.runledger.model.job.JobStatus.PENDING
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

private const val JOBS = 200_000
private const val MOST = 2_000

/**
 * The pages that a read for a dashboard reads do not grow with the ledger. The bounds are lowered, so that the tables have far more
 * rows than may be read, and every scope and condition has more than enough of them.
 */
class DashboardPlansSpec :
    FunSpec({
        val organization = UUID.randomUUID()

        /** One job per second back from now, in all statuses. Half of the attempts ended in the last hour, at the end of the table. */
        fun TestLedger.fill() = run(
            "INSERT INTO runledger.job_definitions (job_type) SELECT 't' || n FROM generate_series(0, 9) n",
            """INSERT INTO runledger.job_queue (id, job_type, organization_id, status, max_attempts, attempt, created_at, next_run_at,
                finished_at, last_error_code, last_error_message, lease_id, worker_id, leased_at, lease_seconds, claim_origin, lease_expires_at)
                SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(x, 1, 3) || '8' || substr(x, 4, 15))::uuid,
                    't' || n % 10, CASE WHEN n % 20 = 0 THEN '$organization'::uuid WHEN n % 2 = 0 THEN gen_random_uuid() END,
                    s::runledger.job_status, 3, 1, at, at, CASE WHEN s IN ('SUCCEEDED', 'DEAD_LETTERED') THEN at END,
                    CASE WHEN s = 'DEAD_LETTERED' THEN 'code.' || n % 7 END,
                    CASE WHEN s = 'DEAD_LETTERED' THEN 'Job ' || n || ' of ' || x || ' is broken.' END,
                    CASE WHEN s = 'LEASED' THEN gen_random_uuid() END, CASE WHEN s = 'LEASED' THEN 'w' END,
                    CASE WHEN s = 'LEASED' THEN now() END, CASE WHEN s = 'LEASED' THEN 60 END, CASE WHEN s = 'LEASED' THEN 'DIRECT' END,
                    CASE WHEN s = 'LEASED' THEN now() + n * interval '1 s' END
                FROM (
                    SELECT n, now() - n * interval '1 second' AS at, md5(random()::text) AS x,
                        (ARRAY['PENDING', 'LEASED', 'DEAD_LETTERED', 'SUCCEEDED'])[n / 20 % 4 + 1] AS s
                    FROM generate_series($JOBS, 1, -1) n
                ) made""",
            """INSERT INTO runledger.job_attempts
                (job_id, run_number, attempt, leased_at, started_at, finished_at, lease_seconds, outcome, worker_id, error_code)
                SELECT id, 1, 1, at, at, at, 30, CASE WHEN n % 2 = 0 THEN 'SUCCEEDED' ELSE 'TERMINAL' END::runledger.job_failure_kind, 'w', 'down'
                FROM (
                    SELECT id, n, CASE WHEN n < ${JOBS / 2} THEN now() - interval '1 day' - n * interval '1 second'
                        ELSE now() - ($JOBS - n) * 3500.0 / ${JOBS / 2} * interval '1 second' END AS at
                    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM runledger.job_queue) numbered
                ) made
                ORDER BY at""",
            "VACUUM ANALYZE",
        )

        val ledger by lazy { freshLedger().also { it.fill() } }
        val scopes = listOf(Scope.everything(), Scope.global(), Scope.organization(organization))

        fun shouldReadAtMost(pages: Long, what: String, read: (RunledgerClient) -> Unit) {
            val source = Explaining(ledger.dataSource)
            read(RunledgerClient.create(source))
            val plans = source.plans.filter { "Scan" in it }.map(::Plan)
            plans.size shouldBeGreaterThan 0
            plans.forEach { plan ->
                println("PLAN $what, $MOST beside $JOBS: ${plan.pages} pages")
                withClue(plan.text) {
                    plan.text shouldNotContain Regex("Seq Scan on (job_queue|job_attempts|job_dead_letters)")
                    plan.pages shouldBeLessThanOrEqualTo pages
                }
            }
        }

        scopes.forEach { scope ->
            val name = scope.kind().name.lowercase()

            test("a page of jobs that failed with a code reads about as much as it shows, in scope $name") {
                // Within an organization, either of two indexes serves: that of the code passes the jobs of others.
                val pages = if (scope.kind() == Scope.Kind.EVERYTHING) 400L else 8_000L
                shouldReadAtMost(pages, "page of a code in $name") { client ->
                    client.jobs.list(scope) { it.errorCode("code.3").limit(50) }
                }
                shouldReadAtMost(50, "page of a key in $name") { client ->
                    client.jobs.list(scope) { it.idempotencyKey("none").limit(50) }
                }
            }

            test("causes of dead letters read no more than the bound, in scope $name") {
                // An index entry, and a lookup by primary key for each.
                shouldReadAtMost(MOST * 6L, "causes in $name") { ReadCauses(it.context, MOST).causes(scope, 50) }
            }

            test("a preview reads no more than the bound, in scope $name") {
                val selections = listOf(
                    JobSelection.any(),
                    JobSelection.ofType("t3"),
                    JobSelection.any().failedWith("code.3"),
                    JobSelection.any().failedWithMessage("No job is like this."),
                    JobSelection.any().olderThan(Duration.ofDays(99)),
                )
                selections.forEach { selection ->
                    listOf(PENDING, LEASED, DEAD_LETTERED).forEach { status ->
                        shouldReadAtMost(MOST * 10L, "preview of $status in $name") {
                            PreviewJobs(
                                it.context,
                                mostJobs = MOST,
                                mostCandidates = MOST,
                            ).preview(scope, selection, setOf(status))
                        }
                    }
                }
            }

            test("numbers of ended attempts read no more than the bound, in scope $name") {
                listOf(Duration.ofHours(1), Duration.ofDays(7)).forEach { window ->
                    shouldReadAtMost(MOST * 6L, "throughput of $window in $name") {
                        ReadThroughput(it.context, MOST).throughput(scope, window, 84)
                    }
                    shouldReadAtMost(MOST * 6L, "failure causes of $window in $name") {
                        ReadFailureCauses(it.context, MOST).causes(scope, window, 20)
                    }
                }
                shouldReadAtMost(MOST * 12L, "durations in $name") {
                    ReadDurations(it.context, MOST).durations(scope, "t3", 1_000)
                }
            }
        }

        test("the report about the database reads the catalog, no table of the ledger, and a few entries of an index") {
            shouldReadAtMost(4_000, "database") { it.database() }
        }
    })
