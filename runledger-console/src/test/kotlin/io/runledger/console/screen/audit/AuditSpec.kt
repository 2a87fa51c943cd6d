package io.runledger.console.screen.audit

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.HOSTILE
import io.runledger.console.HOSTILE_IN_PATH
import io.runledger.console.access.ConsoleRole
import io.runledger.console.run
import io.runledger.console.shouldShowAsText
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.util.UUID

private val mail = JobType.json("mail")

class AuditSpec :
    FunSpec({
        val acme = UUID.randomUUID()
        val everything = Scope.everything()

        fun bench() = autoClose(
            ConsoleBench {
                snapshotLifetime = Duration.ZERO
            },
        ).also { it.client.definitions.sync(listOf(mail)) }

        fun ConsoleBench.page(path: String): String = viewer("ada").get(path).also { it.statusCode() shouldBe 200 }.body()

        fun ConsoleBench.job(organization: UUID? = null): UUID = client.jobs.enqueue(
            JobRequest.builder(mail, Json.EMPTY_OBJECT).apply {
                organization?.let(::organization)
            }.build(),
        ).id()

        fun ConsoleBench.lastAction(): UUID = client.audit.list(everything, AuditQuery.all()).items().first().id()

        test("the list tells who did what to what, and why") {
            val bench = bench()
            val job = bench.job()
            bench.client.actingAs("grace <h>").jobs.cancel(everything, job, "not <needed>")

            val page = bench.page("/audit")

            page shouldContain "grace &lt;h&gt;"
            page shouldContain "job: cancel"
            page shouldContain "/runledger/jobs/$job"
            page shouldContain "not &lt;needed&gt;"
            page shouldContain "/runledger/audit/${bench.lastAction()}"
        }

        test("filters come from the address") {
            val bench = bench()
            val job = bench.job()
            val second = bench.job()
            bench.client.actingAs("grace").jobs.cancel(everything, job, "first reason")
            bench.client.actingAs("linus").jobs.cancel(everything, second, "second reason")
            bench.client.actingAs("linus").definitions.pause("mail")
            val ada = bench.viewer("ada")
            fun actors(query: String): List<String> {
                val page = ada.get("/audit?$query").body()
                return listOf("grace", "linus").filter { "<bdi>$it</bdi>" in page }
            }

            actors("actor=grace") shouldBe listOf("grace")
            actors("kind=${OperatorActionKind.DEFINITION_PAUSE}") shouldBe listOf("linus")
            actors("target=JOB&name=$job") shouldBe listOf("grace")
            actors("target=JOB_TYPE&name=mail") shouldBe listOf("linus")
            actors("since=2999-01-01") shouldBe emptyList()
            actors("before=2000-01-01") shouldBe emptyList()
            actors("unfinished=true") shouldBe emptyList()
            actors("organization=$acme") shouldBe emptyList()
        }

        test("what a filter cannot mean is told at its field") {
            val ada = bench().viewer("ada")

            listOf(
                "kind=x" to "problem-kind",
                "target=JOB" to "problem-name",
                "name=mail" to "problem-target",
                "target=JOB&name=mail" to "problem-name",
                "since=soon" to "problem-since",
            ).forEach { (query, problem) ->
                val answer = ada.get("/audit?$query")
                answer.statusCode() shouldBe 400
                answer.body() shouldContain problem
            }
        }

        test("an action shows how far it is while it is not finished, and what undid it") {
            val bench = bench()
            bench.client.actingAs("grace").jobs.cancel(everything, bench.job(), "oops")
            val canceled = bench.lastAction()
            bench.client.actingAs("grace").audit.undo(everything, canceled, "by mistake")
            val undo = bench.lastAction()
            bench.client.actingAs("linus").definitions.pause("mail")
            val running = bench.lastAction()
            bench.run("UPDATE runledger.operator_actions SET finished_at = NULL, changed = 40, total = 100 WHERE id = '$running'")

            bench.page("/audit/$canceled").let {
                it shouldContain "undone"
                it shouldContain "/runledger/audit/$undo"
            }
            bench.page("/audit/$running").let {
                it shouldContain "40 of 100"
                it shouldContain "<progress"
                it shouldContain "not finished"
            }
            bench.page("/audit?unfinished=true") shouldContain running.toString()
        }

        test("the actions of another organization do not exist") {
            val bench = bench()
            bench.client.actingAs("grace").jobs.cancel(everything, bench.job(acme), "secret reason")
            val action = bench.lastAction()
            val eve = bench.viewer("eve", ConsoleRole.OPERATOR, Scope.organization(UUID.randomUUID()))

            eve.get("/audit").body() shouldNotContain "secret reason"
            eve.get("/audit/$action").statusCode() shouldBe 404
            bench.viewer("amy", ConsoleRole.VIEWER, Scope.organization(acme)).get("/audit/$action").statusCode() shouldBe 200
            eve.get("/audit/nonsense").statusCode() shouldBe 404
        }

        test("hostile names are text, and their links lead to their pages") {
            val bench = bench()
            bench.client.schedules.upsert(ScheduleRequest.builder(HOSTILE, mail, Json.EMPTY_OBJECT).cron("@daily").build())
            bench.client.actingAs(HOSTILE).schedules.pause(everything, HOSTILE, HOSTILE)

            bench.page("/audit") shouldContain "/runledger/schedules/$HOSTILE_IN_PATH"
            bench.page("/audit").shouldShowAsText()
            bench.page("/audit/${bench.lastAction()}").shouldShowAsText()
        }
    })
