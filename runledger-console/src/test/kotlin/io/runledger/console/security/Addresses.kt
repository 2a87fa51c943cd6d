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
        val isOwned: Boolean get() = OWNED.any { route.pattern.startsWith("/$it/{") } || route.pattern.startsWith("/schedule/")

        /** Whether the row can lack what the address names, such as an output of a job that has failed. */
        val isPerhapsMissing: Boolean get() = route.pattern in MISSING

        override fun toString(): String = "${route.method} ${route.pattern}"
    }

    val all: List<Place> = Routes().apply { screens().forEach { it.register(this) } }.all
        .map { Place(it, ConsoleBench.BASE + fill(it.pattern) + queryOf(it.pattern)) }

    private fun fill(pattern: String): String {
        val parts = pattern.split('/')
        return parts.mapIndexed { at, part ->
            if (part.startsWith("{")) Visit.encoded(valueOf(parts.getOrElse(at - 1) { "" }, parts[1], pattern)) else part
        }.joinToString("/")
    }

    /** The value of a name in a pattern by the parts before it. A new kind of row needs a line here. */
    private fun valueOf(before: String, first: String, pattern: String): String = when (before) {
        "jobs" -> hostile.deadJob.toString()
        "runs" -> hostile.run.toString()
        "steps" -> hostile.step
        "schedules" -> hostile.schedule
        "types" -> hostile.type.name()
        "workers" -> hostile.worker.toString()
        "limits" -> hostile.limit
        "queues" -> hostile.queue
        "audit" -> hostile.action.toString()
        "json" -> if (first == "runs" && "steps" !in pattern) "metadata" else "payload"
        "changes" -> "console:none"
        else -> error("Say in Addresses which row of the ledger belongs into '$pattern' after '$before'.")
    }

    /** Some actions take a name as a parameter of their address. */
    private fun queryOf(pattern: String): String = when {
        pattern.startsWith("/runs/{id}/") && pattern.count { it == '/' } == 3 -> "?step=${Visit.inQuery(hostile.gate)}"
        pattern.startsWith("/schedule/") -> "?name=${Visit.inQuery(hostile.schedule)}"
        pattern.startsWith("/type/") || pattern == "/jobs/enqueue" -> "?type=${Visit.inQuery(hostile.type.name())}"
        pattern == "/workers/resume" -> "?order=${hostile.order}"
        else -> ""
    }

    private companion object {
        val OWNED = setOf("jobs", "runs", "schedules", "audit")
        val MISSING = setOf("/changes/{key}", "/jobs/{id}/output", "/jobs/{id}/checkpoint", "/jobs/{id}/error-details")
    }
}
