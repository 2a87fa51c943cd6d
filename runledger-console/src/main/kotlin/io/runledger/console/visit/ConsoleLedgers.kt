package io.runledger.console.visit

import io.runledger.console.background.LongActions
import io.runledger.console.content.JsonText
import io.runledger.console.live.Snapshots
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobType

/** What all visits share. */
internal class ConsoleLedgers(
    /** Changes rows. */
    val writes: RunledgerClient,
    /** Reads them; the same client, or one over a replica. */
    val reads: RunledgerClient,
    val snapshots: Snapshots,
    /** Shows payloads and other JSON. */
    val json: JsonText,
    /** The types that forms know by their payload's class, by name. */
    val jobTypes: Map<String, JobType<*>>,
    /** Changes of many rows, which take longer than a request. */
    val longActions: LongActions,
)
