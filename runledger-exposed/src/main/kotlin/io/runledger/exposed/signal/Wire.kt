package io.runledger.exposed.signal

import java.util.UUID

/** Parses the payload of a notification. Null if its kind is unknown: a newer version of the library may send more kinds. */
internal fun signalOf(payload: String): Signal? {
    val body = payload.substringAfter(':', missingDelimiterValue = "")
    return when (payload.substringBefore(':')) {
        "j" -> body.ifEmpty { null }?.let(Signal::DueJobs)
        "n" -> newJobOf(body)
        "c" -> uuidOf(body)?.let(Signal::CanceledJob)
        "p" -> body.ifEmpty { null }?.let(Signal::PausedType)
        "h" -> uuidOf(body)?.let(Signal::PausedRun)
        "r" -> uuidOf(body)?.let(Signal::EndedRun)
        "w" -> uuidOf(body)?.let(Signal::ChangedOrder)
        "f" -> Signal.FreedPermits
        "g" -> uuidOf(body)?.let(Signal::OpenedGate)
        else -> null
    }
}

private fun newJobOf(body: String): Signal? {
    val jobType = body.substringAfter(':', missingDelimiterValue = "").ifEmpty { return null }
    return uuidOf(body.substringBefore(':'))?.let { Signal.DueJobs(it, jobType) }
}

private fun uuidOf(text: String): UUID? = try {
    UUID.fromString(text)
} catch (_: IllegalArgumentException) {
    null
}
