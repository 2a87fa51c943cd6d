package io.runledger.console.action

import io.runledger.console.content.inWords
import io.runledger.console.form.Field
import io.runledger.console.form.FieldProblem
import io.runledger.console.form.NumberField
import io.runledger.console.form.Order
import io.runledger.console.page.facts
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import kotlinx.html.FlowContent
import kotlinx.html.del
import kotlinx.html.ins
import java.math.BigDecimal
import java.time.Duration

private const val PERMITS = "permits"
private const val COUNT = "count"
private const val PERIOD = "period"
private const val BURST = "burst"
private const val MOST = Int.MAX_VALUE.toLong()
private const val NANOS_DIGITS = 9
private val LONGEST = BigDecimal(Duration.ofDays(366).toSeconds())

/** The entries for permits and rate. An empty one does not limit the jobs. */
internal fun limitFields(values: LimitValues, leastPermits: Long, permitsHint: String): List<Field> = listOf(
    NumberField(PERMITS, "Permits: jobs at once", values.permits()?.toString(), permitsHint, min = leastPermits, max = MOST),
    NumberField(COUNT, "Rate: jobs in a period", values.rate()?.count()?.toString(), "Empty: any number.", min = 1, max = MOST),
    NumberField(PERIOD, "Period in seconds", values.rate()?.let { seconds(it.period()) }, isWhole = false),
    NumberField(
        BURST,
        "Burst",
        values.rate()?.burst()?.toString(),
        "Jobs that may begin at once after a time with fewer. Empty: a tenth of the rate.",
        min = 0,
        max = MOST,
    ),
)

/** The values that the operator has entered. They must differ from [now]. */
internal fun Order<*>.limitValues(now: LimitValues, leastPermits: Long): LimitValues {
    val permits = number(PERMITS, leastPermits, MOST)?.toInt()
    val count = number(COUNT, 1, MOST)?.toInt()
    val period = period()
    val burst = number(BURST, 0, MOST)?.toInt()
    rateProblem(count, period, burst)?.let { throw it }
    val rate = if (count == null || period == null) null else Rate.of(count, period)
    val values = LimitValues(permits, if (burst == null) rate else rate?.withBurst(burst))
    if (values == now) throw FieldProblem(PERMITS, "These values are in force already: change at least one of them.")
    return values
}

private fun rateProblem(count: Int?, period: Duration?, burst: Int?): FieldProblem? = when {
    count != null && period == null -> FieldProblem(PERIOD, "Enter the period of the rate.")
    count == null && period != null -> FieldProblem(COUNT, "Enter how many jobs begin in the period, or empty the period.")
    count == null && burst != null -> FieldProblem(BURST, "A burst needs a rate: enter one, or empty the burst.")
    else -> null
}

private fun Order<*>.period(): Duration? {
    val text = text(PERIOD) ?: return null
    val seconds = text.take(MOST_DIGITS).toBigDecimalOrNull()?.takeIf { it.scale() in -NANOS_DIGITS..NANOS_DIGITS }
        ?: throw FieldProblem(PERIOD, "“$text” is not a number of seconds.")
    if (seconds.signum() <= 0 || seconds > LONGEST) {
        throw FieldProblem(PERIOD, "$text is out of range: enter seconds above 0, up to $LONGEST.")
    }
    return Duration.ofSeconds(seconds.toLong(), seconds.remainder(BigDecimal.ONE).movePointRight(NANOS_DIGITS).toLong())
}

private fun seconds(period: Duration): String = BigDecimal.valueOf(period.seconds)
    .add(BigDecimal.valueOf(period.nano.toLong(), NANOS_DIGITS)).stripTrailingZeros().toPlainString()

/** What is in force, and what will be. */
internal fun FlowContent.limitChange(old: LimitValues, new: LimitValues) = facts {
    fact("Now") { del { +old.inWords() } }
    fact("Then") { ins { +new.inWords() } }
}

private const val MOST_DIGITS = 30
