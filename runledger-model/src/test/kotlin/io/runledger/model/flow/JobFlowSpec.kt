package io.runledger.model.flow

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobSettings
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration

private data class Push(val customer: String?, val region: Long = 7)

class JobFlowSpec :
    FunSpec({
        fun refused(code: ErrorCode, call: () -> Any?): String {
            val refusal = shouldThrow<InvalidRequestException> { call() }
            withClue(refusal.message) { refusal.code() shouldBe code }
            return refusal.message.orEmpty()
        }

        fun type(declare: JobType.Builder<Push>.() -> Unit): JobType<Push> =
            JobType.builder("crm.push", Push::class.java).apply(declare).build()

        val full = type {
            limit("crm-api") { it.permits(8).rate(100, Duration.ofSeconds(1)) }
            limit("crm-customer") { it.by(Push::customer).permits(1) }
            limit("per-tenant") { it.byOrganization().permits(3) }
            orderedBy(Push::customer)
            fairBy(Push::region)
            queue("crm")
        }

        test("a typed request and a typed step find the keys in the payload") {
            val found = JobFlow.NONE.withLimit("crm-customer", "42").withOrderKey("42").withShareKey("7")

            JobRequest.of(full, Push("42")).settings().flow() shouldBe found
            JobStep.builder("push").runs(full, Push("42")).build().settings().flow() shouldBe found
            JobRequest.of(type { fairByOrganization() }, Push("42")).settings().flow() shouldBe JobFlow.NONE
            JobRequest.of(type { orderedByOrganization() }, Push(null)).settings().flow() shouldBe JobFlow.NONE
        }

        test("a payload without a key is not limited by the limit, and is in no order") {
            JobRequest.of(full, Push(null)).settings().flow() shouldBe
                JobFlow.NONE.withLimit("crm-customer", null).withoutOrder().withShareKey("7")
            refused(ErrorCode.FLOW_KEY_MISSING) { JobRequest.of(type { fairBy(Push::customer) }, Push(null)) }
        }

        test("what the caller sets applies instead of what the functions find") {
            val request = JobRequest.builder(full, Push("42"))
                .limit("crm-customer", "other")
                .limit("own")
                .orderKey("o")
                .shareKey("s")
                .queue("urgent")
                .build()
            request.settings().flow() shouldBe
                JobFlow("urgent", mapOf("crm-customer" to "other", "own" to null), "o", false, "s")

            // A limit by key that is named without one keeps the key that the function finds.
            JobRequest.builder(full, Push("42")).limit("crm-customer").unordered().build().settings().flow() shouldBe
                JobFlow.NONE.withLimit("crm-customer", "42").withoutOrder().withShareKey("7")
        }

        test("a step whose payload is replaced has no keys of the first payload") {
            JobStep.builder("push").runs(full, Push("42")).payload(Json.NULL).build().settings().flow() shouldBe JobFlow.NONE
            JobStep.builder("push").runs(full, Push("42")).runs("other", Json.NULL).build().settings().flow() shouldBe
                JobFlow.NONE
        }

        test("a function that fails is refused with the name of the type, and without the payload") {
            val broken = type { limit("crm") { it.permits(1).by { error("secret") } } }

            val message = refused(ErrorCode.FLOW_KEY_FUNCTION) { JobRequest.of(broken, Push("42")) }
            message shouldContain "'crm.push'"
            message shouldContain "'crm'"
            message shouldNotContain "secret"
            shouldThrow<InvalidRequestException> { JobStep.builder("push").runs(broken, Push("42")) }
                .cause?.message shouldBe "secret"
        }

        test("keys are texts of at most 200 bytes without control characters") {
            listOf(" ", "a\u0000", "a\n", "\ud800", "ä".repeat(101)).forEach { key ->
                withClue(key) {
                    refused(ErrorCode.FLOW_KEY_INVALID) { JobRequest.of(full, Push(key)) } shouldContain "crm.push"
                    refused(ErrorCode.FLOW_KEY_INVALID) { JobRequest.builder("mail", Json.NULL).orderKey(key).build() }
                    refused(ErrorCode.FLOW_KEY_INVALID) { JobRequest.builder("mail", Json.NULL).limit("a", key).build() }
                }
            }
            JobRequest.of(full, Push("ä".repeat(100))).settings().flow().orderKey() shouldBe "ä".repeat(100)
        }

        test("a request names at most four limits, each with one key") {
            refused(ErrorCode.FLOW_TOO_MANY_LIMITS) {
                JobRequest.builder("mail", Json.NULL).apply { repeat(5) { limit("limit$it") } }.build()
            }
            refused(ErrorCode.FLOW_LIMIT_INVALID) { JobRequest.builder("mail", Json.NULL).limit("a", "1").limit("a", "2") }
            JobRequest.builder("mail", Json.NULL).limit("a", "1").limit("a", "1").build().settings().flow().limits() shouldBe
                mapOf("a" to "1")
            refused(ErrorCode.FLOW_NAME_INVALID) { JobRequest.builder("mail", Json.NULL).limit("queue").build() }
            refused(ErrorCode.FLOW_NAME_INVALID) { JobRequest.builder("mail", Json.NULL).queue("a:b").build() }
        }

        test("a workflow reports the problems of all steps") {
            shouldThrow<InvalidWorkflowException> {
                WorkflowRequest.builder("orders")
                    .apply {
                        job("a") { it.queue("no way").shareKey(" ") }
                        job("b") { it.limit("x y") }
                    }
                    .build()
            }.problems().map { it.code() to it.where().substringBefore(' ') } shouldContainExactly listOf(
                ErrorCode.FLOW_NAME_INVALID to "steps[0]",
                ErrorCode.FLOW_KEY_INVALID to "steps[0]",
                ErrorCode.FLOW_NAME_INVALID to "steps[1]",
            )
        }

        test("a type declares at most four limits, each once, and nothing that is for one job") {
            refused(ErrorCode.FLOW_TOO_MANY_LIMITS) { type { repeat(5) { limit("limit$it") } } }
            refused(ErrorCode.FLOW_LIMIT_INVALID) {
                type {
                    limit("a") { it.permits(1) }
                    limit("a") { it.permits(2) }
                }
            }
            type {
                limit("a") { it.permits(1) }
                limit("a") { it.permits(1) }
            }.flow().limits().size shouldBe 1
            refused(ErrorCode.FLOW_LIMIT_INVALID) { type { limit("a") { it.permits(-1) } } }
            refused(ErrorCode.FLOW_LIMIT_INVALID) { type { limit("a") { it.rate(0, Duration.ofSeconds(1)) } } }
            refused(ErrorCode.FLOW_NAME_INVALID) { type { limit("a/b") } }
            refused(ErrorCode.FLOW_NAME_INVALID) { type { queue("") } }
            refused(ErrorCode.FLOW_NAME_INVALID) { type { orderedBy(Push::customer) { it.named("a b") } } }
            val flow = JobSettings.NONE.withFlow(JobFlow.NONE.withQueue("a"))
            refused(ErrorCode.INVALID_ARGUMENT) { JobType<Json>("mail", Json::class.java, 1, true, flow) }
            refused(ErrorCode.INVALID_ARGUMENT) { DefinitionChange(flow) }
        }

        test("two declarations are equal if they say the same, whatever their functions") {
            fun declared() = type {
                limit("b") { it.by { push -> push.customer } }
                limit("a")
                orderedBy({ push -> push.customer }) { it.afterDeadLetter(AfterDeadLetter.GO_ON) }
            }

            (declared() == declared()) shouldBe true
            declared().flow().limits().map { it.name() } shouldContainExactly listOf("a", "b")
            (declared() == type { limit("a") }) shouldBe false
        }

        test("settings take what is not set from others, and say nothing unless something is set") {
            val own = JobSettings.NONE.withFlow(JobFlow.NONE.withQueue("a"))
            own.orElse(JobSettings.NONE.withFlow(JobFlow.NONE.withQueue("b").withOrderKey("o"))).flow() shouldBe
                JobFlow.NONE.withQueue("a").withOrderKey("o")
            JobSettings(1, 2, null, null).flow() shouldBe JobFlow.NONE
            JobFlow.NONE.problems().shouldBeEmpty()
            refused(ErrorCode.INVALID_ARGUMENT) { JobFlow(null, emptyMap(), "a", true, null) }
        }
    })
