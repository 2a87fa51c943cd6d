package io.runledger.console.screen

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class JobPageSpec :
    FunSpec({
        val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
        val story = Story(bench.ledger)

        fun page(id: UUID, role: ConsoleRole = ConsoleRole.OPERATOR, scope: Scope = Scope.everything(), more: String = "") =
            bench.viewer("ada $role $scope", role, scope).get("/jobs/$id$more")

        test("a succeeded job shows its header, attempts, events, documents and log") {
            val text = page(story.sent).readText

            listOf(
                "mail.send",
                "succeeded ${story.sent}",
                "1 of 2 (50.00 %)",
                "Priority 7",
                "Idempotency key welcome-ada",
                "How it ended",
                "1 succeeded",
                "Claimed by worker test-worker",
                "\"to\": \"ada@example.org\"",
                "\"id\": \"message-1\"",
                "\"connected\": true",
                "trace abc-123",
                "WARN 1.1 Slow server",
                "allows 3 attempts",
            ).forEach { text shouldContain it }
        }

        test("secrets are not shown, neither in documents nor in headers") {
            val answer = page(story.sent)

            answer.body() shouldNotContain "hunter2"
            answer.body() shouldNotContain "Bearer"
            answer.readText shouldContain "\"password\": \"•••\""
            answer.readText shouldContain "authorization •••"
        }

        test("why a job is not running comes first, with the place to change it") {
            page(story.unserved).readText shouldContain "Why it is not running No live worker serves job type 'report.build'"
            page(story.unserved).mainHtml shouldContain "<a href=\"/runledger/workers\">Workers</a>"
            page(story.delayed).readText shouldContain "Why it is not running The job is not due before"
            page(story.retried).readText shouldContain "it will be retried after smtp.busy"
        }

        test("a running job shows its worker and progress") {
            val answer = page(story.running)

            answer.readText shouldContain "What it is doing"
            answer.readText shouldContain "Worker encoder-1"
            answer.readText shouldContain "3 of 10 (30.00 %)"
            answer.mainHtml shouldContain "<progress value=\"3\" max=\"10\""
            answer.body() shouldContain "data-live=\"/runledger/live?topic=job%3A${story.running}\""
        }

        test("an exception is shown with its causes, one below the other") {
            val html = page(story.dead).mainHtml

            html shouldContain "IllegalStateException"
            html shouldContain "The template is missing"
            html shouldContain "IOException"
            html shouldContain "No such file: &lt;b&gt;welcome&lt;/b&gt;.html"
            html shouldNotContain "caused by</"
        }

        test("details with lines are shown line by line") {
            val answer = page(story.refused.first())

            answer.mainHtml shouldContain "at Smtp.send\n\tat Mail.deliver"
            answer.readText shouldContain "\"status\": 550"
            answer.readText shouldContain "Gave up in run 1"
        }

        test("a canceled job says why") {
            page(story.canceled).readText shouldContain "Canceled “Cleo has left.”"
        }

        test("the job of a step leads to its run") {
            val job = bench.client.workflows.allSteps(Scope.everything(), story.run).single().job()!!.jobId()!!

            page(job).mainHtml shouldContain "href=\"/runledger/runs/${story.run}\""
        }

        test("a replay and its source lead to each other") {
            val outcome = bench.client.jobs.replay(Scope.global(), ReplayRequest(story.sent, 1, "again", "Ada asked for it."))
            val replay = (outcome as ReplayOutcome.Replayed).replay().replayJobId()

            page(story.sent).mainHtml shouldContain "href=\"/runledger/jobs/$replay\""
            page(replay).mainHtml shouldContain "href=\"/runledger/jobs/${story.sent}\""
            page(replay).readText shouldContain "Ada asked for it."
        }

        test("an edit is told with its reason and with what was there before") {
            val job = story.delayed
            bench.client.jobs.editPayload(Scope.global(), job, Payload.json("""{"to": "new@example.org"}"""), "Bob moved.")

            val text = page(job).readText

            text shouldContain "Edited “Bob moved.”"
            text shouldContain "\"previous_payload\""
        }

        test("documents are sent whole and redacted, to operators alone") {
            val answer = page(story.sent, more = "/payload")

            answer.statusCode() shouldBe 200
            answer.headers().firstValue("Content-Type").get() shouldContain "application/json"
            answer.body() shouldContain "ada@example.org"
            answer.body() shouldNotContain "hunter2"
            page(story.sent, more = "/output").body() shouldContain "message-1"
            page(story.sent, more = "/checkpoint").body() shouldContain "connected"
            page(story.refused.first(), more = "/error-details").body() shouldContain "550"
            page(story.sent, more = "/request").statusCode() shouldBe 200
            page(story.delayed, more = "/output").statusCode() shouldBe 404
            page(story.sent, ConsoleRole.VIEWER, more = "/payload").statusCode() shouldBe 403
        }

        test("a viewer sees no actions, an operator those of the state") {
            page(story.delayed).mainHtml shouldContain "/jobs/${story.delayed}/cancel"
            page(story.delayed, ConsoleRole.VIEWER).mainHtml shouldNotContain "/jobs/${story.delayed}/cancel"
        }

        test("the job of another organization does not exist, with all its pages") {
            listOf("", "/logs", "/payload", "/output").forEach { more ->
                page(story.theirs, scope = Scope.organization(Story.OURS), more = more).statusCode() shouldBe 404
            }
            page(story.theirs, scope = Scope.organization(Story.OTHERS)).statusCode() shouldBe 200
            page(UUID(9, 9)).statusCode() shouldBe 404
            bench.viewer("ada").get("/jobs/not-an-id").statusCode() shouldBe 404
        }
    })
