package io.runledger.ktor

import io.runledger.coroutines.WorkerConfig
import io.runledger.model.job.JobStatus
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import kotlin.time.toJavaDuration

/** A property below `worker`: how its value is read and set. The properties of a group have a further name, the member. */
internal class WorkerProperty(
    val name: String,
    val isGroup: Boolean = false,
    val set: WorkerConfig.Builder.(member: String, value: Any) -> Unit,
)

/** The properties below `worker`. They have the names of the functions of [WorkerConfig.Builder]. */
internal val workerProperties: List<WorkerProperty> = listOf(
    text("workerId") { workerId(it) },
    WorkerProperty("labels") { _, value -> labels(*value.asTexts().toTypedArray()) },
    WorkerProperty("queues") { _, value -> queues(*value.asTexts().toTypedArray()) },
    text("applicationVersion") { applicationVersion(it) },
    number("maxConcurrency") { maxConcurrency(it) },
    WorkerProperty("typeLimit", isGroup = true) { type, value -> typeLimit(member(type, "job type"), value.asNumber()) },
    number("claimBatchSize") { claimBatchSize(it) },
    duration("lease") { lease(it) },
    duration("pollInterval") { pollInterval(it) },
    duration("maxPollInterval") { maxPollInterval(it) },
    duration("shutdownGrace") { shutdownGrace(it) },
    duration("stopGrace") { stopGrace(it) },
    flag("scheduler") { scheduler(it) },
    duration("schedulerInterval") { schedulerInterval(it) },
    flag("reaper") { reaper(it) },
    duration("reaperInterval") { reaperInterval(it) },
    duration("reaperRetryDelay") { reaperRetryDelay(it) },
    duration("hookTimeout") { hookTimeout(it) },
    duration("triggerTimeout") { triggerTimeout(it) },
    // Before the ages, so that ages that are set still apply.
    flag("keepEverything") { if (it) keepEverything() },
    WorkerProperty("retention", isGroup = true) { status, value ->
        retention(status(status, JobStatus.entries.filter { it.isTerminal }), value.asDuration())
    },
    WorkerProperty("runRetention", isGroup = true) { status, value ->
        runRetention(status(status, WorkflowRunStatus.entries.filter { it.isTerminal }), value.asDuration())
    },
    duration("fireRetention") { fireRetention(it) },
    duration("pollRetention") { pollRetention(it) },
    duration("workerRetention") { workerRetention(it) },
    duration("beatInterval") { beatInterval(it) },
    duration("janitorInterval") { janitorInterval(it) },
)

private fun text(name: String, set: WorkerConfig.Builder.(String) -> Unit) =
    WorkerProperty(name) { _, value -> set(value.asText()) }

private fun number(name: String, set: WorkerConfig.Builder.(Int) -> Unit) =
    WorkerProperty(name) { _, value -> set(value.asNumber()) }

private fun flag(name: String, set: WorkerConfig.Builder.(Boolean) -> Unit) =
    WorkerProperty(name) { _, value -> set(value.asFlag()) }

private fun duration(name: String, set: WorkerConfig.Builder.(Duration) -> Unit) =
    WorkerProperty(name) { _, value -> set(value.asDuration()) }

/** HOCON keeps the quotes of a name that contains dots in some places, and not in others. */
private fun member(name: String, what: String): String =
    name.trim('"').also { require(it.isNotEmpty()) { "the $what is missing: add it to the name of the property." } }

/** The member of a group is a status in the camel case of property names: `deadLettered`. */
private fun <S : Enum<S>> status(name: String, allowed: List<S>): S {
    fun camel(status: S) = status.name.split('_').joinToString("") { it.lowercase().replaceFirstChar(Char::uppercase) }
        .replaceFirstChar(Char::lowercase)
    return requireNotNull(allowed.find { camel(it) == name }) {
        "'$name' is not the status of something that has ended: use ${allowed.joinToString { camel(it) }}."
    }
}

internal fun Any.asFlag(): Boolean =
    requireNotNull(asText().lowercase().toBooleanStrictOrNull()) { "'$this' is neither true nor false." }

private fun Any.asText(): String {
    require(this !is Collection<*> && this !is Map<*, *>) { "it is not a single value: give one." }
    return toString().trim()
}

/** A list, or one text with commas, as a command line or a system property has it. */
private fun Any.asTexts(): List<String> =
    (this as? Collection<*>)?.map { "$it".trim() } ?: asText().split(',').map { it.trim() }.filterNot { it.isEmpty() }

private fun Any.asNumber(): Int =
    requireNotNull(asText().toIntOrNull()) { "'$this' is not a whole number: give one, such as 16." }

private fun Any.asDuration(): Duration = requireNotNull(kotlin.time.Duration.parseOrNull(asText())?.takeIf { it.isFinite() }) {
    "'$this' is not a duration: give a number with its unit, such as 500ms, 30s, 5m, 12h or 7d."
}.toJavaDuration()
