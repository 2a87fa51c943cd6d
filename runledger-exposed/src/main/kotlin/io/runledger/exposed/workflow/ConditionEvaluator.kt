package io.runledger.exposed.workflow

import io.runledger.exposed.json.exactTree
import io.runledger.model.condition.Comparison
import io.runledger.model.condition.Condition
import io.runledger.model.condition.StepEnding
import io.runledger.model.condition.ValuePath
import io.runledger.model.json.Json
import tools.jackson.databind.JsonNode
import java.math.BigDecimal

/**
 * Evaluates conditions before their run is written. At that time no step has ended except the [skipped] ones, and the context of
 * the run is the only known value. Gives the same answers as the SQL function `workflow_condition_holds`; a test compares them.
 */
internal class ConditionEvaluator(context: Json, private val skipped: Set<String>) {
    private val tree: JsonNode by lazy { exactTree(context) }

    fun holds(condition: Condition): Boolean = when (condition) {
        is Condition.Ended -> condition.ending() == StepEnding.SKIPPED && condition.step() in skipped

        is Condition.Compared -> holds(condition.comparison(), valueAt(condition.value()), condition.operand())

        is Condition.Combined -> when (condition.combination()) {
            Condition.Combination.ALL -> condition.conditions().all(::holds)
            Condition.Combination.ANY -> condition.conditions().any(::holds)
            Condition.Combination.NONE -> condition.conditions().none(::holds)
        }
    }

    /** The output of a skipped step does not exist. */
    private fun valueAt(value: ValuePath): JsonNode? =
        if (value.step() != null) null else value.path().fold<String, JsonNode?>(tree) { node, name -> node?.member(name) }

    private fun JsonNode.member(name: String): JsonNode? = when {
        isObject -> get(name)
        isArray -> arrayIndex(name)?.let { get(if (it < 0) size() + it else it) }
        else -> null
    }

    /** An array index as PostgreSQL reads it: an integer that counts from the end if it is negative. */
    private fun arrayIndex(name: String): Int? = name.trimStart().toIntOrNull()

    private fun holds(comparison: Comparison, actual: JsonNode?, operand: Any?): Boolean = when (comparison) {
        Comparison.EXISTS -> actual != null
        Comparison.EQUALS -> actual != null && isSame(actual, operand)
        Comparison.NOT_EQUALS -> actual == null || !isSame(actual, operand)
        Comparison.CONTAINS -> actual != null && contains(actual, operand)
        else -> actual?.let { order(it, operand) }?.let { comparison.accepts(it) } ?: false
    }

    private fun isSame(actual: JsonNode, operand: Any?): Boolean = when (operand) {
        null -> actual.isNull
        is Boolean -> actual.isBoolean && actual.booleanValue() == operand
        else -> order(actual, operand) == 0
    }

    private fun contains(actual: JsonNode, operand: Any?): Boolean = when {
        actual.isArray -> actual.any { isSame(it, operand) }
        operand !is String -> false
        actual.isString -> operand in actual.stringValue()
        else -> actual.isObject && actual.has(operand)
    }

    /** Null if the two values cannot be ordered. */
    private fun order(actual: JsonNode, operand: Any?): Int? = when {
        operand is String && actual.isString -> byCodePoint.compare(actual.stringValue(), operand)
        operand is Number && actual.isNumber -> actual.decimalValue().compareTo(BigDecimal(operand.toString()))
        else -> null
    }

    private fun Comparison.accepts(order: Int): Boolean = when (this) {
        Comparison.GREATER_THAN -> order > 0
        Comparison.AT_LEAST -> order >= 0
        Comparison.LESS_THAN -> order < 0
        else -> order <= 0
    }
}
