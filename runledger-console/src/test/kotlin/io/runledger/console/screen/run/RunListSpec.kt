package io.runledger.console.screen.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.HOSTILE
import io.runledger.console.access.ConsoleRole
import io.runledger.console.run
import io.runledger.console.shouldShowAsText
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.util.UUID

class RunListSpec :
    FunSpec({
        val acme = UUID.randomUUID()
        val other = UUID.randomUUID()

        fun bench() = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })

        test("the list shows the state and the progress of each run") {
            val bench = bench()
            val run = bench.start(order(picks = 3))
            bench.ledger.work(warehouse)

            val page = bench.viewer("ada").get("/runs").body()

            page shouldContain "/runledger/runs/$run"
            page shouldContain "waiting for external"
            page shouldContain "5 of 7"
            page shouldContain "<progress"
        }

        test("filters come from the address, and stay in the form") {
            val bench = bench()
            val order = bench.start(order { idempotencyKey("o-1") })
            val paused = bench.start(WorkflowRequest.builder("payroll").apply { job("only", pick, Json.EMPTY_OBJECT) }.build())
            bench.client.workflows.pause(Scope.global(), paused, "wait for <audit>")
            val ada = bench.viewer("ada")
            fun shown(query: String): Set<UUID> {
                val page = ada.get("/runs?$query").body()
                return setOf(order, paused).filterTo(HashSet()) { "/runs/$it" in page }
            }

            shown("status=RUNNING") shouldBe setOf(order, paused)
            shown("status=SUCCEEDED") shouldBe emptySet()
            shown("type=payroll") shouldBe setOf(paused)
            shown("type=pay*") shouldBe setOf(paused)
            shown("paused=true") shouldBe setOf(paused)
            shown("paused=false") shouldBe setOf(order)
            shown("since=2000-01-01") shouldBe setOf(order, paused)
            shown("since=2999-01-01T00:00") shouldBe emptySet()
            shown("before=2000-01-01T00:00:00Z") shouldBe emptySet()
            shown("type=order&key=o-1&organization=global") shouldBe setOf(order)
            shown("type=order&key=o-2&organization=global") shouldBe emptySet()
            shown("organization=$acme") shouldBe emptySet()
            shown("organization=global") shouldBe setOf(order, paused)
            val page = ada.get("/runs?paused=true").body()
            page shouldContain "wait for &lt;audit&gt;"
            page shouldContain """<option value="true" selected="selected">"""
        }

        test("what a filter cannot mean is told at its field, and nothing is listed") {
            val bench = bench()
            val run = bench.start(order())
            val ada = bench.viewer("ada")

            listOf(
                "status=LOST" to "choose one of the list",
                "since=yesterday" to "is not a time",
                "paused=perhaps" to "neither true nor false",
                "organization=acme" to "is not an id",
                "key=o-1" to "give the type too",
                "key=o-1&type=order" to "give the organization",
                "type=%00" to "control character",
            ).forEach { (query, problem) ->
                val answer = ada.get("/runs?$query")

                answer.statusCode() shouldBe 400
                answer.body() shouldContain problem
                answer.body() shouldContain "aria-invalid"
                answer.body() shouldNotContain "/runs/$run"
            }
            ada.get("/runs?after=nonsense").statusCode() shouldBe 400
        }

        test("pages follow each other by their cursors, and keep the filters") {
            val bench = bench()
            bench.client.definitions.sync(listOf(pick))
            bench.client.workflows.enqueueAll(
                List(60) { WorkflowRequest.builder("many").apply { job("only", pick, Json.EMPTY_OBJECT) }.build() },
            )
            val ada = bench.viewer("ada")
            fun runs(page: String) = Regex("/runs/([0-9a-f-]{36})").findAll(page).map { it.groupValues[1] }.toSet()

            val first = ada.get("/runs?type=many").body()
            val next = Regex(
                """href="/runledger(/runs\?[^"]*after=[^"]*)">Next page""",
            ).find(first)!!.groupValues[1].replace("&amp;", "&")
            next shouldContain "type=many"
            val second = ada.get(next).body()

            runs(first).size shouldBe 50
            runs(second).size shouldBe 10
            runs(first).intersect(runs(second)) shouldBe emptySet()
            second shouldContain "First page"
        }

        test("a tenant sees its own runs only, and cannot widen its scope by the address") {
            val bench = bench()
            val mine = bench.start(order { organization(acme) })
            val theirs = bench.start(order { organization(other) })
            val ada = bench.viewer("ada", ConsoleRole.VIEWER, Scope.organization(acme))

            listOf("/runs", "/runs?organization=$other", "/runs?organization=global").forEach { path ->
                val page = ada.get(path).body()
                page shouldContain "/runs/$mine"
                page shouldNotContain "/runs/$theirs"
                page shouldNotContain "name=\"organization\""
            }
            listOf("", "?view=timeline", "?view=story", "?view=steps", "?view=data", "/steps/reserve", "/json/context").forEach {
                ada.get("/runs/$theirs$it").statusCode() shouldBe 404
                ada.get("/runs/$mine$it").statusCode() shouldBe 200
            }
            val gates = bench.also {
                it.ledger.work(warehouse)
            }.viewer("eve", ConsoleRole.VIEWER, Scope.organization(acme)).get("/gates").body()
            gates shouldContain "/runs/$mine"
            gates shouldNotContain "/runs/$theirs"
        }

        test("hostile names are text") {
            val bench = bench()
            bench.client.definitions.sync(listOf(pick))
            bench.client.workflows.enqueue(
                WorkflowRequest.builder(HOSTILE).idempotencyKey(HOSTILE).apply { job(HOSTILE, pick, Json.EMPTY_OBJECT) }.build(),
            )

            bench.viewer("ada").get("/runs").body().shouldShowAsText()
        }

        test("a list of runs counts their steps with one statement, up to a limit") {
            val bench = bench()
            val run = bench.start(order())
            bench.run(
                """INSERT INTO runledger.workflow_step_rows (workflow_run_id, ordinal, job_id, job_type, stage, priority, max_attempts,
                   timeout_seconds, step_key, status) SELECT '$run', 100 + n, runledger.uuidv7(), 'pick', 'queued', 100, 1, 60, 'more-' || n, 'CANCELED'
                   FROM generate_series(1, 1200) n""",
            )

            bench.viewer("ada").get("/runs").body() shouldContain "of 1,000 or more"
        }
    })
