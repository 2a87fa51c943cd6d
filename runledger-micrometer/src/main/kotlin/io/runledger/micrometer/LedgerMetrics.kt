package io.runledger.micrometer

import io.micrometer.core.instrument.Gauge
import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.core.instrument.Tag
import io.micrometer.core.instrument.Tags
import io.micrometer.core.instrument.TimeGauge
import io.micrometer.core.instrument.Timer
import io.micrometer.core.instrument.binder.MeterBinder
import io.runledger.exposed.RunledgerClient
import io.runledger.model.fleet.FleetMetrics
import io.runledger.model.fleet.FleetMetrics.TypeLoad
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit

/**
 * The load of a ledger as gauges, for the whole fleet of its workers: `LedgerMetrics(client).bindTo(registry)`. Any process with
 * a client can export them, also one without a worker; it is enough if one does. `docs/metrics.md` lists the gauges. Each has
 * the tag `ledger`, the schema.
 *
 * All gauges of a scrape read one snapshot, `client.metrics.fleet()`. It is read on a thread of its own
 * and serves for ten seconds. If the database does not answer within two seconds, or refuses, the gauges are NaN and the scrape
 * goes on.
 */
public class LedgerMetrics private constructor(client: RunledgerClient, settings: Builder) : MeterBinder {
    private val tags = Tags.of("ledger", client.schema).and(settings.common.tags)
    private val mostTypes = settings.common.maxTypes
    private val registries = CopyOnWriteArrayList<Bound>()
    private val reading = FleetReading(settings.maxAge, settings.patience, System::nanoTime) {
        measured { client.metrics.fleet(settings.limit) }.also { fleet -> registries.forEach { it.learn(fleet) } }
    }

    /** The gauges of [client]'s ledger, with the default settings. */
    public constructor(client: RunledgerClient) : this(client, Builder(client))

    override fun bindTo(registry: MeterRegistry) {
        val bound = Bound(registry)
        bound.bind()
        registries += bound
        // So that the types are known at the first scrape.
        reading.refresh()
    }

    private fun measured(read: () -> FleetMetrics): FleetMetrics {
        val begin = System.nanoTime()
        var outcome = "failure"
        try {
            return read().also { outcome = "success" }
        } finally {
            val elapsed = System.nanoTime() - begin
            registries.forEach { it.reads(outcome).record(elapsed, TimeUnit.NANOSECONDS) }
        }
    }

