package io.runledger.model.error

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.ObjectInputStream
import java.io.ObjectOutputStream

private class Thrower(
    val brief: (ErrorCode, String) -> RunledgerException,
    val full: (ErrorCode, String, String?, Throwable?) -> RunledgerException,
)

private val throwers =
    mapOf(
        ErrorCategory.VALIDATION to Thrower(::InvalidRequestException, ::InvalidRequestException),
        ErrorCategory.CONFLICT to Thrower(::ConflictException, ::ConflictException),
        ErrorCategory.NOT_FOUND to Thrower(::NotFoundException, ::NotFoundException),
        ErrorCategory.LEASE_LOST to Thrower(::LeaseLostException, ::LeaseLostException),
        ErrorCategory.SCHEMA to Thrower(::SchemaException, ::SchemaException),
        ErrorCategory.UNAVAILABLE to Thrower(::UnavailableException, ::UnavailableException),
        ErrorCategory.INTERNAL to Thrower(::InternalException, ::InternalException),
    )

class RunledgerExceptionSpec :
    FunSpec({
        test("every category has an exception of its own") {
            throwers.keys shouldContainExactlyInAnyOrder ErrorCategory.entries
            throwers.values.map {
                it.brief
            }.zip(throwers.keys).map { (brief, category) -> brief(codeOf(category), "No.")::class.java }
                .toSet() shouldBe RunledgerException::class.java.permittedSubclasses.toSet()
        }

        test("an exception takes every code of its category and refuses all others") {
            for ((category, thrower) in throwers) {
                for (code in ErrorCode.entries) {
                    withClue("$code as $category") {
                        if (code.category() == category) {
                            val exception = thrower.brief(code, "No.")
                            exception.code() shouldBe code
                            exception.category() shouldBe category
                            exception.isTransient shouldBe code.isTransient
                        } else {
                            shouldThrow<IllegalArgumentException> { thrower.brief(code, "No.") }.message shouldContain code.name
                        }
                    }
                }
            }
        }

        test("the message ends with the code and never holds what is internal") {
            val cause = IllegalStateException("select secret from payloads")
            for ((category, thrower) in throwers) {
                val code = codeOf(category)

                val exception = thrower.full(code, "The thing is broken: mend it.", "password=hunter2", cause)

                exception.message shouldBe "The thing is broken: mend it. [${code.wire()}]"
                exception.toString() shouldNotContain "hunter2"
                exception.toString() shouldNotContain "secret"
                exception.internalMessage() shouldBe "password=hunter2"
                exception.cause shouldBeSameInstanceAs cause
            }
        }

        test("without a detail there is neither internal message nor cause") {
            throwers.forEach { (category, thrower) ->
                val exception = thrower.brief(codeOf(category), "No.")

                exception.internalMessage() shouldBe null
                exception.cause shouldBe null
            }
        }

        test("an exception survives serialization with its code") {
            val problem =
                WorkflowProblem(ErrorCode.DAG_CYCLE, "step 'a'", "it waits for itself in the end.", SourceLine("Orders.kt", 7))
            val thrown =
                throwers.map { (category, thrower) -> thrower.full(codeOf(category), "No.", "detail", null) } +
                    InvalidWorkflowException("workflow 'w'", listOf(problem))

            for (before in thrown) {
                val bytes = ByteArrayOutputStream().also {
                    ObjectOutputStream(it).use { out -> out.writeObject(before) }
                }.toByteArray()
                val after = ObjectInputStream(ByteArrayInputStream(bytes)).use { it.readObject() } as RunledgerException

                after::class shouldBe before::class
                after.code() shouldBe before.code()
                after.message shouldBe before.message
                after.internalMessage() shouldBe before.internalMessage()
            }
        }

        test("an invalid workflow tells all its problems and takes the code of the first") {
            val problems =
                listOf(
                    WorkflowProblem(ErrorCode.DAG_CYCLE, "step 'a'", "it waits for 'b', which waits for it."),
                    WorkflowProblem(ErrorCode.DAG_TIMEOUT, "step 'b'", "the timeout is zero.", SourceLine("Orders.kt", 7)),
                )

            val exception = InvalidWorkflowException("workflow 'orders'", problems)

            exception.code() shouldBe ErrorCode.DAG_CYCLE
            exception.problems() shouldContainExactly problems
            problems.forEach {
                exception.message shouldContain it.where()
                exception.message shouldContain it.message()
                exception.message shouldContain it.code().wire()
            }
            exception.message shouldContain "step 'a': it waits for"
            exception.message shouldContain "step 'b' (Orders.kt:7): the timeout"
        }

        test("a single problem stands in the sentence, with its line") {
            val problem = WorkflowProblem(ErrorCode.DAG_TIMEOUT, "step 'b'", "The timeout is zero.", SourceLine("Orders.kt", 7))

            InvalidWorkflowException("workflow 'orders'", listOf(problem)).message shouldBe
                "The workflow 'orders' is not valid: step 'b' (Orders.kt:7): The timeout is zero. [${problem.code().wire()}]"
        }
    })

private fun codeOf(category: ErrorCategory): ErrorCode = ErrorCode.entries.first { it.category() == category }
