package io.runledger.console.picture.graph

import io.runledger.model.history.WorkflowStory
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.ReleaseMode
import java.util.UUID

/**
 * The steps and dependencies of a run without their states. Groups and the layout follow from it alone, so that they stay the
 * same while the run proceeds.
 *
 * @property kinds kind and job type of each step
 */
internal class RunShape(val keys: List<String>, val kinds: List<String>, val waits: List<Wait>) {
    val prerequisites: List<List<Wait>>
    val dependents: List<List<Wait>>

    init {
        val before = List(keys.size) { mutableListOf<Wait>() }
        val after = List(keys.size) { mutableListOf<Wait>() }
        waits.forEach {
            after[it.from] += it
            before[it.to] += it
        }
        prerequisites = before
        dependents = after
    }

    companion object {
        /** The steps of a run in the order of their declaration. */
        fun stepsOf(story: WorkflowStory): List<WorkflowStep> =
            story.steps().sortedWith(compareBy<WorkflowStep> { it.ordinal() }.thenBy { it.stepKey() })

        fun of(story: WorkflowStory): RunShape {
            val steps = stepsOf(story)
            val places = steps.withIndex().associate { (place, step) -> step.id() to place }
            val waits = story.dependencies().map {
                Wait(
                    place(places, it.prerequisiteStepId()),
                    place(places, it.dependentStepId()),
                    it.releaseMode(),
                    it.inputName(),
                )
            }
            return RunShape(
                steps.map { it.stepKey() },
                steps.map { "${it.kind()} ${it.job()?.jobType().orEmpty()}" },
                waits.sortedWith(compareBy({ it.from }, { it.to })),
            )
        }

        private fun place(places: Map<UUID, Int>, step: UUID): Int = requireNotNull(places[step]) {
            "A dependency names step $step, which is missing: pass all steps of the run."
        }
    }
}

/** A dependency between two steps, by their indexes. */
internal data class Wait(val from: Int, val to: Int, val mode: ReleaseMode, val inputName: String?)
