package io.runledger.console.screen

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.model.ledger.Scope
import java.time.Duration

class DeadLetterSpec :
    FunSpec({
        val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
        val story = Story(bench.ledger)

        fun page(path: String = "", role: ConsoleRole = ConsoleRole.OPERATOR, scope: Scope = Scope.everything()) =
            bench.viewer("ada $role $scope", role, scope).get("/dead-letters$path")

        test("dead letters are grouped by cause, with what varies left out") {
            val answer = page()

            answer.readText shouldContain "mail.send smtp.refused"
            answer.readText shouldContain "Recipient <number> was refused"
            answer.readText shouldContain "Show 4 jobs"
            answer.readText shouldContain "job.handler_failed"
            answer.mainHtml shouldContain "class=\"rl-picture rl-sparkline\""
            answer.mainHtml shouldContain "/runledger/jobs?status=DEAD_LETTERED&amp;type=mail.send&amp;code=smtp.refused"
        }

        test("a group leads to the page that mends it, for operators") {
            val mend = "/runledger/dead-letters/mend?type=mail.send&amp;code=smtp.refused&amp;message=Recipient"

            page().mainHtml shouldContain mend
            page(role = ConsoleRole.VIEWER).mainHtml shouldNotContain "/dead-letters/mend"
        }

        test("the second tab lists them one by one") {
            val answer = page("/all")

            (story.refused + story.dead + story.ours).forEach { answer.mainHtml shouldContain "/jobs/$it" }
            answer.readText shouldContain "no attempts left"
            answer.readText shouldContain "Recipient 17 was refused"
        }

        test("an organization's user sees only its dead letters") {
            val ours = Scope.organization(Story.OURS)

            page(scope = ours).readText shouldContain "Show 1 job"
            page("/all", scope = ours).mainHtml shouldContain "/jobs/${story.ours}"
            page("/all", scope = ours).mainHtml shouldNotContain "/jobs/${story.dead}"
        }

        test("no dead letters are good news") {
            page(scope = Scope.organization(Story.OTHERS)).readText shouldContain "No job waits for an operator."
            page("/all", scope = Scope.organization(Story.OTHERS)).readText shouldContain "No job waits for an operator."
        }
    })
