package io.runledger.model.workflow

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.json.PayloadCodec
import io.runledger.model.schedule.OverlapPolicy
import java.lang.reflect.Type
import java.math.BigDecimal
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.util.UUID

class WorkflowTypeSpec :
    FunSpec({
        val region = WorkflowParameter.required("region", String::class.java).mustBe("north or south") {
            it in
                setOf("north", "south")
        }
        val days = WorkflowParameter.optional("days", Int::class.javaObjectType, 7)
            .mustBe("1 to 90") { it in 1..90 }
            .mustBe("odd") { it % 2 == 1 }
        val report = WorkflowType.of("report", listOf(region, days)) { values, workflow ->
            workflow.job("collect") { it.runs("collect", listOf(values.get(region), values.get(days))) }
        }

        fun codes(vararg values: Pair<String, Any?>) = report.problems(mapOf(*values)).map { it.code() }

        test("values become a request, with defaults for what is not given, and stay in its metadata") {
            val request = report.request(region.of("north"))

            request.type() shouldBe "report"
            request.steps().single().payload() shouldBe Payload.of(listOf("north", 7))
            request.metadata() shouldBe Payload.of(mapOf("parameters" to mapOf("region" to "north", "days" to 7)))
            report.request(mapOf("region" to "south", "days" to "31")).steps().single().payload() shouldBe
                Payload.of(listOf("south", 31))
        }

        test("values stay beside whatever metadata the steps set, as a map, as JSON or as anything the codec encodes") {
            fun kept(metadata: Any?) = WorkflowType.of("report", listOf(region)) { _, workflow ->
                workflow.metadata(metadata).job("collect") { it.runs("collect", "") }
            }.request(region.of("north")).metadata().encode(Plain).text()

            val values = """"parameters":{"region":"north"}"""
            kept(mapOf("by" to "ada")) shouldBe """{"by":"ada",$values}"""
            kept(Json.of("""{ "by": "ada" }""")) shouldBe """{"by": "ada",$values}"""
            kept(Json.of("""{"parameters": 1}""")) shouldBe """{"parameters": 1,$values}"""
            kept(StringBuilder("any object")) shouldBe """{"any":"object",$values}"""
            kept(null) shouldBe "{$values}"
            kept(Json.of(" { } ")) shouldBe "{$values}"
            shouldThrow<InvalidRequestException> { kept(Json.of("[1]")) }.code() shouldBe ErrorCode.INVALID_PAYLOAD
        }

        test("all that is wrong comes at once, each with a code of its own, and no value is quoted") {
            codes("dayz" to 1, "days" to "many", "region" to null) shouldContainExactly
                listOf(ErrorCode.PARAMETER_UNKNOWN, ErrorCode.PARAMETER_MISSING, ErrorCode.PARAMETER_TYPE)
            codes("region" to "west", "days" to 100) shouldContainExactly
                List(3) { ErrorCode.PARAMETER_NOT_ALLOWED }
            codes("region" to "north").shouldBeEmpty()

            val refused = shouldThrow<InvalidWorkflowException> { report.request(mapOf("dayz" to 1, "region" to "west")) }
            refused.problems().size shouldBe 2
            refused.code() shouldBe ErrorCode.PARAMETER_UNKNOWN
            refused.message.orEmpty() shouldContain "did you mean 'days'?"
            refused.message.orEmpty() shouldContain "parameter 'region': it must be north or south."
            refused.message.orEmpty() shouldNotContain "west"
        }

        test("every type is read as what it is and as text, and nothing else") {
            fun <T : Any> read(type: Class<T>, given: Any): Any? {
                val parameter = WorkflowParameter.required("p", type)
                var read: Any? = null
                val workflow = WorkflowType.of("w", listOf(parameter)) { values, builder ->
                    read = values.get(parameter)
                    builder.job("a") { }
                }
                return if (workflow.problems(mapOf("p" to given)).isEmpty()) {
                    workflow.request(mapOf("p" to given))
                    read
                } else {
                    null
                }
            }
            read(Int::class.javaObjectType, 3L) shouldBe 3
            read(Int::class.javaObjectType, " 3 ") shouldBe 3
            read(Int::class.javaObjectType, 3.5) shouldBe null
            read(Int::class.javaObjectType, Long.MAX_VALUE) shouldBe null
            read(Long::class.javaObjectType, 3) shouldBe 3L
            read(BigDecimal::class.java, "1.50") shouldBe BigDecimal("1.50")
            read(BigDecimal::class.java, "much") shouldBe null
            read(Boolean::class.javaObjectType, "true") shouldBe true
            read(Boolean::class.javaObjectType, "yes") shouldBe null
            read(Instant::class.java, "2026-01-31T12:00:00Z") shouldBe Instant.parse("2026-01-31T12:00:00Z")
            read(LocalDate::class.java, "2026-01-31") shouldBe LocalDate.of(2026, 1, 31)
            read(LocalDate::class.java, "2026-02-31") shouldBe null
            read(Duration::class.java, "PT1H") shouldBe Duration.ofHours(1)
            UUID.randomUUID().let { read(UUID::class.java, "$it") shouldBe it }
            read(OverlapPolicy::class.java, "SKIP") shouldBe OverlapPolicy.SKIP
            read(OverlapPolicy::class.java, "skip") shouldBe null
            read(String::class.java, 3) shouldBe null
        }

        test("a declaration that cannot be is refused, and tells a form what it needs") {
            fun refused(work: () -> Unit) = shouldThrow<InvalidRequestException>(work).code()
            refused { WorkflowParameter.required(" ", String::class.java) } shouldBe ErrorCode.PARAMETER_INVALID
            refused { WorkflowParameter.required("p", Thread::class.java) } shouldBe ErrorCode.PARAMETER_INVALID
            refused { days.mustBe("even") { it % 2 == 0 } } shouldBe ErrorCode.PARAMETER_INVALID
            refused { WorkflowType.of("w", listOf(days, days)) { _, _ -> } } shouldBe ErrorCode.PARAMETER_INVALID
            refused { WorkflowType.of(" ", listOf(days)) { _, _ -> } } shouldBe ErrorCode.DAG_WORKFLOW_TYPE
            val careless = WorkflowType.of("w", listOf(region)) { values, _ -> values.get(days) }
            refused { careless.request(region.of("north")) } shouldBe ErrorCode.PARAMETER_UNKNOWN

            report.parameters().map { "$it ${it.rules()}" } shouldContainExactly
                listOf("region: a text [north or south]", "days: a whole number, optional [1 to 90, odd]")
            region.isRequired shouldBe true
            days.defaultValue() shouldBe 7
        }
    })

/** Encodes maps of texts and maps, and one other object. */
private object Plain : PayloadCodec {
    override fun encode(value: Any?): Json = Json.of(
        when (value) {
            null -> "null"
            is Map<*, *> -> value.entries.joinToString(",", "{", "}") { (name, member) -> "\"$name\":${encode(member).text()}" }
            is String -> "\"$value\""
            else -> """{"any":"object"}"""
        },
    )

    override fun decode(json: Json, type: Type): Any? = error("nothing is decoded")
}
