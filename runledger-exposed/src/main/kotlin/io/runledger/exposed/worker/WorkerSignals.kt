package io.runledger.exposed.worker

import io.runledger.exposed.signal.SignalSubscriber
import io.runledger.exposed.signal.Signals

/** The signals of a ledger for its workers. They include jobs that the worker's own client enqueues, without the database. */
@WorkerApi
public class WorkerSignals internal constructor(private val signals: Signals) {
    /** Whether notifications arrive at this moment. See [Signals.isListening]. */
    @get:JvmName("isListening")
    public val isListening: Boolean get() = signals.isListening

    /**
     * Like [Signals.subscribe]. Jobs that the worker's client enqueues in a transaction of its own are signalled after the
     * commit, on the thread that enqueues them, and their notification is not signalled again. So [subscriber] may be called by
     * several threads at once.
     */
    public fun subscribe(subscriber: SignalSubscriber): AutoCloseable = signals.subscribeDirectly(subscriber)
}
