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
import io.runledger.model.error.ErrorCode
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.LogRequest
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class JobLogsSpec :
    FunSpec({
        val tenant = UUID(7, 7)

        fun Spec.ledgerWithMail(): TestLedger = freshLedger().also { it.client.definitions.declare(JobType.json("mail")) }

        fun request(organization: UUID?) = JobRequest.builder("mail", Json.EMPTY_OBJECT)
            .also { if (organization != null) it.organization(organization) }
            .build()

        fun TestLedger.job(organization: UUID? = null): UUID = client.jobs.enqueue(request(organization)).id()

        fun info(job: UUID, message: String) = LogRequest.of(job, LogLevel.INFO, message)

        test("lines are kept in their order, with run, attempt and facts") {
            val ledger = ledgerWithMail()
            val job = ledger.job()
            val lease = ledger.client.leases.claim(
                ClaimRequest.of(listOf("mail"), "w", Duration.ofMinutes(1), 1),
            ).single().lease()

            ledger.client.logs.appendAll(
                listOf(
                    LogRequest.of(lease, LogLevel.WARN, "slow").with(Json("""{"ms": 5}""")),
                    info(job, "from outside"),
                    LogRequest(job, 3, 0, LogLevel.ERROR, "later run", Json.EMPTY_OBJECT),
                ),
            ) shouldBe 3
            val lines = ledger.client.logs.list(Scope.global(), job).items()
            lines.map { listOf(it.runNumber(), it.attempt(), it.level(), it.message(), it.payload().text()) } shouldContainExactly
                listOf(
                    listOf(1, 1, "WARN", "slow", """{"ms": 5}"""),
                    listOf(1, null, "INFO", "from outside", "{}"),
                    listOf(3, 0, "ERROR", "later run", "{}"),
                )
        }

        test("an attempt that lost its lease may still say what it did, and a line without a run is of the current one") {
            val ledger = ledgerWithMail()
            val job = ledger.job()
            val lease = ledger.client.leases.claim(
                ClaimRequest.of(listOf("mail"), "w", Duration.ofMinutes(1), 1),
            ).single().lease()
            ledger.run(
                """UPDATE runledger.job_queue
                    SET status = 'PENDING', lease_id = NULL, worker_id = NULL, run_number = 2, attempt = 0""",
            )

            ledger.client.logs.append(LogRequest.of(lease, LogLevel.INFO, "done anyway")) shouldBe true
            ledger.client.logs.append(info(job, "seen")) shouldBe true
            ledger.client.logs.list(Scope.everything(), job).items().map { it.runNumber() to it.attempt() } shouldContainExactly
                listOf(1 to 1, 2 to null)
        }

        test("whatever a message holds is written; blank lines and lines of unknown jobs cost the others nothing") {
            val ledger = ledgerWithMail()
            val job = ledger.job()

            ledger.client.logs.appendAll(
                listOf(
                    info(job, "nul \u0000 and half \uD800 a pair"),
                    info(job, " \t\u00A0\n"),
                    info(UUID(0, 1), "nobody's"),
                    info(job, "ä".repeat(100_000)),
                ),
            ) shouldBe 2
            val (first, second) = ledger.client.logs.list(Scope.global(), job).items().map { it.message() }
            first shouldBe "nul \uFFFD and half \uFFFD a pair"
            second.toByteArray().size shouldBe 8191
            ledger.client.logs.append(info(job, "")) shouldBe false
            ledger.client.logs.append(info(UUID(0, 1), "x")) shouldBe false
            ledger.client.logs.appendAll(listOf()) shouldBe 0
        }

        test("a log is read forward after a line and backward before one") {
            val ledger = ledgerWithMail()
            val job = ledger.job()
            val logs = ledger.client.logs
            logs.appendAll((1..5).map { info(job, "line $it") })
            logs.append(info(ledger.job(), "another job's"))
            val cursors = logs.list(Scope.global(), job).items().map { it.cursor() }

            logs.list(Scope.global(), job, 2, cursors[1]).items().map { it.message() } shouldContainExactly
                listOf("line 3", "line 4")
            logs.list(Scope.global(), job, after = cursors[4]).items().shouldBeEmpty()
            logs.newest(Scope.global(), job, limit = 2).items().map { it.message() } shouldContainExactly
                listOf("line 5", "line 4")
            logs.newest(Scope.global(), job, 2, cursors[3]).items().map { it.message() } shouldContainExactly
                listOf("line 3", "line 2")
            logs.newest(Scope.global(), job, after = cursors[0]).items().shouldBeEmpty()
            logs.list(Scope.global(), job, 2).next() shouldBe cursors[1]
            logs.newest(Scope.global(), job, 2).next() shouldBe cursors[3]
            listOf(logs.list(Scope.global(), job, 5), logs.newest(Scope.global(), job, 5)).map { it.next() } shouldBe
                listOf(null, null)
        }

        test("a log outside the scope looks like one that does not exist") {
            val ledger = ledgerWithMail()
            val theirs = ledger.job(tenant)
            val global = ledger.job()
            ledger.client.logs.appendAll(listOf(info(theirs, "t"), info(global, "g")))

            fun seen(scope: Scope) = listOf(theirs, global)
                .flatMap { ledger.client.logs.list(scope, it).items() + ledger.client.logs.newest(scope, it).items() }
                .map { it.message() }
            seen(Scope.global()) shouldContainExactly listOf("g", "g")
            seen(Scope.organization(tenant)) shouldContainExactly listOf("t", "t")
            seen(Scope.organization(UUID(8, 8))).shouldBeEmpty()
            seen(Scope.everything()) shouldContainExactly listOf("t", "t", "g", "g")
        }

        test("a page has 1 to 1000 lines and starts at a line") {
            val logs = ledgerWithMail().client.logs
            val job = UUID(1, 1)
            listOf<() -> Any>(
                { logs.list(Scope.global(), job, 0) },
                { logs.list(Scope.global(), job, 1001) },
                { logs.list(Scope.global(), job, after = "-1") },
                { logs.newest(Scope.global(), job, 5, "a line") },
            ).forEach { read -> shouldRefuse(ErrorCode.INVALID_PAGINATION) { read() } }
            logs.list(Scope.global(), job, 1000).items().shouldBeEmpty()
        }

        test("joined lines are there when the caller commits") {
            val ledger = ledgerWithMail()
            val job = ledger.job()
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).logs.append(info(job, "never")) shouldBe true
                connection.rollback()
            }
            ledger.client.logs.list(Scope.global(), job).items().shouldBeEmpty()
        }
    })
