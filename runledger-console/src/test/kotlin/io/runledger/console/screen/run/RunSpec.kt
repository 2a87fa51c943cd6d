package io.runledger.console.screen.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.HOSTILE
import io.runledger.console.HOSTILE_IN_PATH
import io.runledger.console.screen.readText
import io.runledger.console.shouldShowAsText
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.test.TestLedger
import io.runledger.test.until
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture

class RunSpec :
    FunSpec({
        val global = Scope.global()

        fun bench() = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })

        fun ConsoleBench.page(path: String): String = viewer("ada").get(path).also { it.statusCode() shouldBe 200 }.body()

        test("the header tells where a run stands, and why it does not go on") {
            val bench = bench()
            val run = bench.start(order { idempotencyKey("o-1") })
            bench.ledger.work(warehouse)
            bench.client.workflows.pause(global, run, "until the <audit> is over")

            val page = bench.page("/runs/$run")

            page shouldContain "waiting for external"
            page shouldContain "5 of 7"
            page shouldContain "until the &lt;audit&gt; is over"
            page shouldContain "o-1"
            page shouldContain "data-live=\"/runledger/live?topic=run%3A$run\""
        }

        test("the graph has a box with a link for each step, and one for many similar steps until it is opened") {
            val bench = bench()
            val run = bench.start(order(picks = 40))

            val page = bench.page("/runs/$run")
            val group = Regex(
                """href="/runledger(/runs/$run\?[^"]*open=[^"]*)"""",
            ).find(page)!!.groupValues[1].replace("&amp;", "&")
            val opened = bench.page(group)

            page shouldContain "<svg"
            page shouldContain "/runledger/runs/$run/steps/approval"
            page shouldNotContain "/runledger/runs/$run/steps/pick-7\""
            page shouldContain "Show all 40 of "
            opened shouldContain "/runledger/runs/$run/steps/pick-7\""
            opened shouldContain "Collapse "
        }

        test("the graph is as large as the address says, and can be as wide as the page") {
            val bench = bench()
            val run = bench.start(order())
            fun width(page: String) = Regex("<svg[^>]* width=\"([0-9.]+)\"").find(page)!!.groupValues[1].toDouble()

            val natural = width(bench.page("/runs/$run"))

            width(bench.page("/runs/$run?zoom=200")) shouldBe natural * 2
            width(bench.page("/runs/$run?zoom=50")) shouldBe natural / 2
            bench.page("/runs/$run?zoom=fit") shouldContain "class=\"graph fits\""
            width(bench.page("/runs/$run?zoom=huge")) shouldBe natural
        }

        test("the timeline shows the steps on a time axis, with links") {
            val bench = bench()
            val run = bench.start(order())
            bench.ledger.work(warehouse)

            val page = bench.page("/runs/$run?view=timeline")

            page shouldContain "rl-timeline"
            page shouldContain "/runledger/runs/$run/steps/pick-1"
        }

        test("the story tells the latest first, and says the same of many steps in one line") {
            val bench = bench()
            val run = bench.start(order(picks = 20, failing = true))
            bench.client.workflows.pause(global, run, "first")
            bench.client.workflows.resume(global, run, "second")
            bench.ledger.work(warehouse)

            val page = bench.page("/runs/$run?view=story")

            page shouldContain "steps declared"
            page shouldContain "Run paused"
            page shouldContain "Run resumed"
            page shouldContain "Run ended: completed with errors"
            page shouldContain "stock.empty"
            page shouldContain "no &lt;b&gt;bolts&lt;/b&gt; left"
            page.indexOf("Run ended") shouldBeLessThan page.indexOf("Run resumed")
            page.indexOf("Run resumed") shouldBeLessThan page.indexOf("Run paused")
            page.indexOf("Run paused") shouldBeLessThan page.indexOf("steps declared")
        }

        test("the story names the operators, each beside what this one did, and so does the page of the run") {
            val bench = bench()
            val run = bench.start(order())
            val (ada, ben, cleo) = listOf("ada", "ben <b>", "cleo").map { bench.client.actingAs(it).workflows }
            bench.ledger.work(warehouse)
            ada.pause(global, run, "first")
            ben.pause(global, run, "also").result().name shouldBe "ALREADY_PAUSED"
            ben.resume(global, run, "second")
            bench.client.workflows.pause(global, run, "by code")
            bench.client.workflows.resume(global, run, "by code again")
            cleo.pause(global, run, "third")

            val story = bench.viewer("ada").get("/runs/$run?view=story").readText

            story shouldContain "Run paused by ada: first"
            story shouldContain "Run resumed by ben <b>: second"
            story shouldContain "Run paused: by code"
            story shouldContain "Run resumed: by code again"
            story shouldContain "Run paused by cleo: third"
            story shouldNotContain "also"
            story shouldContain "by cleo. No step starts until the run is resumed. Reason: third"

            val pause = bench.client.audit.list(global) { it.actor("cleo") }.items().single()
            bench.client.actingAs("dana").audit.undo(global, pause.id(), "too early")
            ben.completeGate(global, GateCompletion.succeeded(run, "approval", null).because("looks good"))
            ada.cancel(global, run, "enough")
            val ended = bench.viewer("ada").get("/runs/$run?view=story").readText
            ended shouldContain "Run resumed by dana: too early"
            ended shouldContain "Run gate approval completed by ben <b>: looks good"
            ended shouldContain "Run canceled by ada: enough"
            bench.viewer("ada").get("/runs/$run/steps/approval").readText shouldContain "UTC by ben <b>"
        }

        test("of two operators who act at the same time, the story names the one whose action it was") {
            val bench = bench()
            val run = bench.start(order())
            val (ada, ben) = listOf("ada", "ben").map { bench.client.actingAs(it).workflows }
            val late = bench.ledger.database.connect().apply { autoCommit = false }.use { connection ->
                val holder = bench.client.within(connection).actingAs("ada").workflows
                holder.pause(global, run, "of ada")
                // Ben's action begins now, and waits for the lock on the run.
                val late = CompletableFuture.supplyAsync { ben.pause(global, run, "of ben") }
                until("Ben waits for the run") { bench.ledger.hasWaitingSession() }
                holder.resume(global, run, "of ada too")
                holder.pause(global, run, "of ada again")
                holder.resume(global, run, "of ada at last")
                bench.client.within(connection).workflows.pause(global, run, "by code")
                bench.client.within(connection).workflows.resume(global, run, "by code again")
                connection.commit()
                late
            }
            late.join().result().name shouldBe "PAUSED"
            ada.resume(global, run, "the end")

            val story = bench.viewer("ada").get("/runs/$run?view=story").readText

            story shouldContain "Run paused by ada: of ada again"
            story shouldContain "Run resumed by ada: of ada at last"
            // Ben's action was under way all the time, and paused the run only then.
            story shouldContain "Run paused: by code"
            story shouldContain "Run resumed: by code again"
            story shouldContain "Run paused by ben: of ben"
            story shouldContain "Run resumed by ada: the end"
        }

        test("the steps are a table of pages") {
            val bench = bench()
            val run = bench.start(order(picks = 60, failing = true))
            bench.ledger.work(warehouse)

            val page = bench.page("/runs/$run?view=steps")
            val next = Regex("""href="/runledger(/runs/[^"]*)">Next page""").find(page)!!.groupValues[1].replace("&amp;", "&")
            val second = bench.page(next)

            page shouldContain "pick-1\""
            page shouldContain "stock.empty"
            page shouldNotContain "/steps/apologize\""
            second shouldContain "/steps/apologize\""
            second shouldContain "CONDITION_FALSE"
        }

        test("what a run carries is shown without its secrets") {
            val bench = bench()
            val run = bench.start(order())

            val page = bench.page("/runs/$run?view=data")

            page shouldContain "&quot;source&quot;"
            page shouldContain "trace-id"
            page shouldContain "t-1"
            page shouldNotContain "s3cret"
            val context = bench.viewer("ada").get("/runs/$run/json/context")
            context.headers().firstValue("Content-Type").get() shouldBe "application/json"
            context.body() shouldContain "\"late\""
            context.body() shouldNotContain "s3cret"
            bench.viewer("ada").get("/runs/$run/json/payload").statusCode() shouldBe 404
        }

        test("a run and its recovery link to each other, with the reason") {
            val bench = bench()
            val run = bench.start(order(failing = true))
            bench.ledger.work(warehouse)
            val again = bench.client.workflows.recover(global, RecoveryRequest.of(run, "r-1", "restocked <today>")).runId()

            bench.page("/runs/$run").let {
                it shouldContain "/runledger/runs/$again"
                it shouldContain "restocked &lt;today&gt;"
            }
            bench.page("/runs/$again") shouldContain "/runledger/runs/$run"
        }

        test("a step tells its state, its error, and the steps before and after it") {
            val bench = bench()
            val run = bench.start(order(failing = true))
            bench.ledger.work(warehouse)

            val failed = bench.page("/runs/$run/steps/pick-1")
            val gate = bench.page("/runs/$run/steps/approval")
            val first = bench.page("/runs/$run/steps/reserve")

            failed shouldContain "stock.empty"
            failed shouldContain "no &lt;b&gt;bolts&lt;/b&gt; left"
            failed shouldContain "/runledger/jobs/"
            failed shouldContain "/runledger/types/pick"
            failed shouldContain "/runledger/runs/$run/steps/reserve"
            failed shouldContain "/runledger/runs/$run/steps/approval"
            gate shouldContain "state-canceled"
            first shouldContain "&quot;customer&quot;"
            first shouldContain "&quot;picked&quot;"
            first shouldNotContain "s3cret"
            bench.page("/runs/$run/steps/apologize") shouldContain "context.late = true"
            bench.viewer("ada").get("/runs/$run/steps/reserve/json/output").body() shouldContain "\"picked\""
        }

        test("an open gate is on the list of gates, the longest wait first, with its deadline") {
            val bench = bench()
            val first = bench.start(order())
            bench.ledger.work(warehouse)
            bench.ledger.advance(Duration.ofHours(1))
            val second = bench.start(order())
            bench.ledger.work(warehouse)

            val page = bench.page("/gates")

            page.indexOf("/runs/$first/steps/approval") shouldBeLessThan page.indexOf("/runs/$second/steps/approval")
            page shouldContain "then canceled"
            bench.page("/runs/$first/steps/approval") shouldContain "waiting for external"
        }

        test("keys with slashes and hostile characters have pages, and are text") {
            val bench = bench()
            bench.client.definitions.sync(listOf(pick))
            val flow = WorkflowRequest.builder(HOSTILE)
            val first = flow.job(HOSTILE, pick, Json.of("""{"<script>":"</pre><script>alert(1)</script>"}"""))
            flow.job("after") { it.runs(pick, Json.EMPTY_OBJECT).after(first) }
            val run = bench.client.workflows.enqueue(flow.build()).runId()

            listOf("", "?view=timeline", "?view=story", "?view=steps", "/steps/after").forEach {
                bench.page("/runs/$run$it") shouldContain "/runs/$run/steps/$HOSTILE_IN_PATH"
            }
            val step = bench.page("/runs/$run/steps/$HOSTILE_IN_PATH")
            step.shouldShowAsText()
            step shouldNotContain "<script>alert"
            bench.page("/runs/$run?view=steps").shouldShowAsText()
        }

        test("what is not there is not found") {
            val bench = bench()
            val run = bench.start(order())
            val ada = bench.viewer("ada")

            listOf("/runs/${UUID.randomUUID()}", "/runs/x", "/runs/$run/steps/none", "/runs/$run/steps/").forEach {
                ada.get(it).statusCode() shouldBe 404
            }
            ada.get("/runs/$run/steps/a%00b").statusCode() shouldBe 400
        }
    })

private fun TestLedger.hasWaitingSession(): Boolean = dataSource.connection.use { connection ->
    val waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    connection.createStatement().executeQuery(waiting).use { it.next() }
}
