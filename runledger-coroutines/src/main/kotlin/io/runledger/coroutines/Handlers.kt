package io.runledger.coroutines

import io.runledger.coroutines.run.AttemptHandler
import io.runledger.coroutines.run.Classifiers
import io.runledger.coroutines.run.Overtimes
import io.runledger.coroutines.run.asyncAttempt
import io.runledger.coroutines.run.blockingAttempt
import io.runledger.coroutines.run.machineAttempt
import io.runledger.coroutines.run.suspendingAttempt
import io.runledger.model.run.AsyncJobHandler
import io.runledger.model.run.FailureClassifier
import io.runledger.model.run.JobHandler
import io.runledger.model.spec.JobType
import java.time.Duration

/**
 * Which handler runs which job type. Immutable; a worker claims exactly the types registered here, so a job of an unknown
 * type is never claimed.
 */
public class Handlers private constructor(
    private val registrations: Map<String, Registration<*>>,
    private val classifiers: Classifiers,
    private val overtimes: Overtimes,
) {
    /** The registered job types, as producers and the ledger know them. */
    @get:JvmName("jobTypes")
    public val jobTypes: List<JobType<*>> get() = registrations.values.map { it.type }

    @JvmSynthetic
    internal fun of(jobType: String): Registration<*>? = registrations[jobType]

    @JvmSynthetic
    internal fun classifierOf(jobType: String): FailureClassifier = classifiers.of(jobType)

    @JvmSynthetic
    internal fun overtimeOf(jobType: String): Duration = overtimes.of(jobType)

    internal class Registration<P : Any>(
        val type: JobType<P>,
        val handler: AttemptHandler<P>,
        /** The machine that the handler is, or null when it is none. */
        val machine: StepMachine<P>? = null,
    )

    public companion object {
        /** Starts a registry; Kotlin code may prefer [handlers]. */
        @JvmStatic
        public fun builder(): Builder = Builder()
    }

    /** Collects handlers. Each job type has one; registering a second is an `IllegalArgumentException`. */
    public class Builder internal constructor() {
        private val registrations = LinkedHashMap<String, Registration<*>>()
        private var classifiers = Classifiers()
        private var overtimes = Overtimes()

        /**
         * Runs jobs of [type] by a handler that blocks its thread: a virtual one where the JDK has them, else one of a
         * bounded pool.
         */
        public fun <P : Any> blocking(type: JobType<P>, handler: JobHandler<P>): Builder =
            register(type, blockingAttempt(handler))

        /** Runs jobs of [type] by a handler that returns a `CompletionStage`. */
        public fun <P : Any> async(type: JobType<P>, handler: AsyncJobHandler<P>): Builder = register(type, asyncAttempt(handler))

        /** Runs jobs of [type] by a suspending handler. */
        public fun <P : Any> suspending(type: JobType<P>, handler: SuspendingJobHandler<P>): Builder =
            register(type, suspendingAttempt(handler))

        /** Runs jobs of the [machine]'s type by its functions, step by step. */
        public fun <S : Any> machine(machine: StepMachine<S>): Builder =
            register(Registration(machine.type, machineAttempt(machine), machine))

        /** Has [classifier] say of what sort the exceptions of all handlers are that have no classifier of their own. */
        public fun classify(classifier: FailureClassifier): Builder = apply { classifiers = classifiers.withGeneral(classifier) }

        /** Has [classifier] say of what sort the exceptions of the handler of [type] are. */
        public fun classify(type: JobType<*>, classifier: FailureClassifier): Builder =
            apply { classifiers = classifiers.with(type.name(), classifier) }

        /**
         * How long handlers that go on although their time is up keep their jobs, for types that have no overtime of their own.
         * Ten minutes unless given, a year at most. The job is tried again once the handler has ended, and at the latest when its
         * overtime is over; with zero it is tried again at once, although the handler may still be running.
         */
        public fun overtime(overtime: Duration): Builder = apply { overtimes = overtimes.withGeneral(overtime) }

        /** How long the handler of [type] keeps its job although its time is up. */
        public fun overtime(type: JobType<*>, overtime: Duration): Builder =
            apply { overtimes = overtimes.with(type.name(), overtime) }

        /** The registry as it stands now. */
        public fun build(): Handlers = Handlers(LinkedHashMap(registrations), classifiers, overtimes)

        private fun <P : Any> register(type: JobType<P>, handler: AttemptHandler<P>): Builder =
            register(Registration(type, handler))

        private fun register(registration: Registration<*>): Builder = apply {
            val name = registration.type.name()
            val earlier = registrations.putIfAbsent(name, registration)
            require(earlier == null) { "Job type '$name' has a handler already: register one per type." }
        }
    }
}
