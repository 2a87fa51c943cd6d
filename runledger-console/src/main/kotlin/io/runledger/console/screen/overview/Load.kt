package io.runledger.console.screen.overview

import io.runledger.console.visit.Visit
import io.runledger.console.visit.seesFleet
import io.runledger.model.fleet.FleetMetrics
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerState
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.model.metrics.FailureCause
import io.runledger.model.metrics.Throughput
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import java.time.Duration
import java.time.Instant

/** The load of a scope: the numbers of the overview, each from a read whose cost is bounded. */
internal class Load(
    val period: Period,
    val counts: Counts,
    val throughput: Throughput,
    val failures: List<FailureCause>,
    val lateSchedules: List<Schedule>,
    /** Null unless the user sees what all organizations share. */
    val fleet: Fleet?,
) {
    /** The time that [throughput] counts. */
    val countedTime: Duration get() = Duration.between(throughput.from(), throughput.until())

    /** The numbers of jobs by state. If [isAtLeast], counting stopped before the end. */
    class Counts(val waiting: Long, val running: Long, val deadLetters: Long, val isAtLeast: Boolean)

    /** What all organizations share. */
    class Fleet(val concerns: List<String>, val metrics: FleetMetrics, val workers: List<Worker>) {
        /** Whether a live worker takes jobs of the type, or an unregistered one runs a job of it. */
        fun serves(type: FleetMetrics.TypeLoad): Boolean = type.running() > 0 || workers.any { it.isServing(type.jobType()) }

        private fun Worker.isServing(jobType: String) = !isLost && state != WorkerState.STOPPING && jobType in jobTypes
    }

    companion object {
        private const val MOST_FAILURES = 8
        private const val SCHEDULE_PAGE = 200
        private const val SCHEDULE_PAGES = 3

        fun of(visit: Visit): Load {
            val isWhole = visit.scope.kind() == Scope.Kind.EVERYTHING
            val period = Period.of(visit)
            val fleet = if (visit.seesFleet) visit.snapshot("fleet") { fleet(visit) } else null
            return visit.snapshot("${if (fleet == null) "load" else "load with fleet"} ${period.value}") {
                Load(
                    period,
                    if (isWhole && fleet != null) counts(fleet.metrics) else counts(visit),
                    visit.reads.metrics.throughput(visit.scope, period.window, period.buckets),
                    visit.reads.metrics.failureCauses(visit.scope, period.window, MOST_FAILURES),
                    if (isWhole && fleet?.metrics?.lateSchedules() == 0L) emptyList() else lateSchedules(visit),
                    fleet,
                )
            }
        }

        private fun fleet(visit: Visit) =
            Fleet(visit.reads.health().concerns(), visit.reads.metrics.fleet(), visit.reads.workers.list())

        private fun counts(metrics: FleetMetrics) = Counts(
            metrics.types().sumOf { it.due() + it.scheduled() + it.paused() },
            metrics.types().sumOf { it.running() },
            metrics.types().sumOf { it.deadLetters() },
            metrics.types().any { it.isCapped },
        )

        private fun counts(visit: Visit): Counts {
            val counts = visit.reads.jobs.counts(visit.scope)
            fun of(status: JobStatus) = counts[status] ?: 0
            return Counts(of(JobStatus.PENDING), of(JobStatus.LEASED), of(JobStatus.DEAD_LETTERED), isAtLeast = false)
        }

        /** The late ones among the first schedules in order of name. */
        private fun lateSchedules(visit: Visit): List<Schedule> {
            val limit = Instant.now() - ScheduleFire.GRACE
            return generateSequence(visit.reads.schedules.list(visit.scope, SCHEDULE_PAGE)) { page ->
                page.next()?.let { visit.reads.schedules.list(visit.scope, SCHEDULE_PAGE, it) }
            }.take(SCHEDULE_PAGES).flatMap { it.items() }.filter { it.active() && it.nextFireAt() < limit }.toList()
        }
    }
}
