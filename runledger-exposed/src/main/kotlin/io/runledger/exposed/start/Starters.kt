package io.runledger.exposed.start

import java.util.concurrent.CopyOnWriteArrayList

/** The workers of a client that may start its jobs as they are enqueued. */
internal class Starters {
    private val all = CopyOnWriteArrayList<JobStarter>()

    fun register(starter: JobStarter): AutoCloseable {
        all += starter
        return AutoCloseable { all -= starter }
    }

    fun reserve(jobType: String): ReservedSlot? = all.firstNotNullOfOrNull { it.reserve(jobType) }
}
