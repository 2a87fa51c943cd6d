package io.runledger.coroutines

import io.runledger.model.failure.FailureClassifier
import io.runledger.model.handler.AsyncBatchJobHandler
import io.runledger.model.handler.AsyncJobHandler
import io.runledger.model.handler.BatchJobHandler
import io.runledger.model.handler.JobHandler
import io.runledger.model.job.JobType
import java.time.Duration
import java.util.function.Consumer

/**
 * The handlers of a worker, by job type. Immutable. A worker claims only the types registered here, so it never claims a job of
 * an unknown type.
 */
public class Handlers private constructor(
    private val registrations: Map<String, Registration<*>>,
    private val classifiers: Classifiers,
    private val overtimes: Overtimes,
) {
    /** The registered job types. */
    @get:JvmName("jobTypes")
    public val jobTypes: List<JobType<*>> get() = registrations.values.map { it.type }

    @JvmSynthetic
    internal fun of(jobType: String): Registration<*>? = registrations[jobType]

    /** The largest number of jobs in one call, of the types that have a batch handler. */
    @get:JvmSynthetic
    internal val batchSizes: Map<String, Int> =
        registrations.mapNotNull { (type, registration) -> registration.batch?.let { type to it.max } }.toMap()

    @JvmSynthetic
    internal fun classifierOf(jobType: String): FailureClassifier = classifiers.of(jobType)

    @JvmSynthetic
    internal fun overtimeOf(jobType: String): Duration = overtimes.of(jobType)

    internal class Registration<P : Any>(
        val type: JobType<P>,
        private val single: AttemptHandler<P>?,
        /** The step machine behind the handler, or null for a plain handler. */
        val machine: StepMachine<P>? = null,
        /** The handler of a type whose jobs run in batches, else null. */
        val batch: BatchHandler<P>? = null,
    ) {
        /** The handler of a type whose jobs run one by one. */
        val handler: AttemptHandler<P> get() = checkNotNull(single) { "The jobs of type '${type.name()}' run in batches." }
    }

    public companion object {
        /** Starts a registry; Kotlin code may prefer [handlers]. */
        @JvmStatic
        public fun builder(): Builder = Builder()
    }

    /** Collects handlers, one per job type; a second handler for a type throws an `IllegalArgumentException`. */
    public class Builder internal constructor() {
        private val registrations = LinkedHashMap<String, Registration<*>>()
        private var classifiers = Classifiers()
        private var overtimes = Overtimes()

        /**
         * Runs jobs of [type] with a handler that blocks its thread: a virtual thread if the JDK has them, else a thread of a
         * bounded pool.
         */
        public fun <P : Any> blocking(type: JobType<P>, handler: JobHandler<P>): Builder =
            register(type, blockingAttempt(handler))

        /** Runs jobs of [type] with a handler that returns a `CompletionStage`. */
        public fun <P : Any> async(type: JobType<P>, handler: AsyncJobHandler<P>): Builder = register(type, asyncAttempt(handler))

        /** Runs jobs of [type] with a suspending handler. */
        public fun <P : Any> suspending(type: JobType<P>, handler: SuspendingJobHandler<P>): Builder =
            register(type, suspendingAttempt(handler))

        /**
         * Runs up to [max] jobs of [type] in one call of a handler that blocks its thread. A call takes the jobs that are ready
         * together, and never waits for more. It occupies one slot. [max] is 1 to 1,000.
         */
        public fun <P : Any> blockingBatch(type: JobType<P>, max: Int, handler: BatchJobHandler<P>): Builder =
            register(type, blockingBatchHandler(max, handler))

        /** Runs up to [max] jobs of [type] in one call of a handler that returns a `CompletionStage`; see [blockingBatch]. */
        public fun <P : Any> asyncBatch(type: JobType<P>, max: Int, handler: AsyncBatchJobHandler<P>): Builder =
            register(type, asyncBatchHandler(max, handler))

        /** Runs up to [max] jobs of [type] in one call of a suspending handler; see [blockingBatch]. */
        public fun <P : Any> suspendingBatch(type: JobType<P>, max: Int, handler: SuspendingBatchJobHandler<P>): Builder =
            register(type, suspendingBatchHandler(max, handler))

        /** Runs jobs of the [machine]'s type with its functions, step by step. */
        public fun <S : Any> machine(machine: StepMachine<S>): Builder =
            register(Registration(machine.type, machineAttempt(machine), machine))

        /** Runs jobs of [type] step by step, with the functions that [steps] adds to a machine; see [StepMachine.Builder]. */
        public fun <S : Any> machine(type: JobType<S>, steps: Consumer<StepMachine.Builder<S>>): Builder =
            machine(StepMachine.builder(type).also(steps::accept).build())

        /** Classifies the exceptions of all handlers that have no classifier of their own. The last call wins. */
        public fun classify(classifier: FailureClassifier): Builder = apply { classifiers = classifiers.withGeneral(classifier) }

        /** Classifies the exceptions of the handler of [type]. */
        public fun classify(type: JobType<*>, classifier: FailureClassifier): Builder =
            apply { classifiers = classifiers.with(type.name(), classifier) }

        /**
         * The overtime of types that have none of their own: how long a handler that ignores its timeout keeps its job. Default:
         * ten minutes; at most a year. The job is retried when the handler has ended, and at the latest when the overtime is
         * over. With zero, the job is retried at once, although the handler may still be running.
         */
        public fun overtime(overtime: Duration): Builder = apply { overtimes = overtimes.withGeneral(overtime) }

        /** The overtime of [type]: how long its handler keeps the job after its timeout. */
        public fun overtime(type: JobType<*>, overtime: Duration): Builder =
            apply { overtimes = overtimes.with(type.name(), overtime) }

        /**
         * Adds all handlers of [handlers], which keep their classifiers and their overtime. What this builder says for all types
         * does not apply to them.
         */
        public fun include(handlers: Handlers): Builder = apply {
            handlers.registrations.forEach { (jobType, registration) ->
                register(registration)
                classifiers = classifiers.with(jobType, handlers.classifierOf(jobType))
                overtimes = overtimes.with(jobType, handlers.overtimeOf(jobType))
            }
        }

        /** A registry of the handlers added so far. */
        public fun build(): Handlers = Handlers(LinkedHashMap(registrations), classifiers, overtimes)

        private fun <P : Any> register(type: JobType<P>, handler: AttemptHandler<P>): Builder =
            register(Registration(type, handler))

        private fun <P : Any> register(type: JobType<P>, handler: BatchHandler<P>): Builder =
            register(Registration(type, null, batch = handler))

        private fun register(registration: Registration<*>): Builder = apply {
            val name = registration.type.name()
            val earlier = registrations.putIfAbsent(name, registration)
            require(earlier == null) { "Job type '$name' has a handler already: register one per type." }
        }
    }
}
