package io.runledger.model.json

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import io.kotest.property.checkAll
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobQuery
import io.runledger.model.lease.LogRequest
import io.runledger.model.run.WorkflowQuery
import java.util.UUID

/** The rejection, or null if the text is accepted. Other exceptions are not caught. */
private fun refusal(text: String): String? = try {
    Json.of(text)
    null
} catch (refused: InvalidRequestException) {
    refused.code() shouldBe ErrorCode.INVALID_JSON
    refused.message
}

private val accepted =
    listOf(
        // Every kind of value is allowed at the top level.
        "null", "true", "false", "0", "\"\"", "[]", "{}",
        // White space: these four, around everything.
        " \t\r\n1 \t\r\n", "[ ]", "{ }", "[ 1 , 2 ]", "{ \"a\" : 1 , \"b\" : 2 }",
        // Numbers.
        "-0", "-1", "10", "1.0", "0.5", "-0.0", "1e2", "1E+2", "1e-2", "0e0", "-0.1E-01", "1e0009",
        "9007199254740993",
        "123456789012345678901234567890", "1e9999", "1e-9999", "1E00000000000000000009999",
        // Strings.
        "\"a\"", "\"é€😀\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0001\"", "\"\\uFFFF\"", "\"\\uabCD\"",
        "\"\u007F\u0080\u2028\uFEFF\"",
        "\"\uD83D\uDE00\"", "\"\\ud83d\\ude00\"", "\"\\uD83D\\uDE00x\uD83D\uDE00\"", "\"\\\\u0000\"",
        "\"// no comment\"",
        // Structure.
        "[[]]", "[{},[],\"\",0,null,true]", "{\"\":0}", "{\"a\":{\"a\":{}}}", "{\"a\":1,\"a\":2}", "[1,\n2]",
    )

private val refused =
    listOf(
        // Empty text, or other characters.
        "", " ", "\u00A0", "nul", "nulll", "True", "NULL", "undefined", "a", "'a'", "NaN", "Infinity", "-Infinity",
        "\uFEFF1", "1\u00A0", "\u000B1", "\u000C1",
        // Numbers.
        "01", "-01", "00", "1.", ".5", "-.5", "+1", "-", "--1", "1e", "1E+", "1e-", "1e+-1", "1.e1", "1.2.3",
        "0x10", "1_000", "1,0", "١", "1d", "1 2",
        "1e10000", "1e-10000", "1e99999999999999999999",
        // Structure.
        "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1;2]", "[}", "{]", "[]]", "[][]",
        "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}",
        "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{\"a\":1",
        "{\"a\":", "{\"a", "[\"a\":1]",
        // Comments.
        "/* */1", "1//", "[1,/**/2]", "#1\n1",
        // Strings.
        "\"", "\"a", "\"\\", "\"\\\"", "\"\t\"", "\"\n\"", "\"\u0000\"", "\"\u001F\"", "\"\\x41\"", "\"\\a\"",
        "\"\\'\"", "\"\\\n\"", "\"\\U0041\"", "\"\"\"",
        "\"\\u\"", "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u12G4\"", "\"\\u 123\"", "\"\\u+123\"",
        "\"\\u-001\"", "\"\\u١٢٣٤\"", "\"\\u００４１\"",
        // NUL cannot be stored, as value or as name.
        "\"\\u0000\"", "{\"\\u0000\":1}", "\"a\\\\\\u0000\"",
        // Unpaired surrogates: raw, escaped, swapped, and pairs with one escaped half.
        "\"\uD83D\"", "\"\uDE00\"", "\"\uDE00\uD83D\"", "\"\uD83Dx\"", "\"\uD83D\uD83D\uDE00\"",
        "\"\\ud83d\"", "\"\\ude00\"", "\"\\ude00\\ud83d\"", "\"\\ud83dx\"", "\"\\ud83d\\n\"", "\"\\ud83d\\u0041\"",
        "\"\\ud83d\\ud83d\\ude00\"",
        "\"\uD83D\\ude00\"", "\"\\ud83d\uDE00\"", "\"\uD83D", "\"\\ud83d", "\"\\ud83d\\", "{\"\\ud83d\":1}",
        // Not inside a string.
        "\uD83D\uDE00", "\u0000", "[\u0000]",
    )

