package io.runledger.console.screen.fleet

import io.runledger.console.content.grouped
import io.runledger.console.visit.Visit
import io.runledger.model.fleet.FleetMetrics
import io.runledger.model.ledger.Scope

/**
 * How many jobs of a type wait, run and are dead letters, in the scope of the user.
 *
 * @property isCapped whether there may be more
 */
internal class TypeLoad(val waiting: Long, val running: Long, val dead: Long, val isCapped: Boolean) {
    fun shown(count: Long): String = count.grouped() + if (isCapped && count >= MOST_COUNTED) " or more" else ""

    companion object {
        private const val MOST_COUNTED = 10_000
        private val NONE = TypeLoad(0, 0, 0, isCapped = false)

        /** The loads of all types that have jobs. For the whole ledger, each count stops at a limit. */
        fun read(visit: Visit): (String) -> TypeLoad {
            val loads = visit.snapshot("type loads") {
                if (visit.scope.kind() == Scope.Kind.EVERYTHING) {
                    visit.reads.metrics.fleet(MOST_COUNTED).types().associate { it.jobType() to it.load() }
                } else {
                    visit.reads.metrics.jobs(visit.scope).associate {
                        it.jobType() to TypeLoad(it.pending(), it.leased(), it.deadLettered(), isCapped = false)
                    }
                }
            }
            return { loads[it] ?: NONE }
        }

        private fun FleetMetrics.TypeLoad.load() = TypeLoad(due() + scheduled() + paused(), running(), deadLetters(), isCapped)
    }
}
