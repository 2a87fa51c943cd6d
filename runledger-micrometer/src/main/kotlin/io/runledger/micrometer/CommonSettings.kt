package io.runledger.micrometer

import io.micrometer.core.instrument.Tag
import io.micrometer.core.instrument.Tags
import java.time.Duration

/** What the builders of [WorkerMetrics] and [LedgerMetrics] have in common. */
internal class CommonSettings {
    var tags: Tags = Tags.empty()
        private set

    /** How many job types have meters of their own. */
    var maxTypes = 100
        set(most) {
            field = notNegative("maxTypes", most)
        }

    fun addTags(more: Iterable<Tag>) {
        tags = tags.and(more)
    }
}

internal fun notNegative(name: String, value: Int): Int {
    require(value >= 0) { "$name is $value, but must not be negative." }
    return value
}

internal fun notNegative(name: String, value: Duration): Duration {
    require(!value.isNegative) { "$name is $value, but must not be negative." }
    return value
}