class JsonSpec :
    FunSpec({
        test("what RFC 8259 allows and jsonb can hold is accepted") {
            accepted.associateWith(::refusal).filterValues { it != null }.shouldBeEmpty()
        }

        test("everything else is refused") {
            refused.filter { refusal(it) == null }.shouldBeEmpty()
        }

        test("long texts of printable ASCII are judged like all others") {
            fun long(filling: String, text: String) = refusal("[\"${filling.repeat(300)}\",$text]")

            (accepted + refused).filter { long("x", it) != long("é", it) }.shouldBeEmpty()
            checkAll(anyJson) { text -> long("x", text) shouldBe long("é", text) }
            // Cut off anywhere, also in the middle of an escape sequence.
            val whole = "[\"${"x".repeat(300)}\\\\\\\"\\u00e9\",{\"a\":[1.5e3,true]}]"
            whole.indices.forEach { end -> refusal(whole.take(end)) shouldBe refusal(whole.take(end).replace('x', 'é')) }
        }

        test("what is stored has 512 levels at most, for arrays, objects and both") {
            for ((open, close) in listOf("[" to "]", "{\"a\":" to "}", "[{\"a\":" to "}]")) {
                val perTurn = open.count { it in "[{" }
                val fits = Json(open.repeat(512 / perTurn) + "1" + close.repeat(512 / perTurn))
                val deeper = Json(open.repeat(513) + "1" + close.repeat(513))

                fits.depth() shouldBe 512
                fits.requireStorable() shouldBe fits
                deeper.depth() shouldBe 513 * perTurn
                val refused = shouldThrow<InvalidRequestException> { deeper.requireStorable() }
                refused.code() shouldBe ErrorCode.INVALID_JSON
                refused.message shouldContain "deeper than 512 levels"
            }
            Json("\"${"[".repeat(2_000)}\"").run { requireStorable().depth() } shouldBe 0
            Json(List(2_000) { "[]" }.joinToString(",", "[", "]")).run { requireStorable().depth() } shouldBe 2
        }

        test("whatever is to be stored as JSON is refused if it is too deep") {
            val deep = Json("[".repeat(513) + "]".repeat(513))
            val failure = JobFailure.terminal("test.broken", "It broke.")
            val line = LogRequest.of(UUID.randomUUID(), LogLevel.INFO, "line")

            listOf(
                { failure.withDetails(deep) },
                { line.with(deep) },
                { JobQuery.builder().payloadContaining(deep).build() },
                { WorkflowQuery.builder().metadataContaining(deep).build() },
            ).forEach { build -> shouldThrow<InvalidRequestException> { build() }.code() shouldBe ErrorCode.INVALID_JSON }
        }

        test("a million brackets are read without a stack overflow") {
            listOf("[" to "]", "{\"a\":" to "}", "[{\"a\":" to "}]").forEach { (open, close) ->
                refusal(open.repeat(1_000_000)) shouldContain "the text ends too early"
                refusal(open.repeat(300_000) + "1" + close.repeat(300_000)) shouldBe null
                refusal(open.repeat(300_000) + "1" + close.repeat(299_999) + "x") shouldContain "is expected"
            }
            refusal("]".repeat(1_000_000)) shouldContain "(position 0 of 1000000)"
            refusal("[[[]]") shouldContain "(position 5 of 5)"
            refusal("[{\"a\":[1]]") shouldContain "'}' is expected"
        }

        test("breadth has no limit") {
            refusal(List(100_000) { "[]" }.joinToString(",", "[", "]")) shouldBe null
        }

        test("10,000 digits are enough, one more is too many; sign and point do not count") {
            val half = "1".repeat(5_000)
            listOf("$half$half", "-$half$half", "-$half.$half", "[1,$half.${half}e5]").forEach { refusal(it) shouldBe null }
            listOf("$half${half}1", "-$half.${half}1", "$half${half}1e-5")
                .forEach { refusal(it) shouldContain "more than 10000 digits" }
        }

        test("a number's places after the point are those of numeric, the exponent included") {
            val places = "1".repeat(6_385)
            refusal("0.${places.dropLast(1)}e-9999") shouldBe null
            refusal("0.${places}e-9999") shouldContain "more than 16383 digits after the decimal point"
            refusal("0.${places}e9999") shouldBe null
        }

        test("the refusal names the position of the offending character, counted from 0") {
            mapOf(
                "" to 0,
                "   " to 3,
                "[1,]" to 3,
                "[1" to 2,
                "{\"a\":1,}" to 7,
                "{\"a\" 1}" to 5,
                "{a:1}" to 1,
                "[1 2]" to 3,
                "true false" to 5,
                "01" to 1,
                "1." to 2,
                "[nul]" to 1,
                "\"abc" to 4,
                "\"a\tb\"" to 2,
                "\"a\\xb\"" to 3,
                "\"a\\u12G4\"" to 6,
                "\"a\\u0000\"" to 2,
                "\"a\uD83Dx\"" to 2,
                "\"ab\\ude00\"" to 3,
                "\"ab\\ud83d\\n\"" to 3,
                "[1,1e10000]" to 3,
            ).mapNotNull { (text, position) ->
                val message = refusal(text).orEmpty()
                "$text: $message, not $position".takeUnless { "(position $position of ${text.length})" in message }
            }.shouldBeEmpty()
        }

        test("the refusal says what is wrong, not what the text holds") {
            val refused = shouldThrow<InvalidRequestException> { Json.of("{\"password\": hunter2}") }

            refused.message shouldStartWith
                "The text is not JSON that the ledger can store: a value is expected (position 13 of 21)."
            refused.message shouldEndWith "[json.invalid]"
        }

        test("well-formed JSON is accepted and kept as given") {
            checkAll(2_000, anyJson) {
                Json.of(it).text() shouldBe it
                Json.of(it).toString() shouldBe it
            }
        }

        test("well-formed JSON with one structural character missing is accepted or refused, nothing else") {
            var refusals = 0
            checkAll(500, anyJson) { json ->
                val structural = json.indices.filter { json[it] in "{}[],:\"\\" }
                refusals += structural.count { refusal(json.removeRange(it, it + 1)) != null }
            }
            refusals shouldNotBe 0
        }

        test("well-formed JSON cut short or with a character changed is accepted or refused, nothing else") {
            checkAll(500, anyJson) { json ->
                json.indices.forEach {
                    refusal(json.take(it))
                    refusal(json.replaceRange(it, it + 1, "\\"))
                    refusal(json.replaceRange(it, it + 1, "\uD83D"))
                }
            }
        }

        test("two values are equal when their texts are") {
            Json.of("{}") shouldBe Json.EMPTY_OBJECT
            Json.of("null") shouldBe Json.NULL
            Json.of("{ }") shouldNotBe Json.EMPTY_OBJECT
        }
    })
