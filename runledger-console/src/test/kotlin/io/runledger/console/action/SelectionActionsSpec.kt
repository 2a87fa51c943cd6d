package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.fill
import io.runledger.console.form.form
import io.runledger.console.form.location
import io.runledger.console.form.send
import io.runledger.coroutines.handlers
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.test.until
import java.util.UUID
import java.util.concurrent.CompletableFuture

class SelectionActionsSpec :
    FunSpec({
        fun bench() = ActionBench().also { autoClose(it) }

        fun ActionBench.enqueue(jobs: Int) =
            client.jobs.enqueueAll(List(jobs) { JobRequest.builder("mail.send", Json.of("{\"n\":$it}")).build() }).map { it.id() }

        fun ActionBench.count(status: JobStatus): Long = bench.ledger.dataSource.connection.use { connection ->
            connection.createStatement().use { statement ->
                statement.executeQuery("SELECT count(*) FROM runledger.job_queue WHERE status = '$status'").use {
                    it.next()
                    it.getLong(1)
                }
            }
        }

        test("as many jobs are changed as the page says, and the record says so too") {
            val bench = bench()
            bench.enqueue(12)
            bench.running()
            bench.deadLetter()
            val ada = bench.bench.viewer("ada")

            val page = ada.get("/jobs/change/cancel?type=mail.send").body()
            val answer = ada.fill("/jobs/change/cancel?type=mail.send", "reason" to "wrong campaign")

            page shouldContain "Cancels 13 jobs. 1 of them is running: each handler is interrupted"
            answer.location() shouldBe "/audit/${bench.audit().single().id()}"
            bench.audit().single().changed() shouldBe 13
            bench.count(JobStatus.CANCELED) shouldBe 13
            bench.count(JobStatus.DEAD_LETTERED) shouldBe 1
        }

        test("waiting jobs are started, moved and put in order together") {
            val bench = bench()
            bench.enqueue(3)
            val ada = bench.bench.viewer("ada")

            ada.fill(
                "/jobs/change/reschedule?type=mail.send",
                "at" to "2031-01-01T00:00",
                "reason" to "not this year",
            ).statusCode() shouldBe
                303
            ada.fill("/jobs/change/priority?status=PENDING", "priority" to "9", "reason" to "urgent").statusCode() shouldBe 303
            ada.fill("/jobs/change/run-now", "reason" to "now after all").statusCode() shouldBe 303

            bench.audit().map { it.kind() to it.changed() } shouldBe listOf(
                OperatorActionKind.JOB_RUN_NOW to 3L,
                OperatorActionKind.JOB_REPRIORITIZE to 3L,
                OperatorActionKind.JOB_RESCHEDULE to 3L,
            )
        }

        test("the dead letters of one cause go back into the queue, and no others") {
            val bench = bench()
            val ours = List(3) { bench.deadLetter() }
            val other = bench.client.jobs.enqueue(ActionBench.failing, Json.of("{}")).id()
            bench.bench.ledger.work(handlers { on(ActionBench.failing) { error("Another cause.") } })
            val cause = bench.client.jobs.deadLetterCauses(Scope.everything()).causes().first { it.count() == 3L }
            val query = SelectionQuery(listOf(cause.jobType()), code = cause.errorCode(), message = cause.message())

            val answer = bench.bench.viewer("ada").fill(
                query.address("/dead-letters/mend"),
                "keep" to "restart",
                "reason" to "it is back",
            )

            answer.statusCode() shouldBe 303
            ours.map { bench.job(it).status() }.distinct() shouldBe listOf(JobStatus.PENDING)
            bench.job(other).status() shouldBe JobStatus.DEAD_LETTERED
            bench.audit().single().kind() shouldBe OperatorActionKind.JOB_RESTART
        }

        test("a condition of the list that the action does not understand is refused instead of ignored") {
            val bench = bench()
            bench.enqueue(2)
            val ada = bench.bench.viewer("ada")

            val answer = ada.get("/jobs/change/cancel?type=mail.send&payload=%7B%22n%22%3A1%7D")

            answer.statusCode() shouldBe 400
            answer.body() shouldContain "The condition “payload” of the list cannot be used"
        }

        test("the page of the choices offers what fits the status") {
            val bench = bench()
            bench.deadLetter()

            val page = bench.bench.viewer("ada").get("/jobs/change?status=DEAD_LETTERED").body()

            page shouldContain "/jobs/change/requeue?status=DEAD_LETTERED"
            page shouldNotContain "/jobs/change/cancel"
            bench.bench.viewer("guest", ConsoleRole.VIEWER).get("/jobs/change").statusCode() shouldBe 403
        }

        test("jobs of other organizations are neither counted nor changed") {
            val bench = bench()
            val own = UUID.randomUUID()
            val ours = bench.waiting(organization = own)
            val theirs = bench.waiting(organization = UUID.randomUUID())
            val ada = bench.bench.viewer("ada", scope = Scope.organization(own))

            ada.get("/jobs/change/cancel").body() shouldContain "Cancels 1 job."
            ada.fill("/jobs/change/cancel", "reason" to "ours").statusCode() shouldBe 303

            bench.job(ours).status() shouldBe JobStatus.CANCELED
            bench.job(theirs).status() shouldBe JobStatus.PENDING
        }

        test("if far more jobs match than the page showed, nothing is changed") {
            val bench = bench()
            bench.enqueue(2)
            val ada = bench.bench.viewer("ada")
            val form = ada.form("/jobs/change/cancel")
            bench.enqueue(100)

            val answer = ada.send(form, "reason" to "both of them")

            answer.statusCode() shouldBe 409
            answer.body() shouldContain "You saw: 2 jobs. Now: 102 jobs."
            bench.count(JobStatus.PENDING) shouldBe 102
        }

        test("5,000 jobs are changed in batches beside the request, and a second start is the same action") {
            val bench = bench()
            bench.enqueue(5_000)
            val ada = bench.bench.viewer("ada")
            val form = ada.form("/jobs/change/cancel")

            val first = ada.send(form, "reason" to "all of them")
            val second = ada.send(form, "reason" to "all of them")

            first.location()!! shouldStartWith "/audit/"
            second.location() shouldBe first.location()
            until("the action has ended") { bench.audit().single().isFinished }
            bench.audit().single().changed() shouldBe 5_000
            bench.count(JobStatus.CANCELED) shouldBe 5_000
        }

        test("if the console is closed midway, what is done stays, and the rest can be continued") {
            val bench = bench()
            val jobs = bench.enqueue(5_000)
            val ada = bench.bench.viewer("ada")

            bench.bench.ledger.dataSource.connection.use { blocker ->
                blocker.autoCommit = false
                blocker.createStatement().use {
                    it.execute("SELECT 1 FROM runledger.job_queue WHERE id = '${jobs[2_250]}' FOR UPDATE")
                }
                val started = ada.fill("/jobs/change/cancel?type=mail.send", "reason" to "all of them")
                started.location() shouldBe "/audit/${bench.audit().single().id()}"
                until("the batches before the held job have ended") { bench.audit().single().changed() == 2_000L }
                bench.audit().single().isFinished shouldBe false
                val closing = CompletableFuture.runAsync { bench.bench.console.close() }
                until("the console interrupts its actions") { isInterrupted() }
                blocker.rollback()
                closing.join()
            }

            bench.audit().single().isFinished shouldBe false
            bench.audit().single().changed() shouldBe 2_500
            bench.count(JobStatus.CANCELED) shouldBe 2_500
            val page = ada.get("/audit/${bench.audit().single().id()}").body()
            page shouldContain "2,500"
            page shouldContain "/jobs/change/cancel?type=mail.send\" class=\"button\">Continue with the other jobs"
        }

        test("an action within one organization is continued within it") {
            val bench = bench()
            val own = UUID.randomUUID()
            bench.waiting(organization = own)
            bench.client.actingAs("ada").jobs.cancelAllWhere(Scope.organization(own), JobSelection.any(), "ours")
            val global = bench.client.actingAs("ada").jobs.cancelAllWhere(Scope.global(), JobSelection.any(), "global")
            bench.bench.ledger.dataSource.connection.use { connection ->
                connection.createStatement().use { it.execute("UPDATE runledger.operator_actions SET finished_at = NULL") }
            }
            val pages = bench.audit().map { bench.bench.viewer("ada").get("/audit/${it.id()}").body() }

            global shouldBe 0
            pages.first() shouldContain "/jobs/change/cancel?organization=global\""
            pages.last() shouldContain "/jobs/change/cancel?organization=$own\""
        }
    })

private fun isInterrupted() = Thread.getAllStackTraces().keys.any { it.name == "runledger-console-action" && it.isInterrupted }
