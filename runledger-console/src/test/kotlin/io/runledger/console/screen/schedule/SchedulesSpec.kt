package io.runledger.console.screen.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.HOSTILE
import io.runledger.console.HOSTILE_IN_PATH
import io.runledger.console.access.ConsoleRole
import io.runledger.console.run
import io.runledger.console.screen.readText
import io.runledger.console.shouldShowAsText
import io.runledger.coroutines.handlers
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

private val ping = JobType.json("ping")
private val pings = handlers { on(ping) { } }

class SchedulesSpec :
    FunSpec({
        val global = Scope.global()
        val acme = UUID.randomUUID()

        fun bench() = autoClose(
            ConsoleBench {
                snapshotLifetime = Duration.ZERO
            },
        ).also { it.client.definitions.sync(listOf(ping)) }

        fun ConsoleBench.save(name: String, settings: ScheduleRequest.Builder.() -> Unit = { cron("0 3 * * *") }) =
            client.schedules.upsert(
                ScheduleRequest.builder(name, ping, Json.of("""{"n":1,"token":"s3cret"}""")).apply(settings).build(),
            )

        fun ConsoleBench.page(path: String): String = viewer("ada").get(path).also { it.statusCode() shouldBe 200 }.body()

        fun ConsoleBench.fire() = WorkerLedger.of(client).schedules.fire(100)

        test("the list shows schedules of all kinds, with their rules in words") {
            val bench = bench()
            bench.save("nightly")
            bench.save("often") { every(Duration.ofMinutes(5)) }
            val flow = WorkflowRequest.builder("closing").apply { job("only", ping, Json.EMPTY_OBJECT) }.build()
            bench.client.schedules.upsert(ScheduleRequest.builder("monthly", flow).cron("@monthly").build())

            val page = bench.page("/schedules")

            listOf("nightly", "often", "monthly").forEach { page shouldContain "/runledger/schedules/$it" }
            page shouldContain "/runledger/types/ping"
            page shouldContain "/runledger/runs?type=closing"
            page shouldContain "03:00"
        }

        test("late and paused schedules are marked") {
            val bench = bench()
            bench.save("late")
            bench.save("paused")
            bench.client.schedules.pause(global, "paused", "holiday")
            bench.run("UPDATE runledger.job_schedules SET next_fire_at = now() - interval '5 minutes' WHERE name = 'late'")

            val page = bench.page("/schedules")

            page shouldContain "state state-lost\">late"
            page shouldContain "state state-paused\">paused"
            bench.page("/schedules/late") shouldContain "Its fire is overdue"
            bench.page("/schedules/paused").let {
                it shouldContain "It is paused."
                it shouldContain "holiday"
            }
        }

        test("a schedule shows its next ten fires in UTC and in its zone") {
            val bench = bench()
            bench.save("nightly") { cron("30 3 * * *").zone("Asia/Kolkata") }

            val page = bench.page("/schedules/nightly")

            Regex("22:00:00 UTC").findAll(page.substringAfter("Next fires")).count() shouldBe 10
            Regex("03:30:00 \\+05:30").findAll(page).count() shouldBe 10
            page shouldContain "&quot;n&quot;"
            page shouldNotContain "s3cret"
        }

        test("the history links to jobs, and tells misfires, lateness and actions of operators") {
            val bench = bench()
            bench.save("skipping") { every(Duration.ofHours(1)).skipMisfires() }
            bench.save("catching") { every(Duration.ofHours(1)).fireOnceForMisfires() }
            bench.run(
                "UPDATE runledger.job_schedules SET next_fire_at = now() - interval '3 hours', anchor_at = now() - interval '3 hours'",
            )
            bench.fire()
            val fired = bench.client.schedules.fireNow(global, "catching", "for the <boss>")

            bench.page("/schedules/skipping") shouldContain "skipped misfire"
            val page = bench.page("/schedules/catching")
            page shouldContain "made up for"
            page shouldContain "/runledger/jobs/${fired.jobId()}"
            page shouldContain "for the &lt;boss&gt;"
            page shouldContain "an operator"
            page shouldContain "bad-count"
        }

        test("the history names each operator beside what this one did") {
            val bench = bench()
            bench.save("nightly")
            val (ada, ben) = listOf("ada", "ben <b>").map { bench.client.actingAs(it).schedules }
            ada.fireNow(global, "nightly", "the report is missing")
            ben.pause(global, "nightly", "holidays")
            ada.pause(global, "nightly", "too late")
            bench.client.schedules.resume(global, "nightly", "by code")
            ben.retime(global, "nightly", Instant.parse("2031-01-01T04:00:00Z"), "after the move")

            val history = bench.viewer("cleo").get("/schedules/nightly").readText.substringAfter("History")

            val lines = Regex("(fired|paused|resumed)( [0-9a-f]{12})? (ada|ben <b>|an operator) ").findAll(history)
                .map { it.groupValues[1] to it.groupValues[3] }.toList()
            lines shouldBe listOf("resumed" to "an operator", "paused" to "ben <b>", "fired" to "ada")
            history shouldContain "The next fire was moved:"
            history shouldContain "by ben <b>: after the move"
            history shouldNotContain "too late"
        }

        test("a schedule of another organization does not exist") {
            val bench = bench()
            bench.save("theirs") { cron("@daily").organization(acme) }
            val eve = bench.viewer("eve", ConsoleRole.OPERATOR, Scope.organization(UUID.randomUUID()))

            eve.get("/schedules").body() shouldNotContain "theirs"
            eve.get("/schedules/theirs").statusCode() shouldBe 404
            bench.viewer("ada", ConsoleRole.VIEWER, Scope.organization(acme)).get("/schedules/theirs").statusCode() shouldBe 200
        }

        test("names with slashes and hostile characters have a page, and are text") {
            val bench = bench()
            bench.save(HOSTILE)

            bench.page("/schedules") shouldContain "/runledger/schedules/$HOSTILE_IN_PATH"
            bench.page("/schedules").shouldShowAsText()
            bench.page("/schedules/$HOSTILE_IN_PATH").shouldShowAsText()
            bench.viewer("ada").get("/schedules/none").statusCode() shouldBe 404
            bench.viewer("ada").get("/schedules/a%00b").statusCode() shouldBe 400
        }

        test("a cron expression is told in words, with its next fires, before it is saved") {
            val bench = bench()

            val page = bench.page("/schedules/preview?cron=0+9+*+*+1-5&zone=Europe%2FBerlin")

            page shouldContain "09:00"
            Regex(" 09:00:00 \\+0[12]:00").findAll(page).count() shouldBe 10
            bench.page("/schedules/preview") shouldContain "Cron expression"
        }

        test("a wrong expression or zone is told at its field") {
            val bench = bench()
            val ada = bench.viewer("ada")

            ada.get("/schedules/preview?cron=61+*+*+*+*").let {
                it.statusCode() shouldBe 400
                it.body() shouldContain "id=\"problem-cron\""
                it.body() shouldContain "61"
                it.body() shouldNotContain "job_schedule.invalid_cron"
            }
            ada.get("/schedules/preview?cron=@daily&zone=Mars").let {
                it.statusCode() shouldBe 400
                it.body() shouldContain "id=\"problem-zone\""
            }
            ada.get("/schedules/preview?cron=%3Cscript%3Ealert(1)%3C%2Fscript%3E").body() shouldNotContain "<script>alert"
        }

        test("a schedule may be called preview") {
            val bench = bench()
            bench.save("preview")

            bench.page("/schedules/preview") shouldContain "Next fires"
            bench.page("/schedules/preview?cron=@hourly") shouldContain "Try a cron expression"
        }

        test("a fire that worked is in the history with its job") {
            val bench = bench()
            bench.save("hourly") { every(Duration.ofHours(1)) }
            bench.ledger.advance(Duration.ofHours(1))
            bench.ledger.work(pings)
            val job = bench.client.schedules.fires(global, "hourly").items().first().jobId()

            bench.page("/schedules/hourly") shouldContain "/runledger/jobs/$job"
        }
    })
