package io.runledger.samples

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.handlers
import io.runledger.dsl.parameter
import io.runledger.dsl.workflowType
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.test.freshLedger
import java.time.Duration

class RegionalReportSpec :
    FunSpec({
        val reporting = handlers {
            on(collectSales) { job -> "${job.payload().region} ${job.payload().days}" }
            on(sendReport) { }
        }

        test("a report runs with the values it was given and the defaults, which stay with the run") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(reporting.jobTypes)

            val run = RegionalReports(ledger.client).fromForm(mapOf("region" to "SOUTH", "days" to "14"))
            ledger.work(reporting)

            val ended = ledger.client.workflows.get(Scope.global(), run)
            ended.status() shouldBe WorkflowRunStatus.SUCCEEDED
            ended.metadata() shouldBe
                Json.of("""{"team": "sales", "parameters": {"days": 14, "region": "SOUTH", "recipient": "sales@example.com"}}""")
            RegionalReports(ledger.client).daysOf(run) shouldBe 14
            regionalReport.parametersOf(ended, ledger.client.codec).get(region) shouldBe Region.SOUTH
            ledger.client.workflows.getStep(Scope.global(), run, "collect").output()?.text() shouldBe "\"SOUTH 14\""
            ledger.client.verify().isSound shouldBe true
        }

        test("values are read back by a type that has changed since as far as they fit it, and by no other type") {
            val client = freshLedger().client
            client.definitions.sync(reporting.jobTypes)
            val run = client.workflows.get(Scope.global(), RegionalReports(client).forNorth())
            val shorter = parameter("days", default = 7).mustBe("a week") { it == 7 }
            val language = parameter("language", default = "en")
            val changed = workflowType("regional.report", shorter, language) { }

            val values = changed.parametersOf(run, client.codec)

            values.get(shorter) to values.get(language) shouldBe (30 to "en")
            val stricter = workflowType("regional.report", parameter<Int>("region"), parameter<String>("team")) { }
            val refused = shouldThrow<InvalidWorkflowException> { stricter.parametersOf(run, client.codec) }
            refused.problems().map { it.code() } shouldContainExactly
                listOf(ErrorCode.PARAMETER_TYPE, ErrorCode.PARAMETER_MISSING)
            val other = workflowType("other", days) { }
            val foreign = shouldThrow<InvalidRequestException> { other.parametersOf(run, client.codec) }
            foreign.code() shouldBe ErrorCode.INVALID_ARGUMENT
        }

        test("a form with mistakes is refused with all of them, and nothing is started") {
            val client = freshLedger().client
            client.definitions.sync(reporting.jobTypes)

            val refused = shouldThrow<InvalidWorkflowException> {
                RegionalReports(client).fromForm(mapOf("region" to "west", "days" to "91", "recipent" to "a@example.com"))
            }

            refused.problems().map { it.code() } shouldContainExactly
                listOf(ErrorCode.PARAMETER_UNKNOWN, ErrorCode.PARAMETER_TYPE, ErrorCode.PARAMETER_NOT_ALLOWED)
            client.workflows.count(Scope.global()) shouldBe 0
        }

        test("a scheduled report gets its parameters at every fire") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(reporting.jobTypes)
            RegionalReports(ledger.client).weekly(Region.NORTH)

            ledger.advance(Duration.ofDays(7))
            ledger.work(reporting)

            val run = checkNotNull(ledger.client.schedules.fires(Scope.global(), "report-NORTH").items().last().runId())
            ledger.client.workflows.getStep(Scope.global(), run, "collect").output()?.text() shouldBe "\"NORTH 7\""
            RegionalReports(ledger.client).daysOf(run) shouldBe 7
        }
    })
