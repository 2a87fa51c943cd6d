package io.runledger.coroutines.crash.chaos

/** The steps of a machine. Each is one run of its job, so the run number determines the step. */
internal sealed interface Errand {
    val tag: String

    data class Fetch(override val tag: String) : Errand

    data class Carry(override val tag: String) : Errand

    data class Deliver(override val tag: String) : Errand
}
