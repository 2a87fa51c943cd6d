package io.runledger.exposed.read

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Jobs
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.util.UUID

class JobsOfQueueSpec :
    FunSpec({
        val everything = Scope.everything()

        fun TestLedger.list(query: JobQuery.Builder.() -> Unit): List<UUID> =
            client.jobs.list(everything, JobQuery.builder().apply(query).build()).items().map { it.id() }

        test("a list shows the jobs of a queue, newest first, whatever their statuses, page by page") {
            val ledger = freshLedger().define("mail")
            val jobs = List(4) { ledger.enqueue { queue("imports") }.id() }
            ledger.enqueue()
            ledger.enqueue { queue("exports") }
            ledger.claim(limit = 2).filter {
                it.lease().jobId() in jobs
            }.take(1).forEach { ledger.settle(it, Verdict.Succeed(null)) }

            val all = JobQuery.builder().queue("imports").limit(3).build()
            val first = ledger.client.jobs.list(everything, all)
            val second = ledger.client.jobs.list(everything, all.after(first.next()))

            (first.items() + second.items()).map { it.id() } shouldContainExactly jobs.sorted().reversed()
            first.items().first().flow().queue() shouldBe "imports"
            ledger.list { queue("none") } shouldBe emptyList()
            ledger.list {
                queue("imports")
                statuses(JobStatus.PENDING, JobStatus.LEASED)
            } shouldContainExactlyInAnyOrder jobs.filterNot { ledger.client.jobs.get(everything, it).isTerminal }
            shouldRefuse(ErrorCode.FLOW_NAME_INVALID) { JobQuery.builder().queue("no name").build() }
        }

        test("an operation selects the jobs of a queue, and its preview counts them") {
            val ledger = freshLedger().define("mail")
            val organization = UUID.randomUUID()
            val own = ledger.enqueue {
                queue("imports")
                organization(organization)
            }.id()
            val jobs = List(3) { ledger.enqueue { queue("imports") }.id() } + own
            val rest = listOf(ledger.enqueue().id(), ledger.enqueue { queue("exports") }.id())
            val selection = JobSelection.any().inQueue("imports")

            ledger.client.jobs.preview(everything, selection, setOf(JobStatus.PENDING)).let {
                it.count() shouldBe 4
                it.sample().map { job -> job.id() } shouldContainExactlyInAnyOrder jobs
            }
            ledger.client.jobs.cancelAllWhere(Scope.organization(organization), selection, "Not wanted.")
            ledger.client.jobs.get(everything, own).status() shouldBe JobStatus.CANCELED
            ledger.client.jobs.cancelAllWhere(everything, selection, "Not wanted.")

            jobs.map { ledger.client.jobs.get(everything, it).status() }.distinct() shouldContainExactly
                listOf(JobStatus.CANCELED)
            rest.map { ledger.client.jobs.get(everything, it).status() }.distinct() shouldContainExactly listOf(JobStatus.PENDING)
            shouldRefuse(ErrorCode.FLOW_NAME_INVALID) { JobSelection.any().inQueue("") }
        }

        test("waiting jobs of a queue are found without those of other queues and without history") {
            val ledger = freshLedger().define("mail")
            ledger.run(
                """INSERT INTO runledger.job_queue (job_type, max_attempts, flow_group, queue, limit_keys, status, finished_at)
                    SELECT 'mail', 1, md5(q)::uuid, q, ARRAY['queue:' || q], s::runledger.job_status, CASE s WHEN 'SUCCEEDED' THEN now() END
                    FROM (
                        SELECT CASE WHEN n % 100 = 0 THEN 'imports' ELSE 'exports' END AS q,
                            CASE WHEN n % 2 = 0 THEN 'PENDING' ELSE 'SUCCEEDED' END AS s
                        FROM generate_series(1, 40000) n
                    ) made""",
                "VACUUM ANALYZE runledger.job_queue",
            )

            fun shouldReadAtMost(limit: Int, read: (Jobs) -> Unit) {
                val explaining = Explaining(ledger.dataSource)
                read(RunledgerClient.create(explaining).jobs)
                explaining.plans.filter { "Scan" in it }.forEach { plan ->
                    withClue(plan) {
                        plan shouldNotContain "Seq Scan on job_queue"
                        val total = checkNotNull(Regex("""Buffers: shared (.*)""").find(plan)).groupValues[1]
                        Regex("""(?:hit|read)=(\d+)""").findAll(total).sumOf {
                            it.groupValues[1].toInt()
                        } shouldBeLessThanOrEqualTo
                            limit
                    }
                }
            }
            val waiting = JobQuery.builder().queue("imports").statuses(JobStatus.PENDING, JobStatus.LEASED).limit(50).build()

            shouldReadAtMost(150) { it.list(everything, waiting) }
            // 400 candidates, each of which may be on a page of its own; a few times for the conditions and the sample.
            shouldReadAtMost(3_000) { it.preview(everything, JobSelection.any().inQueue("imports"), setOf(JobStatus.PENDING)) }
        }
    })
