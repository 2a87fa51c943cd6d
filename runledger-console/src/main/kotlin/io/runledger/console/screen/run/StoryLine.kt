package io.runledger.console.screen.run

import io.runledger.console.content.shownText
import io.runledger.console.screen.audit.Operators
import io.runledger.model.history.RunEvent
import io.runledger.model.history.RunEventType
import io.runledger.model.history.StepEvent
import io.runledger.model.history.StepEventType
import io.runledger.model.history.WorkflowStory
import io.runledger.model.json.Json
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import java.time.Instant

/** A line of the story of a run. */
internal sealed interface StoryLine {
    val at: Instant
    val words: String

    class OfStep(override val at: Instant, val stepKey: String, override val words: String, val details: Json) : StoryLine

    /** The same event of many steps at the same time, such as their declaration. */
    class OfSteps(override val at: Instant, val count: Int, override val words: String) : StoryLine

    /** [action] is the record of the operator's action that caused it, if there is one. */
    class OfRun(override val at: Instant, override val words: String, val reason: String?, val action: OperatorAction? = null) :
        StoryLine

    companion object {
        /** More steps than this with the same event at the same time are one line. */
        private const val TOGETHER = 3

        private val words = mapOf(
            StepEventType.CREATED to "declared",
            StepEventType.RELEASED to "released: its job is in the queue",
            StepEventType.OPENED to "opened: it waits for its completion",
            StepEventType.STARTED to "started",
            StepEventType.SUCCEEDED to "succeeded",
            StepEventType.FAILED to "failed",
            StepEventType.CANCELED to "canceled",
            StepEventType.SKIPPED to "skipped",
            StepEventType.RESET to "reset by a retry of the run",
            StepEventType.EDITED to "edited by an operator",
        )

        private val joint = setOf(StepEventType.CREATED, StepEventType.CANCELED, StepEventType.SKIPPED, StepEventType.RESET)

        /** What the journal of a run does not tell. */
        private val actionWords = mapOf(
            OperatorActionKind.WORKFLOW_START to "started",
            OperatorActionKind.WORKFLOW_CANCEL to "canceled",
            OperatorActionKind.WORKFLOW_APPEND to "extended with steps",
            OperatorActionKind.WORKFLOW_RETRY_FAILED to "continued with its failed steps",
            OperatorActionKind.WORKFLOW_RECOVER to "started again as a new run",
        )
        private val gateWords = mapOf(
            OperatorActionKind.GATE_COMPLETE to "completed",
            OperatorActionKind.GATE_FAIL to "failed",
        )

        /** The lines of [story], the latest first, with what [operators] did. */
        fun of(story: WorkflowStory, operators: Operators): List<StoryLine> {
            val lines = ArrayList<StoryLine>()
            var at = 0
            val events = story.events()
            while (at < events.size) {
                val first = events[at]
                val same = if (first.type() in
                    joint
                ) {
                    events.subList(at, events.size).takeWhile { it.isLike(first) }
                } else {
                    listOf(first)
                }
                if (same.size > TOGETHER) {
                    lines += OfSteps(first.occurredAt(), same.size, words.getValue(first.type()))
                } else {
                    same.forEach { lines += OfStep(it.occurredAt(), it.stepKey(), words.getValue(it.type()), it.payload()) }
                }
                at += same.size
            }
            val runEvents = story.runEvents()
            runEvents.forEachIndexed { place, event -> lines += event.line(operators, runEvents.getOrNull(place + 1)) }
            operators.actions.filter { it.changed() > 0 }.mapNotNullTo(lines, ::line)
            story.run().finishedAt()?.let { end ->
                lines +=
                    OfRun(end, "ended: ${story.run().status().name.lowercase().replace('_', ' ')}", story.run().statusReason())
            }
            // A stable sort: lines of one instant stay in the order of their numbers.
            return lines.sortedBy { it.at }.asReversed()
        }

        private fun StepEvent.isLike(other: StepEvent) = type() == other.type() && occurredAt() == other.occurredAt()

        private fun RunEvent.line(operators: Operators, next: RunEvent?): OfRun {
            val isPause = type() == RunEventType.PAUSED
            val kind = if (isPause) OperatorActionKind.WORKFLOW_PAUSE else OperatorActionKind.WORKFLOW_RESUME
            val action = operators.actionAt(occurredAt(), next?.occurredAt(), kind)
            return OfRun(occurredAt(), if (isPause) "paused" else "resumed", reason(), action)
        }

        private fun line(action: OperatorAction): OfRun? {
            val gate = gateWords[action.kind()]?.let { "gate ${shownText(action.target().stepKey().orEmpty())} $it" }
            val words = gate ?: actionWords[action.kind()] ?: return null
            return OfRun(action.finishedAt() ?: action.startedAt(), words, action.reason(), action)
        }
    }
}
