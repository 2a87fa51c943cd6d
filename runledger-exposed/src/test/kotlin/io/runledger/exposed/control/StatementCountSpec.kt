package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.Ledger
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.leases
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.job.KeptState
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.ProgressReport
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import java.time.Duration
import java.util.UUID

class StatementCountSpec :
    FunSpec({
        test("what is done to many jobs takes as many statements as for one") {
            val bench = bench()
            val counting = CountingDataSource(bench.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.leases.reap(1, Duration.ofDays(1))

            fun statements(work: () -> Unit): Int = counting.count(work)

            bench.enqueue(200)
            val leases = bench.claim(200).map { it.lease() }
            statements { client.leases.reportAll(leases.map(ProgressReport::running)) } shouldBe 1
            statements { client.leases.release(leases.take(50), "X", Duration.ofDays(1)) } shouldBe 1
            statements { client.jobs.cancelAll(Scope.everything(), leases.take(50).map { it.jobId() }) } shouldBe 2
            bench.ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now(), max_attempts = 1 WHERE status = 'LEASED'")
            statements { client.leases.reap(200, Duration.ofDays(1)).size shouldBe 150 } shouldBe 4
            statements {
                client.jobs.requeueDeadLetters(
                    Scope.everything(),
                    JobSelection.any(),
                    KeptState.RESET_PROGRESS_AND_CHECKPOINT,
                    null,
                    200,
                ).size shouldBe 150
            } shouldBe 2
            // Each status is looked for by itself.
            statements { client.jobs.cancelWhere(Scope.everything(), JobSelection.any(), null, 200).size shouldBe 150 } shouldBe 4
            bench.enqueue(200)
            // The selection, the lock of runs and the change; then the begin and the end of the record.
            statements { client.jobs.cancelWhere(Scope.everything(), JobSelection.ofType(Bench.TYPE), null, 100) } shouldBe 3
            statements {
                client.actingAs("dana").jobs.cancelWhere(Scope.everything(), JobSelection.ofType(Bench.TYPE), null, 100)
            } shouldBe 3 + 2
            val canceled = PruneRequest.of(Duration.ZERO, setOf(JobStatus.CANCELED), 200)
            statements { client.retention.prune(canceled).jobs() shouldBe 200 } shouldBe 3
        }

        test("only the calls of an operator cost the statements that record them") {
            val bench = bench()
            val counting = CountingDataSource(bench.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            val everything = Scope.everything()
            client.jobs.get(everything, bench.enqueue())

            fun cost(work: Ledger.(UUID) -> Unit): List<Int> = listOf(client, client.actingAs("dana")).map { ledger ->
                val id = bench.enqueue()
                counting.count { ledger.work(id) }
            }

            cost { jobs.enqueue(JobType.json(Bench.TYPE), Json.NULL) } shouldBe listOf(1, 3)
            cost { jobs.cancel(everything, it) } shouldBe listOf(3, 5)
            cost { jobs.editPayload(everything, it, Payload.of(mapOf("n" to 2)), "typo") } shouldBe listOf(2, 4)
            cost { jobs.reprioritize(everything, it, 7, "later") } shouldBe listOf(2, 4)
            cost { definitions.pause(Bench.TYPE) } shouldBe listOf(3, 5)
            cost { workers.resumeAll("over") } shouldBe listOf(1, 3)
        }

        test("a read for a dashboard is one statement, and a preview one per status in a snapshot, however many jobs there are") {
            val bench = bench()
            val counting = CountingDataSource(bench.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            val everything = Scope.everything()
            bench.enqueue(300)
            bench.claim(200).forEachIndexed { n, job -> if (n < 100) bench.die(job.lease()) }
            // The first read on a connection of its own asks for its isolation level.
            client.jobs.find(everything, UUID.randomUUID())
            client.metrics.throughput(everything)

            fun statements(work: () -> Unit): Int = counting.count(work)

            statements { client.jobs.list(everything) { it.errorCode("test.broken") } } shouldBe 1
            statements { client.jobs.deadLetterCauses(everything).read() shouldBe 100 } shouldBe 1
            statements { client.metrics.throughput(everything) } shouldBe 1
            statements { client.metrics.failureCauses(everything).single().count() shouldBe 100 } shouldBe 1
            statements { client.metrics.durations(everything, Bench.TYPE).attempts() shouldBe 100 } shouldBe 1
            statements {
                client.jobs.preview(everything, JobSelection.any(), setOf(JobStatus.DEAD_LETTERED)).count() shouldBe 100
            } shouldBe 2
            statements {
                client.jobs.preview(everything, JobSelection.any(), setOf(JobStatus.PENDING, JobStatus.LEASED)).count() shouldBe
                    200
            } shouldBe 3
            statements { client.database() } shouldBe 2
        }
    })
