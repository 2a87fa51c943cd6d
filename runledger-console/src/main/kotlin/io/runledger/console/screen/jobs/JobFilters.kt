package io.runledger.console.screen.jobs

import io.runledger.console.http.Parameters
import io.runledger.console.visit.Visit
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.text.Text
import io.runledger.model.value.Identifier
import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

/**
 * The filters of the list of jobs, as the address has them. A value that cannot be understood is in [problems] and filters
 * nothing.
 */
internal class JobFilters private constructor(
    private val userScope: Scope,
    private val values: Map<JobFilter, List<String>>,
    private val now: Instant,
) {
    private val found = LinkedHashMap<JobFilter, String>()

    val statuses: Set<JobStatus> = values[JobFilter.STATUS].orEmpty().mapNotNullTo(LinkedHashSet(), ::status)
    private val types: Set<String> = values[JobFilter.TYPE].orEmpty().mapNotNullTo(LinkedHashSet()) {
        read(JobFilter.TYPE, it, ::type)
    }
    private val code: String? = one(JobFilter.CODE, ::storable)
    private val key: String? = one(JobFilter.KEY, ::storable)
    private val since: Instant? = one(JobFilter.SINCE, ::time)
    private val before: Instant? = one(JobFilter.BEFORE, ::time)
    private val payload: Json? = one(JobFilter.PAYLOAD, ::payload)

    /** The rows to list. Narrower than the user's scope if an organization is chosen. */
    val scope: Scope = one(JobFilter.ORGANIZATION, ::organization) ?: userScope

    /** What is wrong with a filter, as a sentence. */
    val problems: Map<JobFilter, String> get() = found

    /** The filters that are set, with their values as they were given. */
    val chosen: List<Pair<JobFilter, String>> =
        JobFilter.entries.flatMap { filter -> values[filter].orEmpty().map { filter to it } }

    init {
        val isUnbounded = types.isEmpty() && since == null && before == null && !isBounded
        if (payload != null && isUnbounded && found.isEmpty()) {
            found[JobFilter.PAYLOAD] = "Also choose a type or a time: without one, the payload of each job would be read."
        }
        if (since != null && before != null && !since.isBefore(before)) {
            found[JobFilter.BEFORE] = "This is not after “created since”: choose a later time."
        }
    }

    /** The given value of [filter]; empty if there is none. */
    fun valueOf(filter: JobFilter): String = values[filter]?.firstOrNull().orEmpty()

    /** Whether waiting jobs of a type are listed, which the ledger has in the order of claims only. */
    val isInOrderOfClaims: Boolean
        get() = statuses == setOf(JobStatus.PENDING) && types.size in 1..MOST_TYPES_IN_ORDER &&
            code == null && key == null && scope.kind() != Scope.Kind.ORGANIZATION

    /** Whether a page ends after a number of jobs that it has read, matching or not. */
    private val isBounded: Boolean
        get() = key == null && (isInOrderOfClaims || scope.kind() == Scope.Kind.ORGANIZATION || code != null)

    /** The time since which jobs are searched although no filter says so: null if the filters need no such limit. */
    val assumedSince: Instant? = if (isWide() && since == null) (before ?: now).truncated() - LONGEST_SEARCH else null

    fun query(limit: Int, after: String?): JobQuery = JobQuery.builder()
        .statuses(*statuses.toTypedArray())
        .jobTypes(types)
        .errorCode(code)
        .idempotencyKey(key)
        .limit(limit)
        .after(after)
        .order(if (isInOrderOfClaims) JobQuery.Order.CLAIM else JobQuery.Order.NEWEST)
        .maxRead(if (isBounded && isNarrowed) MOST_READ else null)
        .apply {
            payload?.let(::payloadContaining)
            (since ?: assumedSince)?.let(::createdSince)
            before?.let(::createdBefore)
        }
        .build()

    /** These filters without one of their values. */
    fun without(filter: JobFilter, value: String): JobFilters =
        JobFilters(userScope, values.mapValues { (of, given) -> if (of == filter) given - value else given }, now)

    /** The parameters of the address that has these filters. */
    fun parameters(): List<Pair<String, String?>> = chosen.map { (filter, value) -> filter.parameter to value }

    /** Whether there are conditions beside those that the index of a bounded list decides. */
    private val isNarrowed: Boolean get() = isInOrderOfClaims || types.isNotEmpty() || payload != null || code != null

    /**
     * Whether jobs that do not match may have to be read one by one, without a bound. No index has ended jobs by type or by
     * payload, and none has the global ones. Keys, codes, live states and an organization's states have indexes.
     */
    private fun isWide(): Boolean {
        if (key != null || isBounded) return false
        if (payload != null) return true
        val isLive = statuses.isNotEmpty() && statuses.all { it in LIVE }
        return when (scope.kind()) {
            Scope.Kind.ORGANIZATION -> false
            Scope.Kind.GLOBAL -> !isLive
            Scope.Kind.EVERYTHING -> !isLive && (types.isNotEmpty() || statuses.isNotEmpty())
        }
    }

    private fun <T> one(filter: JobFilter, meaning: (String) -> T): T? =
        values[filter]?.firstOrNull()?.let { text -> read(filter, text, meaning) }

    private fun <T> read(filter: JobFilter, text: String, meaning: (String) -> T): T? = try {
        meaning(text.trim())
    } catch (wrong: InvalidRequestException) {
        // Without the code in brackets, which is for programs.
        found[filter] = wrong.message.orEmpty().substringBeforeLast(" [")
        null
    } catch (wrong: IllegalArgumentException) {
        found[filter] = wrong.message.orEmpty()
        null
    }

    private fun status(text: String): JobStatus? = JobStatus.entries.find { it.name == text.trim().uppercase() }.also {
        if (it == null) found[JobFilter.STATUS] = "There is no state ${Text.quoted(text)}: choose one of the states."
    }

    private fun type(text: String): String = text.also { Identifier.JOB_TYPE.require(it) }

    private fun storable(text: String): String = text.also {
        require(Text.isStorable(it)) { "The text has a character that the ledger cannot store: no job has it." }
    }

    private fun payload(text: String): Json = Json.of(text).requireStorable()

    private fun time(text: String): Instant =
        requireNotNull(filterTime(text, now)) { "Give a time in UTC such as 2026-11-19 09:30, or how long ago such as 2 h." }

    private fun organization(text: String): Scope {
        require(userScope.kind() == Scope.Kind.EVERYTHING) { "You see the jobs of one scope: this filter is not for you." }
        if (text == GLOBAL) return Scope.global()
        val id = try {
            UUID.fromString(text)
        } catch (_: IllegalArgumentException) {
            null
        }
        return Scope.organization(requireNotNull(id) { "Give the id of an organization, or “$GLOBAL” for jobs without one." })
    }

    companion object {
        /** The organization that selects jobs without one. */
        const val GLOBAL = "global"

        /** How far back jobs are searched that no index finds. */
        val LONGEST_SEARCH: Duration = Duration.ofDays(7)

        /** How many jobs of each state one page reads, if its filters let it read jobs that do not match. */
        const val MOST_READ = 5_000

        /** The order of claims is read for each type, so there are not many of them. */
        private const val MOST_TYPES_IN_ORDER = 5

        /** The filters that can have several values. */
        private val SEVERAL = setOf(JobFilter.STATUS, JobFilter.TYPE)
        private const val MOST_VALUES = 20
        private val LIVE = setOf(JobStatus.PENDING, JobStatus.LEASED, JobStatus.DEAD_LETTERED)

        fun of(visit: Visit, now: Instant = Instant.now()): JobFilters = JobFilters(visit.scope, given(visit.query), now)

        private fun given(query: Parameters): Map<JobFilter, List<String>> =
            JobFilter.entries.associateWith { query.all(it.parameter).distinct().take(if (it in SEVERAL) MOST_VALUES else 1) }
                .filterValues { it.isNotEmpty() }

        private fun Instant.truncated() = truncatedTo(ChronoUnit.MINUTES)
    }
}
