package io.runledger.coroutines.loop

import io.runledger.model.state.DeadLetter

/** Who is handed the dead letters of [jobTypes], and how. */
internal class Hook(val name: String, val jobTypes: List<String>, val deliver: suspend (DeadLetter) -> Unit) {
    init {
        require(jobTypes.isNotEmpty()) { "Hook '$name' has nothing to wait for: name job types, or give the worker handlers." }
    }
}
