package io.runledger.exposed.definition

import io.kotest.core.spec.Spec
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.definition.JobMetrics
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class MetricsSpec :
    FunSpec({
        val tenants = listOf(UUID(1, 1), UUID(2, 2))

        fun Spec.ledgerWithTypes(): TestLedger =
            freshLedger().also { it.client.definitions.sync(listOf(JobType.json("mail"), JobType.json("idle"))) }

        fun nothing(jobType: String, organization: UUID? = null) =
            JobMetrics(organization, jobType, Duration.ofMinutes(5), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null)

        fun request(organization: UUID?) = JobRequest.builder("mail", Json.EMPTY_OBJECT)
            .also { if (organization != null) it.organization(organization) }
            .build()

        fun TestLedger.enqueue(organization: UUID?): UUID = client.jobs.enqueue(request(organization)).id()

        /** Finished jobs whose only attempts took so many seconds each. */
        fun TestLedger.succeeded(organization: UUID?, vararg seconds: Int) = seconds.forEach {
            val job = enqueue(organization)
            run(
                "UPDATE runledger.job_queue SET status = 'SUCCEEDED', attempt = 1, finished_at = now() WHERE id = '$job'",
                """INSERT INTO runledger.job_attempts (job_id, run_number, attempt, leased_at, started_at, finished_at,
                    lease_seconds, outcome, worker_id) SELECT '$job', 1, 1, t, t - interval '$it s', t, 30, 'SUCCEEDED', 'w' FROM now() AS t""",
            )
        }

        test("a ledger without types has no numbers") {
            freshLedger().client.metrics.jobs(Scope.everything()).shouldBeEmpty()
        }

        test("every defined type has a row, with zeros when it did nothing in the scope") {
            val ledger = ledgerWithTypes()
            ledger.enqueue(tenants[0])

            ledger.client.metrics.jobs(Scope.global()) shouldContainExactly listOf(nothing("idle"), nothing("mail"))
            ledger.client.metrics.jobs(Scope.organization(tenants[1])) shouldContainExactly
                listOf(nothing("idle", tenants[1]), nothing("mail", tenants[1]))
            ledger.client.metrics.jobs(Scope.organization(tenants[0])).map { it.pending() } shouldContainExactly listOf(0, 1)
            ledger.client.metrics.jobs(Scope.everything()).map { it.pending() } shouldContainExactly listOf(0, 1)
        }

        test("counts of all organizations add up") {
            val ledger = ledgerWithTypes()
            (tenants + null).forEach { ledger.enqueue(it) }
            ledger.client.leases.claim(ClaimRequest.of(listOf("mail"), "w", Duration.ofMinutes(1), 2))
            ledger.succeeded(tenants[0], 1)
            ledger.succeeded(null, 1)
            ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 s' WHERE status = 'LEASED'")

            val mail = ledger.client.metrics.jobs(Scope.everything()).single { it.jobType() == "mail" }
            listOf(mail.pending(), mail.leased(), mail.staleLeases(), mail.succeeded()) shouldContainExactly listOf(1, 2, 2, 2)
        }

        test("what ended before the window is not counted, and a window can be longer") {
            val ledger = ledgerWithTypes()
            ledger.succeeded(null, 1)
            ledger.run("UPDATE runledger.job_attempts SET finished_at = finished_at - interval '6 min'")
            ledger.succeeded(null, 1)

            fun succeeded(window: Duration?) = ledger.client.metrics
                .run { if (window == null) jobs(Scope.everything()) else jobs(Scope.everything(), window) }
                .single { it.jobType() == "mail" }
            succeeded(null).succeeded() shouldBe 1
            succeeded(Duration.ofMinutes(7)).run { succeeded() to window() } shouldBe (2L to Duration.ofMinutes(7))
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { succeeded(Duration.ZERO) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { succeeded(Duration.ofDays(2)) }
        }

        test("percentiles over all organizations come from all attempts, not from averages") {
            val ledger = ledgerWithTypes()
            ledger.succeeded(tenants[0], 1, 1, 1)
            ledger.succeeded(tenants[1], 101)

            val everything = ledger.client.metrics.jobs(Scope.everything()).single { it.jobType() == "mail" }
            everything.medianDuration() shouldBe Duration.ofSeconds(1)
            everything.p95Duration() shouldBe Duration.ofSeconds(86)
            val one = ledger.client.metrics.jobs(Scope.organization(tenants[1])).single { it.jobType() == "mail" }
            one.medianDuration() shouldBe Duration.ofSeconds(101)
            one.p95Duration() shouldBe Duration.ofSeconds(101)
        }
    })
