package io.runledger.exposed.schedule

import com.cronutils.model.Cron
import com.cronutils.model.definition.CronDefinition
import com.cronutils.model.definition.CronDefinitionBuilder
import com.cronutils.parser.CronParser

/** One of the two grammars of cron expressions. The number of fields determines the grammar. */
internal enum class CronDialect(val fields: List<String>, private val sample: List<String>, definition: CronDefinition) {
    /**
     * Minute to day of week, as in crontab: Sunday is 0 and 7. If both day fields are restricted, a day matches either of them.
     */
    CLASSIC(
        listOf("minute", "hour", "day of month", "month", "day of week"),
        listOf("0", "0", "*", "*", "*"),
        classicDefinition(),
    ),

    /** Second to day of week and an optional year: Sunday is 1, Saturday is 7. A day has to match both day fields. */
    SECONDS(
        listOf("second", "minute", "hour", "day of month", "month", "day of week", "year"),
        listOf("0", "0", "0", "*", "*", "*", "*"),
        secondsDefinition(),
    ),
    ;

    private val parser = CronParser(definition)

    /** Throws [IllegalArgumentException] if [parts] are not an expression of this dialect. */
    fun parse(parts: List<String>): Cron = parser.parse(parts.joinToString(" ")).validate()

    /** Describes the error in [parts]. If a single field is invalid, the description names that field. */
    fun problem(parts: List<String>, failure: IllegalArgumentException): String {
        val (field, cause) = parts.indices.firstNotNullOfOrNull { at -> refusal(parts, at)?.let { fields[at] to it } }
            ?: return failure.text()
        return "the $field is not valid: ${cause.text()}"
    }

    private fun refusal(parts: List<String>, at: Int): IllegalArgumentException? = try {
        parse(sample.take(parts.size).mapIndexed { index, valid -> if (index == at) parts[at] else valid })
        null
    } catch (refused: IllegalArgumentException) {
        refused
    }

    private fun Throwable.text() = message.orEmpty().removePrefix("Failed to parse cron expression. ").trim().trimEnd('.')
}

private fun classicDefinition(): CronDefinition = CronDefinitionBuilder
    .defineCron()
    .withMinutes().withValidRange(0, 59).withStrictRange().and()
    .withHours().withValidRange(0, 23).withStrictRange().and()
    .withDayOfMonth().withValidRange(1, 31).withStrictRange().and()
    .withMonth().withValidRange(1, 12).withStrictRange().and()
    .withDayOfWeek().withValidRange(0, 7).withMondayDoWValue(1).withIntMapping(7, 0).and()
    .instance()

private fun secondsDefinition(): CronDefinition = CronDefinitionBuilder
    .defineCron()
    .withSeconds().withValidRange(0, 59).withStrictRange().and()
    .withMinutes().withValidRange(0, 59).withStrictRange().and()
    .withHours().withValidRange(0, 23).withStrictRange().and()
    .withDayOfMonth().withValidRange(1, 31).supportsL().supportsW().supportsLW().supportsQuestionMark().withStrictRange().and()
    .withMonth().withValidRange(1, 12).withStrictRange().and()
    .withDayOfWeek().withValidRange(1, 7).withMondayDoWValue(2).supportsHash().supportsL().supportsQuestionMark().and()
    .withYear().withValidRange(1970, 2099).withStrictRange().optional().and()
    .matchDayOfWeekAndDayOfMonth()
    .instance()
