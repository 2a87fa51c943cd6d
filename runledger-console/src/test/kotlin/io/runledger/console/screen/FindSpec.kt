package io.runledger.console.screen

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.console.ConsoleBench
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class FindSpec :
    FunSpec({
        val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
        val story = Story(bench.ledger)

        fun place(text: String, scope: Scope = Scope.everything()): String? =
            bench.viewer("ada $scope", scope = scope).get("/find?q=$text").headers().firstValue("Location").orElse(null)

        test("an id leads to its job or run, whatever is around it") {
            place("${story.sent}") shouldBe "/runledger/jobs/${story.sent}"
            place("+${story.sent}+") shouldBe "/runledger/jobs/${story.sent}"
            place("${story.run}") shouldBe "/runledger/runs/${story.run}"
        }

        test("a key leads to its job, or to the list if several jobs have it") {
            bench.client.jobs.enqueue(JobRequest.builder(Story.REPORT, Json.NULL).idempotencyKey("twice & more").build())
            bench.client.jobs.enqueue(JobRequest.builder(Story.VIDEO, Json.NULL).idempotencyKey("twice & more").build())

            place("welcome-ada") shouldBe "/runledger/jobs/${story.sent}"
            place("twice+%26+more") shouldBe "/runledger/jobs?key=twice%20%26%20more"
        }

        test("what does not exist is not found, and says so") {
            listOf("${UUID(7, 7)}", "no-such-key", "%00", "%3Cscript%3E").forEach { text ->
                val answer = bench.viewer("ada").get("/find?q=$text")

                answer.statusCode() shouldBe 404
                answer.readText shouldContain "There is no job or run with the id or the idempotency key"
            }
        }

        test("jobs and keys of another organization are not found") {
            place("${story.theirs}", Scope.organization(Story.OURS)) shouldBe null
            place("welcome-eve", Scope.organization(Story.OURS)) shouldBe null
            place("welcome-eve", Scope.organization(Story.OTHERS)) shouldBe "/runledger/jobs/${story.theirs}"
        }

        test("an empty search shows all jobs") {
            place("") shouldBe "/runledger/jobs"
        }
    })
