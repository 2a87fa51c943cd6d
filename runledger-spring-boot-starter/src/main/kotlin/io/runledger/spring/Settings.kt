package io.runledger.spring

import io.runledger.coroutines.WorkerConfig
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.RunledgerException
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException
import org.springframework.util.unit.DataSize

/** The settings of the properties, for a builder that refuses wrong values. The refusal names the property. */
internal fun RunledgerProperties.applyTo(builder: RunledgerClient.Builder) {
    setting("schema", schema) { builder.schema(it) }
    setting("notifications", notifications) { builder.notifications(it) }
    setting("limits.payload", limits.payload) { builder.maxPayloadBytes(bytes(it)) }
    setting("limits.output", limits.output) { builder.maxOutputBytes(bytes(it)) }
    setting("limits.checkpoint", limits.checkpoint) { builder.maxCheckpointBytes(bytes(it)) }
    setting("limits.context", limits.context) { builder.maxContextBytes(bytes(it)) }
    setting("limits.facts", limits.facts) { builder.maxFactsBytes(bytes(it)) }
    setting("limits.log-lines", limits.logLines) { builder.maxLogLines(it) }
}

internal fun RunledgerProperties.Worker.config(): WorkerConfig {
    val config = WorkerConfig.builder()
    fun <T : Any> set(name: String, value: T?, apply: (T) -> Unit) = setting("worker.$name", value, apply)

    set("worker-id", workerId) { config.workerId(it) }
    set("labels", labels) { config.labels(*it.toTypedArray()) }
    set("queues", queues) { config.queues(*it.toTypedArray()) }
    set("application-version", applicationVersion) { config.applicationVersion(it) }
    set("max-concurrency", maxConcurrency) { config.maxConcurrency(it) }
    typeLimits.forEach { (type, limit) -> set("type-limits.$type", limit) { config.typeLimit(type, it) } }
    set("claim-batch-size", claimBatchSize) { config.claimBatchSize(it) }
    set("lease", lease) { config.lease(it) }
    set("poll-interval", pollInterval) { config.pollInterval(it) }
    set("max-poll-interval", maxPollInterval) { config.maxPollInterval(it) }
    set("shutdown-grace", shutdownGrace) { config.shutdownGrace(it) }
    set("stop-grace", stopGrace) { config.stopGrace(it) }
    set("scheduler", scheduler) { config.scheduler(it) }
    set("scheduler-interval", schedulerInterval) { config.schedulerInterval(it) }
    set("reaper", reaper) { config.reaper(it) }
    set("reaper-interval", reaperInterval) { config.reaperInterval(it) }
    set("reaper-retry-delay", reaperRetryDelay) { config.reaperRetryDelay(it) }
    set("hook-timeout", hookTimeout) { config.hookTimeout(it) }
    set("trigger-timeout", triggerTimeout) { config.triggerTimeout(it) }
    // Before the ages, so that ages that are set still apply.
    if (keepEverything) config.keepEverything()
    retention.forEach { (status, age) -> set("retention.${status.name.lowercase()}", age) { config.retention(status, it) } }
    runRetention.forEach { (status, age) ->
        set("run-retention.${status.name.lowercase().replace('_', '-')}", age) { config.runRetention(status, it) }
    }
    set("fire-retention", fireRetention) { config.fireRetention(it) }
    set("poll-retention", pollRetention) { config.pollRetention(it) }
    set("worker-retention", workerRetention) { config.workerRetention(it) }
    set("janitor-interval", janitorInterval) { config.janitorInterval(it) }
    set("beat-interval", beatInterval) { config.beatInterval(it) }
    return config.build()
}

private fun bytes(size: DataSize): Int {
    require(size.toBytes() in 1..Int.MAX_VALUE) { "$size is out of range: give 1B to ${Int.MAX_VALUE}B." }
    return size.toBytes().toInt()
}

internal fun <T : Any> setting(name: String, value: T?, apply: (T) -> Unit) {
    if (value == null) return
    val reason = try {
        return apply(value)
    } catch (refused: IllegalArgumentException) {
        refused
    } catch (refused: RunledgerException) {
        refused
    }
    throw InvalidConfigurationPropertyValueException("${RunledgerProperties.PREFIX}.$name", value, reason.message, reason)
}
