package io.runledger.model.value

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.optional.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.text.Text

private fun Identifier.refuses(text: String?, because: String) {
    withClue("$this and ${text?.let(Text::quoted)}") {
        problem(text).orElse("accepted") shouldContain because
        shouldThrow<InvalidRequestException> { require(text) }.code() shouldBe code()
    }
}

private fun Identifier.accepts(text: String) {
    withClue("$this and ${Text.quoted(text)}") {
        problem(text).shouldBeEmpty()
        require(text) shouldBe text
    }
}

class IdentifierSpec :
    FunSpec({
        test("each name has its limit and its code") {
            Identifier.entries.associate { it.name to (it.maxBytes() to it.code()) } shouldBe
                mapOf(
                    "JOB_TYPE" to (255 to ErrorCode.INVALID_JOB_TYPE),
                    "WORKFLOW_TYPE" to (255 to ErrorCode.DAG_WORKFLOW_TYPE),
                    "STEP_KEY" to (255 to ErrorCode.DAG_STEP_KEY),
                    "INPUT_NAME" to (255 to ErrorCode.DAG_INPUT),
                    "WORKER_ID" to (255 to ErrorCode.INVALID_WORKER_ID),
                    "WORKER_LABEL" to (255 to ErrorCode.INVALID_ARGUMENT),
                    "HOOK" to (255 to ErrorCode.INVALID_ARGUMENT),
                    "IDEMPOTENCY_KEY" to (512 to ErrorCode.INVALID_IDEMPOTENCY_KEY),
                    "RUN_IDEMPOTENCY_KEY" to (512 to ErrorCode.DAG_IDEMPOTENCY_KEY),
                    "ACTIVE_KEY" to (512 to ErrorCode.DAG_INVALID),
                    "MUTATION_KEY" to (512 to ErrorCode.APPEND_KEY_BLANK),
                    "RECOVERY_KEY" to (512 to ErrorCode.RECOVERY_KEY_INVALID),
                    "JOB_KEY" to (512 to ErrorCode.INVALID_JOB_KEY),
                    "FLOW_KEY" to (200 to ErrorCode.FLOW_KEY_INVALID),
                    "SCHEDULE_NAME" to (255 to ErrorCode.INVALID_SCHEDULE_NAME),
                    "DEDUP_KEY" to (512 to ErrorCode.INVALID_DEDUP_KEY),
                    "ACTOR" to (255 to ErrorCode.INVALID_ARGUMENT),
                    "ACTION_KEY" to (512 to ErrorCode.INVALID_ARGUMENT),
                )
            Identifier.entries.forEach { it.code().category() shouldBe ErrorCategory.VALIDATION }
        }

        for (name in Identifier.entries) {
            test("$name: blank is refused, whatever the blanks") {
                listOf(null, "", " ", "\t", "\u00A0", "\u3000", " \t\r\n\u2028").forEach { name.refuses(it, "is blank") }
            }

            test("$name: control characters and what PostgreSQL cannot store are refused") {
                val controls = listOf("a\u0000", "a\tb", "a\n", "\u001Ba", "a\u007F", "a\u0085b", "a\u009F")
                val halves = listOf("a\uD83D", "\uDE00a", "\uDE00\uD83D")

                (controls + halves).forEach { name.refuses(it, "control character") }
            }

            test("$name: the limit counts bytes, not characters") {
                val max = name.maxBytes()
                name.accepts("a".repeat(max))
                name.refuses("a".repeat(max + 1), "${max + 1} bytes")
                name.accepts("é".repeat(max / 2))
                name.refuses("é".repeat(max / 2 + 1), "${(max / 2 + 1) * 2} bytes")
                name.accepts("😀".repeat(max / 4))
                name.refuses("😀".repeat(max / 4 + 1), "shorten it to $max")
            }

            test("$name: everything else is kept as given") {
                val plain = listOf("a", "mail.send", "Mail Send", " padded ", "'; drop table")
                val beyond = listOf("日本", "\u200Bx", "a\u00A0b", "\u00AD", "😀")

                (plain + beyond).forEach(name::accepts)
            }
        }

        test("256 times é fits a key of 512 bytes, 257 times does not") {
            Identifier.IDEMPOTENCY_KEY.accepts("é".repeat(256))
            Identifier.IDEMPOTENCY_KEY.refuses("é".repeat(257), "514 bytes")
        }

        test("the refusal never repeats the text") {
            val secret = "customer-4711-" + "x".repeat(600)

            Identifier.entries.forEach { name ->
                listOf(secret, "customer-4711-\n").forEach {
                    shouldThrow<InvalidRequestException> { name.require(it) }.message shouldNotContain "4711"
                }
            }
        }
    })
