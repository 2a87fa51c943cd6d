package io.runledger.model.error

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.optional.shouldBeEmpty
import io.kotest.matchers.optional.shouldBePresent
import io.kotest.matchers.shouldBe

class ErrorCodeSpec :
    FunSpec({
        test("no two codes share a wire text") {
            ErrorCode.entries.map { it.wire() }.shouldBeUnique()
        }

        test("a wire text is lower-case words joined by underscores, in two or more parts joined by dots") {
            val word = "[a-z]+(_[a-z]+)*"
            val form = Regex("$word(\\.$word)+")

            ErrorCode.entries.map { it.wire() }.filterNot(form::matches).shouldBeEmpty()
        }

        test("a message is one sentence that fits a table cell") {
            ErrorCode.entries.map { it.message() }.filterNot { Regex("[A-Z][^|\\n]+[^.]\\.").matches(it) }.shouldBeEmpty()
        }

        test("a code is found by its wire text") {
            ErrorCode.entries.forEach { code -> ErrorCode.ofWire(code.wire()).shouldBePresent { it shouldBe code } }
        }

        test("a handler's own code is no code of the library") {
            ErrorCode.ofWire("mail.bounced").shouldBeEmpty()
            ErrorCode.ofWire("JOB.NOT_FOUND").shouldBeEmpty()
            ErrorCode.ofWire("").shouldBeEmpty()
        }

        test("only trouble that passes by itself is transient") {
            ErrorCode.entries.filter { it.isTransient }.map { it.wire() } shouldContainExactlyInAnyOrder
                listOf(
                    "job.lease_maintenance_failed",
                    "workflow.release_conflict",
                    "workflow.result_wait_timeout",
                    "worker.not_drained",
                    "db.unreachable",
                    "db.read_only",
                    "db.pool_exhausted",
                    "db.lock_not_available",
                    "db.contention",
                    "db.statement_canceled",
                    "db.out_of_resources",
                    "db.server_fault",
                )
        }

        test("a wrong request is never transient") {
            ErrorCode.entries.filter { it.category() == ErrorCategory.VALIDATION && it.isTransient }.shouldBeEmpty()
        }
    })
