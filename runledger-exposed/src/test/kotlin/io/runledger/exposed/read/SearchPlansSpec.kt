package io.runledger.exposed.read

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Plan
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.freshLedger
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import java.util.UUID

private const val FEW = 20_000
private const val MANY = 100_000
private const val MOST = 1_000

/** A search reads as many pages beside 100,000 waiting jobs as beside 20,000, also if no job matches. */
class SearchPlansSpec :
    FunSpec({
        val acme = UUID.randomUUID()
        val ledger by lazy { freshLedger() }

        /** Waiting jobs, half of them of the organization. The first four are of type `rare`. All of them failed before. */
        fun TestLedger.fill(from: Int, to: Int) = run(
            "INSERT INTO runledger.job_definitions (job_type) VALUES ('mail'), ('rare') ON CONFLICT DO NOTHING",
            """INSERT INTO runledger.job_queue (id, job_type, organization_id, status, max_attempts, attempt, created_at,
                updated_at, next_run_at, priority, is_paused, last_error_code)
                SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
                        || '7' || substr(x, 1, 3) || '8' || substr(x, 4, 15))::uuid,
                    CASE WHEN n <= 4 THEN 'rare' ELSE 'mail' END, CASE WHEN n % 2 = 0 THEN '$acme'::uuid END,
                    'PENDING', 3, 1, at, at,
                    CASE WHEN n % 3 = 0 THEN now() + n * interval '1 second' ELSE at END, n % 5, n % 7 = 0,
                    CASE WHEN n <= 4 THEN 'test.rare' WHEN n % 2 = 0 THEN 'test.common' ELSE 'test.down' END
                FROM (
                    SELECT n, now() - interval '1 day' + n * interval '100 milliseconds' AS at, md5(n::text) AS x
                    FROM generate_series($from, $to) n
                ) made""",
            "VACUUM ANALYZE",
        )

        /** The page, and the pages of the database that were read for it. */
        fun read(scope: Scope, query: JobQuery): Pair<Page<JobSummary>, Long> {
            val source = Explaining(ledger.dataSource)
            val page = RunledgerClient.create(source).jobs.list(scope, query)
            val plans = source.plans.filter { "Scan" in it }.map(::Plan)
            plans.shouldNotBeEmpty()
            plans.forEach { withClue(it.text) { it.text shouldNotContain "Seq Scan on job_queue" } }
            return page to plans.sumOf { it.pages }
        }

        fun query(change: JobQuery.Builder.() -> Unit) =
            JobQuery.builder().statuses(JobStatus.PENDING).limit(50).apply(change).build()

        val claims: JobQuery.Builder.() -> Unit = { jobTypes(listOf("mail")).order(JobQuery.Order.CLAIM) }
        val everything = Scope.everything()
        val own = Scope.organization(acme)

        class Case(val scope: Scope, val query: JobQuery, val pages: Long, val jobs: Int)

        val cases = mapOf(
            "waiting jobs of a type, in the order of claims" to Case(everything, query(claims), 400, 50),
            "the same, with a bound" to Case(everything, query { claims().also { maxRead(MOST) } }, 400, 50),
            "the same, of an organization, with a bound" to Case(own, query { claims().also { maxRead(MOST) } }, 500, 50),
            "waiting jobs of a rare type, in the order of claims" to
                Case(everything, query { jobTypes(listOf("rare")).order(JobQuery.Order.CLAIM) }, 100, 4),
            "waiting jobs of a rare type, of an organization" to
                Case(own, query { jobTypes(listOf("rare")).maxRead(MOST) }, MOST * 3L, 0),
            "a rare error code, of an organization" to Case(own, query { errorCode("test.rare").maxRead(MOST) }, MOST * 3L, 2),
            "an error code of others, of an organization" to
                Case(own, query { errorCode("test.down").maxRead(MOST) }, MOST * 6L, 0),
            "an error code of any status, of an organization" to
                Case(own, query { statuses().errorCode("test.down").maxRead(MOST) }, MOST * 6L, 0),
        )

        test("pages of searches do not grow with the number of waiting jobs") {
            ledger.fill(1, FEW)
            val few = cases.mapValues { (_, case) -> read(case.scope, case.query) }
            ledger.fill(FEW + 1, MANY)
            val many = cases.mapValues { (_, case) -> read(case.scope, case.query) }

            cases.forEach { (name, case) ->
                val (page, pages) = many.getValue(name)
                println("PLAN $name: ${few.getValue(name).second} pages beside $FEW, $pages beside $MANY")
                withClue(name) {
                    page.items().size shouldBe case.jobs
                    few.getValue(name).first.items().size shouldBe case.jobs
                    pages shouldBeLessThanOrEqualTo case.pages
                    // An index may have grown by a level, which each of its parts reads.
                    pages shouldBeLessThanOrEqualTo few.getValue(name).second + few.getValue(name).second / 2 + 40
                }
            }
        }

        test("a deep page in the order of claims costs what the first one does") {
            val first = query { claims().also { limit(1_000) } }
            var next = first
            repeat(30) { next = next.after(ledger.client.jobs.list(everything, next).next()) }

            val (page, pages) = read(
                everything,
                JobQuery.builder().statuses(JobStatus.PENDING).apply(claims).limit(50).after(next.cursor()).build(),
            )

            page.items().size shouldBeGreaterThan 49
            pages shouldBeLessThanOrEqualTo 500
        }
    })
