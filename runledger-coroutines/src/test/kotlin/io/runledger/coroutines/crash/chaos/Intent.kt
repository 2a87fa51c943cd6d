package io.runledger.coroutines.crash.chaos

import io.runledger.model.handler.JobOutcome
import java.time.Duration
import kotlin.random.Random

/** How a handler ends an attempt, and the outcome that the ledger records for it. */
internal enum class Intent(val outcome: String) {
    SUCCEED("SUCCEEDED"),
    CONTINUE("SUCCEEDED"),
    SETTLE("SUCCEEDED"),
    RETRY("RETRYABLE"),
    THROW("RETRYABLE"),
    SNOOZE("INTERRUPTED"),
    FAIL("TERMINAL"),
    CANCEL("CANCELED"),
    ;

    /** The status of a job whose last attempt ends so. */
    val status: String
        get() = when (this) {
            FAIL -> "DEAD_LETTERED"
            CANCEL -> "CANCELED"
            else -> "SUCCEEDED"
        }
}

/** Work that ends as [ending] after [slices] runs, and leaves [value] as its output if it succeeds. */
internal data class Order(val tag: String, val ending: Intent = Intent.SUCCEED, val slices: Int = 1, val value: Int = 0) {
    /** The same for the same run and attempt, in whichever process it runs. One attempt of three does not bring the job further. */
    fun intent(run: Int, attempt: Int): Intent {
        val random = Random((tag.hashCode() * 31L + run) * 31 + attempt)
        return when {
            random.nextInt(3) == 0 -> detours.random(random)
            run < slices -> Intent.CONTINUE
            else -> ending
        }
    }

    fun outcome(intent: Intent): JobOutcome = when (intent) {
        Intent.SUCCEED, Intent.SETTLE -> JobOutcome.succeeded(mapOf("value" to value))
        Intent.CONTINUE -> JobOutcome.continueNow()
        Intent.RETRY -> JobOutcome.retryAfter(Duration.ofMillis(1), "chaos.retry", "Try again.")
        Intent.THROW -> error("The handler of $tag throws.")
        Intent.SNOOZE -> JobOutcome.snooze(Duration.ofMillis(1))
        Intent.FAIL -> JobOutcome.failed("chaos.failed", "The order cannot be done.")
        Intent.CANCEL -> JobOutcome.canceled("The order is not needed.")
    }

    private companion object {
        val detours = listOf(Intent.RETRY, Intent.THROW, Intent.SNOOZE)
    }
}
