package io.runledger.exposed.control

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Jobs
import io.runledger.exposed.Plan
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.planRows
import io.runledger.exposed.read.Explaining
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

private const val BITE = 500
private const val FEW = 2_000L
private const val MANY = 10_000L
private val others = maxOf(planRows, 200_000)

/** The pages that are read to find jobs by a selection must not grow with the other rows of the table. */
class SelectionPlansSpec :
    FunSpec({
        val everything = Scope.everything()
        val organization = UUID.randomUUID()
        val keep = KeptState.RESET_PROGRESS_AND_CHECKPOINT

        val pending = "'PENDING', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
        val leased = "'LEASED', 1, NULL, gen_random_uuid(), 'w', now(), 3600, 'DIRECT', now() + n * interval '1 s'"
        val dead = "'DEAD_LETTERED', 1, now() - n * interval '1 s', NULL, NULL, NULL, NULL, NULL, NULL"
        val succeeded = "'SUCCEEDED', 1, now() - n * interval '1 s', NULL, NULL, NULL, NULL, NULL, NULL"

        /** Ids that contain a time, like those of the library, one per second back from [from]. */
        fun TestLedger.jobs(
            count: Long,
            type: String,
            state: String,
            org: UUID? = null,
            code: String? = null,
            from: String = "now()",
        ) = run(
            """
            INSERT INTO runledger.job_queue (id, job_type, organization_id, last_error_code, max_attempts, created_at, next_run_at, status,
                attempt, finished_at, lease_id, worker_id, leased_at, lease_seconds, claim_origin, lease_expires_at)
            SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(x, 1, 3) || '8' || substr(x, 4, 15))::uuid,
                '$type', ${org?.let { "'$it'::uuid" } ?: "NULL"}, ${code?.let { "'$it'" } ?: "NULL"}, 9, at, at, $state
            FROM (SELECT n, $from - n * interval '1 second' AS at, md5(random()::text) AS x FROM generate_series(1, $count) n) made
            """,
        )

        val ledger by lazy {
            freshLedger().apply {
                define("crawl", "mail", "call", "scan", "post", "sort", "pack")
                val share = others / 4
                jobs(share, "crawl", pending)
                jobs(share, "crawl", dead, code = "common")
                jobs(share, "crawl", succeeded, organization)
                jobs(share, "crawl", pending, UUID.randomUUID())
                run("VACUUM ANALYZE runledger.job_queue")
            }
        }

        fun few(fill: TestLedger.() -> Unit) = ledger.apply {
            fill()
            run("ANALYZE runledger.job_queue")
        }

        /** The plans by which jobs were selected while [work] was done. */
        fun selecting(work: (Jobs) -> Unit): List<Plan> {
            val source = Explaining(ledger.dataSource) { "job_queue" in it && "UPDATE" !in it && "run_number" in it }
            work(RunledgerClient.create(source).jobs)
            return source.plans.map(::Plan)
        }

        fun List<Plan>.shouldBeNarrow(what: String) = forEach { plan ->
            println("PLAN $what, $BITE beside $others: ${plan.pages} pages")
            withClue(plan.text) {
                plan.text shouldNotContain "Seq Scan on job_queue"
                plan.pages shouldBeLessThan BITE * 3L
            }
        }

        val canceled = mapOf<String, Pair<TestLedger.() -> Unit, Pair<Scope, JobSelection>>>(
            "of a status" to Pair({ }, everything to JobSelection.any().inStatus(JobStatus.PENDING)),
            "that run" to Pair({ jobs(FEW, "post", leased) }, everything to JobSelection.any().inStatus(JobStatus.LEASED)),
            "of a type" to Pair({ jobs(FEW, "mail", pending) }, everything to JobSelection.ofType("mail")),
            "of an organization" to
                Pair({ jobs(FEW, "scan", pending, organization) }, Scope.organization(organization) to JobSelection.any()),
            "that failed with a code" to
                Pair({ jobs(FEW, "scan", pending, code = "rare") }, everything to JobSelection.any().failedWith("rare")),
            "of an age in an organization" to Pair(
                { jobs(FEW, "post", pending, organization, from = "now() - interval '9 days'") },
                Scope.organization(organization) to JobSelection.any().olderThan(Duration.ofDays(8)),
            ),
        )
        canceled.forEach { (what, given) ->
            test("canceling jobs $what reads what it cancels") {
                val (fill, wanted) = given
                few(fill)

                val plans = selecting { jobs ->
                    repeat(2) { jobs.cancelWhere(wanted.first, wanted.second, null, BITE).size shouldBe BITE }
                }

                plans.shouldBeNarrow("canceling jobs $what")
            }
        }

        val requeued = mapOf<String, Pair<TestLedger.() -> Unit, Pair<Scope, JobSelection>>>(
            "of all kinds" to Pair({ }, everything to JobSelection.any()),
            "of a type" to Pair({ jobs(FEW, "call", dead) }, everything to JobSelection.ofType("call")),
            "of an organization" to
                Pair({ jobs(FEW, "mail", dead, organization) }, Scope.organization(organization) to JobSelection.any()),
            "with a code" to
                Pair({ jobs(FEW, "crawl", dead, code = "rare") }, everything to JobSelection.any().failedWith("rare")),
            "of an age" to Pair(
                { jobs(FEW, "crawl", dead, from = "now() - interval '99 days'") },
                everything to JobSelection.any().olderThan(Duration.ofDays(98)),
            ),
        )
        requeued.forEach { (what, given) ->
            test("requeueing dead letters $what reads what it requeues") {
                val (fill, wanted) = given
                few(fill)

                val plans = selecting { jobs ->
                    repeat(2) { jobs.requeueDeadLetters(wanted.first, wanted.second, keep, null, BITE).size shouldBe BITE }
                }

                plans.shouldBeNarrow("requeueing dead letters $what")
            }
        }

        test("canceling all in batches reads each candidate once and looks once more, also those that do not match") {
            few {
                jobs(MANY, "sort", pending, from = "now() - interval '9 days'")
                jobs(MANY, "sort", pending)
                jobs(MANY, "sort", pending, UUID.randomUUID(), from = "now() - interval '9 days'")
            }
            val selection = JobSelection.ofType("sort").olderThan(Duration.ofDays(8))

            val plans = selecting { it.cancelAllWhere(Scope.global(), selection) shouldBe MANY }

            // Half of the candidates are another organization's or too young. What was canceled is passed once more.
            println("PLAN canceling $MANY of ${3 * MANY}: ${plans.sumOf { it.pages }} pages in ${plans.size} batches")
            plans.sumOf { it.pages } shouldBeLessThan 2 * 3 * MANY * 3 / 2 + plans.size * 50L
        }

        test("requeueing all in batches reads each candidate once, also those that do not match") {
            few {
                jobs(MANY, "pack", dead, code = "odd")
                jobs(MANY, "pack", dead, UUID.randomUUID(), code = "odd")
            }

            val plans = selecting {
                it.requeueAllDeadLetters(Scope.global(), JobSelection.any().failedWith("odd"), keep) shouldBe MANY
            }

            println("PLAN requeueing $MANY of ${2 * MANY}: ${plans.sumOf { it.pages }} pages in ${plans.size} batches")
            plans.sumOf { it.pages } shouldBeLessThan 2 * MANY * 3 / 2 + plans.size * 50L
        }
    })
