package io.runledger.exposed.read

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.sql.Binder
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.util.UUID

/**
 * A way to search: parts of an index that hold the candidates in the order of the list, and the conditions that remain. The parts
 * are merged.
 */
internal class SearchWay private constructor(
    val order: SearchOrder,
    /** The condition of each part, without any that the index does not decide. */
    val ranges: List<String>,
    /** The order of each part, as its index has it. */
    val rangeOrder: String,
    val filters: List<Filter>,
    val bind: Binder.() -> Unit,
) {
    companion object {
        /** The ways of a query, the best one first: it is not known how many candidates each of them has to pass. */
        fun of(scope: Scope, query: JobQuery): List<SearchWay> = when {
            query.order() == JobQuery.Order.CLAIM -> listOf(claims(scope, query))

            else -> buildList {
                if (query.errorCode() != null) add(failed(scope, query))
                if (scope.kind() == Scope.Kind.ORGANIZATION) add(ofOrganization(query))
                if (isEmpty()) add(all(scope, query))
            }
        }

        /** The index continues with status and id. A success clears the code. */
        private fun failed(scope: Scope, query: JobQuery): SearchWay {
            val statuses = query.statuses().ifEmpty { JobStatus.entries.toSet() - JobStatus.SUCCEEDED }
            val bounds = IdBounds.of(query)
            return SearchWay(
                SearchOrder.NEWEST,
                statuses.map { "q.last_error_code = :error_code AND ${bounds.within(it)}" },
                BY_STATUS,
                scoped(scope) + others(query),
            ) {
                bounds.bind(this)
                text("error_code", query.errorCode())
            }
        }

        /** The index continues with status and id. */
        private fun ofOrganization(query: JobQuery): SearchWay {
            val bounds = IdBounds.of(query)
            val code = query.errorCode()?.let { code -> Filter("q.last_error_code = :error_code") { text("error_code", code) } }
            return SearchWay(
                SearchOrder.NEWEST,
                query.statuses().ifEmpty { JobStatus.entries.toSet() }.map { "{scope q} AND ${bounds.within(it)}" },
                BY_STATUS,
                others(query) + listOfNotNull(code),
                bounds::bind,
            )
        }

        private fun all(scope: Scope, query: JobQuery): SearchWay {
            val bounds = IdBounds.of(query)
            return SearchWay(
                SearchOrder.NEWEST,
                listOf("q.id >= :first_id AND q.id < :end_id"),
                "q.id DESC",
                scoped(scope) + others(query) + statusFilter("q", query.statuses()),
                bounds::bind,
            )
        }

        /**
         * Paused jobs, delayed jobs and jobs with flow have parts of their own. After a cursor, each is the rest of a priority,
         * and all below it.
         */
        private fun claims(scope: Scope, query: JobQuery): SearchWay {
            val types = query.jobTypes().sorted()
            val after = query.cursor()?.let(SearchPlace::read)
            val lanes = types.indices.flatMap { type ->
                listOf("NOT q.is_paused", "q.is_paused").flatMap { paused ->
                    listOf("NOT q.is_delayed", "q.is_delayed").flatMap { delayed ->
                        listOf("q.flow_group IS NULL", "q.flow_group IS NOT NULL").map { flow ->
                            "q.job_type = :type_$type AND $paused AND $delayed AND $flow"
                        }
                    }
                }
            }
            val ranges = if (after == null) {
                lanes
            } else {
                lanes.flatMap { lane ->
                    listOf(
                        "$lane AND q.priority = :after_priority AND (q.next_run_at, q.id) > (:after_time, :after_id)",
                        "$lane AND q.priority < :after_priority",
                    )
                }
            }
            return SearchWay(SearchOrder.CLAIM, ranges, "", scoped(scope) + others(query, isAnyType = true)) {
                types.forEachIndexed { place, type -> text("type_$place", type) }
                if (after != null) {
                    int("after_priority", after.priority)
                    time("after_time", after.dueTime)
                    uuid("after_id", after.id)
                }
            }
        }

        private fun scoped(scope: Scope): List<Filter> =
            if (scope.kind() == Scope.Kind.EVERYTHING) emptyList() else listOf(Filter("{scope q}"))

        /** The conditions that no index decides. */
        private fun others(query: JobQuery, isAnyType: Boolean = false): List<Filter> = buildList {
            if (!isAnyType) addAll(namesFilter("q.job_type", query.jobTypes()))
            query.queue()?.let { queue -> add(Filter("q.queue = :queue") { text("queue", queue) }) }
            query.payload()?.let { add(Filter("q.payload @> :payload::jsonb") { json("payload", it) }) }
            addAll(createdAtFilter("q", query.createdSince(), query.createdBefore()))
        }

        private const val BY_STATUS = "q.status DESC, q.id DESC"
    }
}

/** The ids between which a page lies: after its cursor, and at most as far from its times as clocks differ. */
private class IdBounds(private val first: UUID, private val end: UUID) {
    fun bind(binder: Binder) = with(binder) {
        uuid("first_id", first)
        uuid("end_id", end)
    }

    /** As a range of an index that continues with status and id. As a constant, the status would not be part of the order. */
    fun within(status: JobStatus): String =
        "(q.status, q.id) >= ('${status.wire()}', :first_id) AND (q.status, q.id) < ('${status.wire()}', :end_id)"

    companion object {
        fun of(query: JobQuery): IdBounds {
            val ends = listOfNotNull(query.cursor()?.let(Cursor::read), query.createdBefore()?.let(::endIdOf))
            // By text, because the order of UUIDs in the JDK is that of signed numbers.
            return IdBounds(
                query.createdSince()?.let(::beginIdOf) ?: UUID(0, 0),
                ends.minByOrNull { it.toString() } ?: UUID(-1, -1),
            )
        }
    }
}
