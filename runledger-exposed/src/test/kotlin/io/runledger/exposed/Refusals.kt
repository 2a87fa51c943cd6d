package io.runledger.exposed

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException

/** Runs [call], which must be refused with [code], and returns the refusal. */
fun shouldRefuse(code: ErrorCode, call: () -> Unit): RunledgerException {
    val refusal = shouldThrow<RunledgerException> { call() }
    refusal.code() shouldBe code
    return refusal
}
