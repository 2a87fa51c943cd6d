package io.runledger.console.picture

import io.runledger.model.history.WorkflowStory
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowStepStatus
import kotlin.random.Random

/** Texts with a special meaning for XML, a browser, a terminal or a reader. */
val HOSTILE: List<String> = listOf(
    "<script>alert(1)</script>", "\"", "'", "]]>", "&lt;", "&", "-->",
    "\u0000", "\u0007", "\u202Eevil", "\u2028", "\u200B", "\uD800", "\uFFFE",
    "é", "e\u0301", "漢字", "😀", "👨‍👩‍👧", "שלום", "مرحبا", "\n", "\t", "javascript:alert(1)", "x".repeat(300), "",
)

/** A run with random steps, dependencies, states, kinds and groups. */
fun randomRun(random: Random, mostSteps: Int = 60): WorkflowStory {
    val size = random.nextInt(1, mostSteps + 1)
    val density = random.nextDouble() * random.nextDouble() * 0.2
    val builder = StoryBuilder("type " + HOSTILE.random(random))
    val keys = mutableListOf<String>()
    repeat(size) { place ->
        val key = if (random.nextInt(3) == 0) "pick-$place" else HOSTILE.random(random) + " $place"
        val status = WorkflowStepStatus.entries.random(random)
        builder.step(
            key,
            status,
            jobType = listOf("a", "b").random(random),
            gate = random.nextInt(6) == 0,
            released = place.takeIf { status != WorkflowStepStatus.BLOCKED },
            started = (place + 2).takeIf { status == WorkflowStepStatus.RUNNING || status == WorkflowStepStatus.SUCCEEDED },
            ended = (place + random.nextInt(2, 50)).takeIf {
                status == WorkflowStepStatus.SUCCEEDED ||
                    status == WorkflowStepStatus.SKIPPED
            },
            error = HOSTILE.random(random),
        )
        keys.filter { random.nextDouble() < density }.forEach { builder.wait(it, key, ReleaseMode.entries.random(random)) }
        keys += key
    }
    return builder.build()
}
