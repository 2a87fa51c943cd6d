package io.runledger.console.content

import kotlinx.html.MAIN
import java.util.UUID

/** A page: `Frame` puts it into the frame of all pages. */
internal class Page(
    val title: String,
    val section: Section,
    /** What the page shows, so that the browser reloads its live parts when that changes; null if nothing on it is live. */
    val topic: Topic? = null,
    val content: MAIN.() -> Unit,
)

/** What a live page depends on. */
internal sealed interface Topic {
    /** How the browser names it when it subscribes. */
    val name: String

    /** Any row of the ledger. */
    object Ledger : Topic {
        override val name = "ledger"
    }

    /** One job. */
    data class OfJob(val id: UUID) : Topic {
        override val name get() = "job:$id"
    }

    /** One run with its steps. */
    data class OfRun(val id: UUID) : Topic {
        override val name get() = "run:$id"
    }

    companion object {
        fun of(name: String): Topic? = try {
            when {
                name == Ledger.name -> Ledger
                name.startsWith("job:") -> OfJob(UUID.fromString(name.substring(4)))
                name.startsWith("run:") -> OfRun(UUID.fromString(name.substring(4)))
                else -> null
            }
        } catch (_: IllegalArgumentException) {
            null
        }
    }
}

/** The entries of the navigation. A later feature adds its own. */
internal enum class Section(val label: String, val path: String, val group: String) {
    OVERVIEW("Overview", "/", ""),
    JOBS("Jobs", "/jobs", "Work"),
    DEAD_LETTERS("Dead letters", "/dead-letters", "Work"),
    RUNS("Workflows", "/runs", "Work"),
    GATES("Gates", "/gates", "Work"),
    SCHEDULES("Schedules", "/schedules", "Work"),
    WORKERS("Workers", "/workers", "Fleet"),
    TYPES("Job types", "/types", "Fleet"),
    LIMITS("Limits", "/limits", "Fleet"),
    QUEUES("Queues", "/queues", "Fleet"),
    DATABASE("Database", "/database", "Fleet"),
    AUDIT("Audit", "/audit", "Fleet"),
}
