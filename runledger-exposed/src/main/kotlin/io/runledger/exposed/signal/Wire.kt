package io.runledger.exposed.signal

import java.util.UUID

/** Reads what the statements send. What it does not know is null: a newer version of the library may send more. */
internal fun signalOf(payload: String): Signal? {
    val body = payload.substringAfter(':', missingDelimiterValue = "")
    return when (payload.substringBefore(':')) {
        "j" -> body.ifEmpty { null }?.let(Signal::DueJobs)
        "c" -> uuidOf(body)?.let(Signal::CanceledJob)
        "r" -> uuidOf(body)?.let(Signal::EndedRun)
        "w" -> uuidOf(body)?.let(Signal::ChangedOrder)
        "g" -> uuidOf(body)?.let(Signal::OpenedGate)
        else -> null
    }
}

private fun uuidOf(text: String): UUID? = try {
    UUID.fromString(text)
} catch (_: IllegalArgumentException) {
    null
}
