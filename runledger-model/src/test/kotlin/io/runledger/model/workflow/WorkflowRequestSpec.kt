package io.runledger.model.workflow

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.job.JobSettings
import io.runledger.model.job.JobStage
import io.runledger.model.json.Payload
import java.time.Duration
import java.util.UUID

class WorkflowRequestSpec :
    FunSpec({
        fun refused(build: () -> Any) = shouldThrow<InvalidWorkflowException> { build() }

        test("a job step defaults to its own name as job type, an empty payload and no settings of its own") {
            val report = WorkflowRequest.builder("report")
            report.job("crawl")

            report.build().steps().single() shouldBe
                JobStep.builder("crawl").runs("crawl", Payload.empty()).stage(JobStage.QUEUED).build()
            val crawl = report.build().steps().single() as JobStep
            crawl.settings() shouldBe JobSettings.NONE
        }

        test("a gate has no job type, opens at once and never expires unless said otherwise") {
            val report = WorkflowRequest.builder("report")
            report.externalGate("approval")

            val gate = report.build().steps().single() as GateStep
            gate shouldBe GateStep("approval", Payload.empty(), null, null, GateExpiry.FAILED, emptyList())
            gate.kind() shouldBe StepKind.EXTERNAL
        }

        test("a bare step means success; conditions are kept in the order of the calls") {
            val report = WorkflowRequest.builder("report")
            val crawl = report.job("crawl")
            val approval = report.externalGate("approval") { it.after(crawl) }
            report.job("tidy-up") { it.after(crawl.onTerminal(), approval).after(approval.onFailure().onTerminal()) }

            val tidyUp = shouldThrow<InvalidWorkflowException> { report.build() }
            tidyUp.code() shouldBe ErrorCode.DAG_DUPLICATE_DEPENDENCY

            val other = WorkflowRequest.builder("report")
            val first = other.job("first")
            val second = other.job("second")
            other.job("last") { it.after(first.onTerminal(), second.onFailure()) }
            other.build().steps().last().dependencies() shouldContainExactly
                listOf(Dependency("first", ReleaseMode.ON_TERMINAL), Dependency("second", ReleaseMode.ON_FAILURE))
        }

        test("negative priority is legal") {
            val report = WorkflowRequest.builder("report")
            report.job("crawl") { it.priority(-5) }

            (report.build().steps().single() as JobStep).settings().priority() shouldBe -5
        }

        test("all problems are reported at once, in a fixed order, each with its place") {
            val bad = refused {
                WorkflowRequest(
                    " ",
                    Payload.empty(),
                    null,
                    "\u00a0",
                    "k".repeat(513),
                    "publsh",
                    listOf(
                        JobStep.builder("crawl").maxAttempts(0).timeout(Duration.ZERO).build(),
                        JobStep.builder("publish").after(Upstream.named("crawl"), Upstream.named("aproval")).build(),
                        GateStep.builder("approval").expiresAfter(Duration.ofSeconds(-1)).build(),
                        JobStep.builder("crawl").build(),
                    ),
                )
            }

            bad.problems().map { it.code() to it.where() } shouldContainExactly listOf(
                ErrorCode.DAG_IDEMPOTENCY_KEY to "idempotencyKey",
                ErrorCode.DAG_INVALID to "activeKey",
                ErrorCode.DAG_WORKFLOW_TYPE to "type",
                ErrorCode.DAG_MAX_ATTEMPTS to "steps[0] 'crawl'",
                ErrorCode.DAG_TIMEOUT to "steps[0] 'crawl'",
                ErrorCode.DAG_INVALID to "steps[2] 'approval'",
                ErrorCode.DAG_DUPLICATE_STEP to "steps[3] 'crawl'",
                ErrorCode.DAG_MISSING_DEPENDENCY to "steps[1] 'publish'",
                ErrorCode.DAG_INVALID to "resultStep",
            )
            bad.code() shouldBe ErrorCode.DAG_IDEMPOTENCY_KEY
            bad.message!! shouldContain "9 problems"
        }

        test("an unknown prerequisite names both steps and the nearest key") {
            val bad = refused {
                val report = WorkflowRequest.builder("report")
                report.job("summarise")
                report.job("publish") { it.after(Upstream.named("sumarise")) }
                report.build()
            }

            bad.message!! shouldContain "steps[1] 'publish'"
            bad.message!! shouldContain "The step waits for 'sumarise'"
            bad.message!! shouldContain "did you mean 'summarise'?"
        }

        test("a key that resembles nothing gets no guess") {
            val bad = refused {
                val report = WorkflowRequest.builder("report")
                report.job("summarise") { it.after(Upstream.named("xyz")) }
                report.build()
            }

            bad.message!! shouldNotContain "did you mean"
        }

        test("a cycle is reported with its path") {
            val bad = refused {
                WorkflowRequest(
                    "orders",
                    Payload.empty(),
                    null,
                    null,
                    null,
                    null,
                    listOf("pay" to "ship", "ship" to "approve", "approve" to "pay").map { (key, after) ->
                        JobStep.builder(key).after(Upstream.named(after)).build()
                    },
                )
            }

            bad.code() shouldBe ErrorCode.DAG_CYCLE
            bad.message!! shouldContain "'pay' waits for 'ship' waits for 'approve' waits for 'pay'"
        }

        test("the message shows neither keys of idempotency nor control characters") {
            val bad = refused { WorkflowRequest.builder("a\u0007b").idempotencyKey("secret-key\u0000").build() }

            bad.message!! shouldNotContain "secret-key"
            bad.message!! shouldContain "\\u0007"
        }

        test("keys differ by case and by inner white space, and 512 means bytes") {
            val report = WorkflowRequest.builder("report").activeKey("é".repeat(256))
            report.job("a")
            report.job("A")
            report.job("a b")

            report.build().steps().size shouldBe 3
            refused { WorkflowRequest.builder("report").activeKey("é".repeat(257)).also { it.job("a") }.build() }
        }

        test("the result may be a gate; an unknown one is refused") {
            val report = WorkflowRequest.builder("report")
            report.result(report.externalGate("approval"))

            report.build().resultStep() shouldBe "approval"
        }

        test("one definition serves many organizations and keys") {
            val report = WorkflowRequest.builder("report").also { it.job("crawl") }.build()
            val acme = UUID.randomUUID()

            val run = report.withOrganization(acme).withIdempotencyKey("2026-08")

            run.organizationId() shouldBe acme
            run.idempotencyKey() shouldBe "2026-08"
            run.steps() shouldBe report.steps()
        }
    })
