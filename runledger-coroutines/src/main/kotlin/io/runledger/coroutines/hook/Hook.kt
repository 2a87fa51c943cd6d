package io.runledger.coroutines.hook

import io.runledger.model.job.DeadLetter

/** A named receiver of the dead letters of [jobTypes]. */
internal class Hook(val name: String, val jobTypes: List<String>, val deliver: suspend (DeadLetter) -> Unit) {
    init {
        require(jobTypes.isNotEmpty()) { "Hook '$name' has no job types: name them, or give the worker handlers." }
    }
}
