package io.runledger.console.live

import io.runledger.console.content.Topic
import io.runledger.exposed.RunledgerClient
import java.util.UUID

/** The marks of some topics at one moment. A topic has another mark when its rows have changed. */
internal data class Marks(private val marks: Map<Topic, String>) {
    /** The mark of [topic]; null if it was not read. */
    fun of(topic: Topic): String? = marks[topic]

    companion object {
        val NONE = Marks(emptyMap())

        /** One statement for all of [topics]. */
        fun read(reads: RunledgerClient, topics: Set<Topic>): Marks {
            val jobs = topics.mapNotNull { (it as? Topic.OfJob)?.id }
            val runs = topics.mapNotNull { (it as? Topic.OfRun)?.id }
            val changes = reads.changes(jobs, runs)
            return Marks(
                jobs.associate { Topic.OfJob(it) to short(changes.jobs()[it]) } +
                    runs.associate { Topic.OfRun(it) to short(changes.runs()[it]) } +
                    (Topic.Ledger to short(changes.ledger())),
            )
        }

        /** Null means that the rows are gone. */
        private fun short(mark: String?): String = UUID.nameUUIDFromBytes(mark.orEmpty().toByteArray()).toString()
    }
}