    /** The gauges in one registry. */
    private inner class Bound(private val registry: MeterRegistry) {
        private val types = LinkedHashSet<String>()
        private val limits = LinkedHashSet<String>()
        private val queues = LinkedHashSet<String>()
        private var hasOthers = false

        fun bind() {
            reads("success")
            reads("failure")
            gauge("runledger.fleet.leases.expired", "Expired leases that were not reaped yet") { it.expiredLeases() }
            listOf<Pair<String, (FleetMetrics.Workers) -> Long>>(
                "working" to { it.working() },
                "draining" to { it.draining() },
                "stopping" to { it.stopping() },
                "lost" to { it.lost() },
            ).forEach { (state, count) ->
                gauge("runledger.fleet.workers", "Registered workers", "state", state) { count(it.workers()) }
            }
            gauge("runledger.fleet.slots", "Slots of the workers", "state", "busy") { it.workers().busySlots() }
            gauge("runledger.fleet.slots", "Slots of the workers", "state", "free") { fleet ->
                fleet.workers().let { maxOf(0L, it.slots() - it.busySlots()) }
            }
            gauge("runledger.fleet.schedules.late", "Schedules that have been due for more than a minute") { it.lateSchedules() }
            age("runledger.fleet.schedules.lateness", "The time since the first late schedule was due") { it.longestLateness() }
            gauge("runledger.fleet.runs.open", "Workflow runs that have not ended") { it.openRuns() }
            gauge("runledger.fleet.gates.waiting", "Gates that wait to be completed") { it.waitingGates() }
            age("runledger.fleet.gates.wait", "The longest wait of a gate") { it.longestGateWait() }
            gauge("runledger.fleet.types.capped", "Job types of which one count has reached its limit") { fleet ->
                fleet.types().count { it.isCapped }
            }
        }

        fun reads(outcome: String): Timer = Timer.builder("runledger.fleet.read")
            .description("Reads of the load of the fleet").tags(tags.and("outcome", outcome)).register(registry)

        /** Registers the gauges of new types, limits and queues. */
        @Synchronized
        fun learn(fleet: FleetMetrics) {
            for (type in fleet.types()) {
                val name = type.jobType()
                if (name in types) continue
                if (types.size < mostTypes) {
                    types += name
                    bind(name) { it.types().filter { load -> load.jobType() == name } }
                } else if (!hasOthers) {
                    hasOthers = true
                    val own = types.toSet()
                    bind(BoundedTags.OTHER) { it.types().filter { load -> load.jobType() !in own } }
                }
            }
            learnFlow(fleet)
        }

        /** A snapshot has the first limits and queues by name. Gauges of what is no longer among them are zero. */
        private fun learnFlow(fleet: FleetMetrics) {
            fleet.limits().filter {
                limits.size < FleetMetrics.MOST_NAMES && limits.add(it.name())
            }.forEach { bindLimit(it.name()) }
            fleet.queues().filter {
                queues.size < FleetMetrics.MOST_NAMES && queues.add(it.name())
            }.forEach { bindQueue(it.name()) }
        }

        private fun bindLimit(name: String) {
            fun load(fleet: FleetMetrics) = fleet.limits().firstOrNull { it.name() == name }
            gauge("runledger.fleet.limit.permits", "Permits of a limit, or of each of its keys", "limit", name) {
                load(it)?.permits() ?: Double.NaN
            }
            gauge("runledger.fleet.limit.used", "Running jobs of a limit", "limit", name) { load(it)?.inUse() ?: 0 }
            gauge("runledger.fleet.limit.waiting", "Due jobs of a limit", "limit", name) { load(it)?.waiting() ?: 0 }
        }

        private fun bindQueue(name: String) {
            fun load(fleet: FleetMetrics) = fleet.queues().firstOrNull { it.name() == name }
            gauge("runledger.fleet.queue.jobs", "Live jobs of a queue", "queue", name, "state", "waiting") {
                load(it)?.waiting()
                    ?: 0
            }
            gauge("runledger.fleet.queue.jobs", "Live jobs of a queue", "queue", name, "state", "running") {
                load(it)?.running()
                    ?: 0
            }
            age("runledger.fleet.queue.oldest.due", "The longest wait of a due job of a queue", "queue", name) {
                load(it)?.oldestDue()
            }
            gauge("runledger.fleet.queue.paused", "Whether a queue is paused", "queue", name) {
                if (load(it)?.isPaused ==
                    true
                ) {
                    1
                } else {
                    0
                }
            }
        }

        private fun bind(type: String, loads: (FleetMetrics) -> List<TypeLoad>) {
            listOf<Pair<String, (TypeLoad) -> Long>>(
                "due" to { it.due() },
                "scheduled" to { it.scheduled() },
                "paused" to { it.paused() },
                "running" to { it.running() },
            ).forEach { (state, count) ->
                gauge("runledger.fleet.jobs", "Live jobs", "type", type, "state", state) { loads(it).sumOf(count) }
            }
            gauge("runledger.fleet.dead.letters", "Dead letters that wait for an operator", "type", type) { fleet ->
                loads(fleet).sumOf { it.deadLetters() }
            }
            age("runledger.fleet.oldest.due", "The longest wait of a due job", "type", type) { fleet ->
                loads(fleet).mapNotNull { it.oldestDue() }.maxOrNull()
            }
        }

        private fun gauge(name: String, description: String, vararg more: String, value: (FleetMetrics) -> Number) {
            Gauge.builder(name) { reading.current()?.let(value)?.toDouble() ?: Double.NaN }
                .description(description).tags(tags.and(*more)).register(registry)
        }

        /** Zero if there is nothing to wait for. */
        private fun age(name: String, description: String, vararg more: String, value: (FleetMetrics) -> Duration?) {
            val millis = { reading.current()?.let { value(it) ?: Duration.ZERO }?.toMillis()?.toDouble() ?: Double.NaN }
            TimeGauge.builder(name, millis, TimeUnit.MILLISECONDS)
                .description(description).tags(tags.and(*more)).register(registry)
        }
    }

    /** Settings of the gauges. Not safe for use by several threads. */
    public class Builder internal constructor(private val client: RunledgerClient) {
        @get:JvmSynthetic
        internal val common = CommonSettings()

        @get:JvmSynthetic
        internal var limit: Int = LIMIT
            private set

        @get:JvmSynthetic
        internal var maxAge: Duration = Duration.ofSeconds(10)
            private set

        @get:JvmSynthetic
        internal var patience: Duration = Duration.ofSeconds(2)
            private set

        /** Adds tags to every gauge. */
        public fun tags(tags: Iterable<Tag>): Builder = apply { common.addTags(tags) }

        /** How many job types have gauges of their own, by default 100. The others are added up as type `other`. */
        public fun maxTypes(most: Int): Builder = apply { common.maxTypes = most }

        /** Where each count stops, from 1 to 1,000,000 rows, by default at 10,000: see `Metrics.fleet`. */
        public fun limit(rows: Int): Builder = apply {
            require(rows in 1..LARGEST_LIMIT) { "limit is $rows: give 1 to $LARGEST_LIMIT." }
            limit = rows
        }

        /** How long a snapshot serves, by default ten seconds. */
        public fun maxAge(age: Duration): Builder = apply { maxAge = notNegative("maxAge", age) }

        /** How long a scrape waits for a snapshot, by default two seconds. */
        public fun patience(time: Duration): Builder = apply { patience = notNegative("patience", time) }

        /** The binder. */
        public fun build(): LedgerMetrics = LedgerMetrics(client, this)
    }

    public companion object {
        private const val LIMIT = 10_000
        private const val LARGEST_LIMIT = 1_000_000

        /** A builder for the gauges of [client]'s ledger. */
        @JvmStatic
        public fun builder(client: RunledgerClient): Builder = Builder(client)
    }
}
