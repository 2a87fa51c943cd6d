package io.runledger.console.screen.jobs

/** A condition of the list of jobs. Several values of a [parameter] are alternatives. */
internal enum class JobFilter(val parameter: String, val label: String) {
    PAYLOAD("payload", "Payload contains"),
    KEY("key", "Idempotency key"),
    CODE("code", "Error code"),
    TYPE("type", "Type"),
    STATUS("status", "State"),
    SINCE("since", "Created since"),
    BEFORE("before", "Created before"),
    ORGANIZATION("organization", "Organization"),
}
