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
 * Judges conditions before their run is written, when nothing has ended yet but steps that were [skipped] and nothing is known
 * but the context that the run is given. Says what `workflow_condition_holds` says of the same run; a test compares the two.
 */
internal class ContextJudge(context: Json, private val skipped: Set<String>) {
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

    /** A step that was skipped left nothing. */
    private fun valueAt(value: ValuePath): JsonNode? =
        if (value.step() != null) null else value.path().fold<String, JsonNode?>(tree) { node, name -> node?.member(name) }

    private fun JsonNode.member(name: String): JsonNode? = when {
        isObject -> get(name)
        isArray -> placeOf(name)?.let { get(if (it < 0) size() + it else it) }
        else -> null
    }

    /** As the server reads it: a whole number, counted from the end when negative. */
    private fun placeOf(name: String): Int? = name.trimStart().toIntOrNull()

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

    /** Null for what has no order. */
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
