package io.runledger.console.security

import io.runledger.console.ConsoleBench
import io.runledger.console.screen.screens
import io.runledger.console.visit.Route
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Visit

/** All routes of the console, each with an address of a row of [hostile]. */
internal class Addresses(private val hostile: HostileLedger) {
    /** A route, and where it is with the parts of its pattern filled in. */
    class Place(val route: Route, val path: String) {
        /** Whether the address names a row of one organization. */
        val isOwned: Boolean get() = OWNED.any { route.pattern.startsWith("/$it/{") }

        override fun toString(): String = "${route.method} ${route.pattern}"
    }

    val all: List<Place> = Routes().apply { screens().forEach { it.register(this) } }.all.map { Place(it, ConsoleBench.BASE + fill(it.pattern)) }

    private fun fill(pattern: String): String {
        val parts = pattern.split('/')
        return parts.mapIndexed { at, part -> if (part.startsWith("{")) Visit.encoded(valueOf(parts[at - 1], pattern)) else part }
            .joinToString("/")
    }

    /** The value of a name in a pattern by the part before it. A new kind of row needs a line here. */
    private fun valueOf(before: String, pattern: String): String = when (before) {
        "jobs" -> hostile.deadJob.toString()
        "runs" -> hostile.run.toString()
        "steps" -> hostile.step
        "gates" -> hostile.gate
        "schedules" -> hostile.schedule
        "types" -> hostile.type.name()
        "workers" -> hostile.worker
        "json" -> "payload"
        "audit", "changes" -> NOTHING
        else -> error("Say in Addresses which row of the ledger belongs into '$pattern' after '$before'.")
    }

    private companion object {
        val OWNED = setOf("jobs", "runs", "schedules")

        /** The id of an action that does not exist. */
        const val NOTHING = "01900000-0000-7000-8000-000000000000"
    }
}
