package io.runledger.console

import io.runledger.console.access.ConsoleAccess
import io.runledger.console.background.LongActions
import io.runledger.console.content.JsonText
import io.runledger.console.content.Redaction
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.ConsoleResponse
import io.runledger.console.live.LiveHub
import io.runledger.console.live.Snapshots
import io.runledger.console.page.Assets
import io.runledger.console.page.Frame
import io.runledger.console.screen.screens
import io.runledger.console.visit.ConsoleLedgers
import io.runledger.console.visit.Guard
import io.runledger.console.visit.Routes
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobType
import java.time.Duration

/**
 * A console for the people who operate a ledger: pages that show jobs, runs, schedules and workers, and the actions that change
 * them. It is mounted by its host under any path, through an adapter for the JDK's HTTP server, servlets or Ktor. The host says
 * who the user is.
 *
 * A console has one thread, which reads changes while pages are open, and a few for changes of many jobs, which outlive their
 * request. [close] ends them and the open streams. A change of many jobs then ends after its current batch: what it has changed
 * stays changed, its record has no end, and an operator can continue it.
 */
public class Console private constructor(builder: Builder) : AutoCloseable {
    private val assets = Assets()
    private val longActions = LongActions()
    private val ledgers = ConsoleLedgers(
        builder.client,
        builder.reads,
        Snapshots(builder.snapshotLifetime),
        JsonText(builder.redaction),
        builder.jobTypes.associateBy { it.name() },
        longActions,
    )
    private val hub = LiveHub(builder.reads, builder.refreshInterval, changed = ledgers.snapshots::clear)
    private val desk = FrontDesk(
        builder.access,
        ledgers,
        Routes().apply { screens().forEach { it.register(this) } },
        Frame(builder.client.schema, assets, builder.signOut),
        assets,
        hub,
        Guard(),
    )

    /** Answers a request. Called by adapters, from any thread; may wait for the database. */
    public fun answer(request: ConsoleRequest): ConsoleResponse = desk.answer(request)

    /** The number of open pages that hear of changes. */
    @get:JvmName("openStreams")
    public val openStreams: Int get() = hub.viewerCount

    /**
     * Ends the streams of open pages; their browsers open new ones after some seconds. A host calls it when it stops, before it
     * waits for open requests.
     */
    public fun endStreams() {
        hub.endStreams()
    }

    override fun close() {
        hub.close()
        longActions.close()
    }

    public companion object {
        /** A builder for a console of the ledger of [client]. */
        @JvmStatic
        public fun builder(client: RunledgerClient): Builder = Builder(client)
    }

    /** Settings of a console. Only [access] has no default: without it, each request is refused. */
    public class Builder internal constructor(internal val client: RunledgerClient) {
        internal var reads: RunledgerClient = client
        internal var access: ConsoleAccess = ConsoleAccess { null }
        internal var redaction: Redaction = Redaction.USUAL
        internal var jobTypes: List<JobType<*>> = emptyList()
        internal var signOut: String? = null
        internal var snapshotLifetime: Duration = Duration.ofSeconds(2)
        internal var refreshInterval: Duration = Duration.ofSeconds(2)

        /** Says who sends a request. */
        public fun access(access: ConsoleAccess): Builder = apply { this.access = access }

        /** The client that reads for the pages, for example over a replica. Actions use the client of the console. */
        public fun readWith(client: RunledgerClient): Builder = apply { reads = client }

        /** Which values in payloads are hidden. The default is [Redaction.USUAL]. */
        public fun redaction(redaction: Redaction): Builder = apply { this.redaction = redaction }

        /** Types whose payload classes are known, so that forms show a sample of their payload and check it. */
        public fun jobTypes(types: Collection<JobType<*>>): Builder = apply { jobTypes = types.toList() }

        /** The address of the host at which the user signs out. Each page then has a link to it. */
        public fun signOutAt(address: String): Builder = apply { signOut = address }

        /** How often open pages are compared with the ledger. The default is two seconds. */
        public fun refreshInterval(interval: Duration): Builder = apply {
            require(!interval.isNegative && !interval.isZero) { "refreshInterval is $interval: it must be greater than zero." }
            refreshInterval = interval
            snapshotLifetime = interval
        }

        public fun build(): Console = Console(this)
    }
}
