package io.runledger.coroutines.worker

import io.runledger.coroutines.AsyncJobInterceptor
import io.runledger.coroutines.DeadLetterHook
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.JobInterceptor
import io.runledger.coroutines.PollScope
import io.runledger.coroutines.PollTrigger
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.WorkerMeter
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.WorkerReport
import io.runledger.coroutines.claim.Share
import io.runledger.coroutines.claim.WholeShare
import io.runledger.coroutines.handlers
import io.runledger.coroutines.hook.Hook
import io.runledger.coroutines.port.Calls
import io.runledger.coroutines.port.ExposedAttemptLedger
import io.runledger.coroutines.port.Ports
import io.runledger.coroutines.run.HandlerDispatcher
import io.runledger.coroutines.trigger.Trigger
import io.runledger.coroutines.watch.Meters
import io.runledger.coroutines.watch.metered
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.JobType
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.value.Identifier
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.future.asCompletableFuture
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.supervisorScope
import java.util.function.Consumer
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/**
 * Runs jobs: claims due jobs of the types it has handlers for, runs the handlers, renews the leases and settles the jobs. It
 * also fires schedules, reaps the jobs of lost workers and deletes rows that are past their retention.
 *
 * A process may run any number of workers, for any number of ledgers. If the database is unreachable, handlers continue while
 * their lease is provably held, and the worker resumes by itself. A job that fails, in whatever way, does not stop the worker.
 */
public class RunledgerWorker private constructor(
    private val client: RunledgerClient,
    private val handlers: Handlers,
    private val config: WorkerConfig,
    private val observers: List<WorkerObserver>,
    private val meters: Meters,
    private val interceptors: List<JobInterceptor>,
    private val hooks: List<Hook>,
    private val triggers: List<Trigger>,
    private val handlerContext: CoroutineContext,
) {
    /**
     * Runs the worker until the calling coroutine is cancelled or an order stops the worker. It then shuts down: it claims no
     * more jobs, lets running jobs continue for the config's `shutdownGrace`, asks the rest to stop, releases them without
     * spending the attempt, and settles the others. Only then does it rethrow the cancellation; in that case the report goes to
     * [WorkerObserver.stopped] and to the log only.
     *
     * Suspending handlers inherit the caller's context, except its job and its dispatcher: they run on the threads of
     * `Dispatchers.Default` unless [Builder.handlerContext] sets another dispatcher.
     */
    @JvmSynthetic
    public suspend fun run(): WorkerReport = newRun(currentCoroutineContext()).run()

    /** Starts the worker in the background. It runs until it is stopped. */
    public fun start(): RunningWorker {
        val run = newRun(EmptyCoroutineContext)
        val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        return RunningWorker(run::requestStop, scope.future { run.run() })
    }

    /** Starts the worker as one of several that share [shared]. */
    @JvmSynthetic
    internal fun startOn(shared: SharedResources): RunningWorker {
        val share = shared.shares.join(config.maxConcurrency)
        val run = newRun(EmptyCoroutineContext, shared.calls, shared.threads, share)
        val scope = CoroutineScope(SupervisorJob() + shared.threads)
        val report = scope.future { run.run() }.whenComplete { _, _ -> share.quit() }
        return RunningWorker(run::requestStop, report)
    }

    private fun newRun(
        callers: CoroutineContext,
        calls: Calls = Calls(),
        threads: CoroutineDispatcher = SharedResources.newThreads(),
        share: Share = WholeShare(),
    ) = WorkerRun(
        config,
        WorkerParts(
            Ports.of(client, calls).metered(meters),
            ExposedAttemptLedger(client, calls),
            handlers,
            config,
            observers,
            interceptors,
            hooks,
            triggers,
            callers + HandlerDispatcher() + handlerContext,
            threads,
            TimeSource.Monotonic,
            share,
            meters,
        ),
    )

    public companion object {
        /** Starts a builder for a worker of [client]'s ledger. */
        @JvmStatic
        public fun builder(client: RunledgerClient): Builder = Builder(client)
    }

    /** Collects the parts of a worker. Not safe for use by several threads. */
    public class Builder internal constructor(private val client: RunledgerClient) {
        private var handlers: Handlers = Handlers.builder().build()
        private var config: WorkerConfig? = null
        private val observers = ArrayList<WorkerObserver>()
        private val meters = ArrayList<WorkerMeter>()
        private val interceptors = ArrayList<JobInterceptor>()
        private val hooks = LinkedHashMap<String, (handled: List<String>) -> Hook>()
        private val triggers = LinkedHashMap<String, Trigger>()
        private var handlerContext: CoroutineContext = EmptyCoroutineContext

        /** The handlers of the jobs; a worker without handlers claims nothing, but fires schedules and reaps. */
        public fun handlers(handlers: Handlers): Builder = apply { this.handlers = handlers }

        /** The settings. Default: all settings at their defaults. */
        public fun config(config: WorkerConfig): Builder = apply { this.config = config }

        /** The settings, built in place: `config { it.env().labels("eu") }`. Settings that are not set have their defaults. */
        public fun config(settings: Consumer<WorkerConfig.Builder>): Builder =
            config(WorkerConfig.builder().also(settings::accept).build())

        /**
         * Adds [meter], which receives all events of the worker, on its threads. A meter may be given to several workers.
         * Default: none, and then nothing is measured.
         */
        public fun meter(meter: WorkerMeter): Builder = apply { meters += meter }

        /** Adds [observer], which receives the worker's events. */
        public fun observe(observer: WorkerObserver): Builder = apply { observers += observer }

        /**
         * Delivers every dead letter of [types] to [hook], at least once. Default: the types this worker has handlers for.
         * Delivery covers all dead letters since the first start of a worker with a hook of this [name], whichever process or
         * reaper settled the job, even if that process then died. If the hook throws or takes too long, the letter is delivered
         * again, after growing delays and without limit.
         *
         * Workers with the same hook name share the letters; hooks with different names each receive all letters. Letters may
         * arrive in any order and concurrently. The ledger stores the name: keep it when the code changes.
         */
        @JvmSynthetic
        public fun onDeadLetter(
            name: String,
            types: Collection<JobType<*>>? = null,
            hook: suspend (letter: DeadLetter) -> Unit,
        ): Builder = apply {
            val named = types?.map { it.name() }?.distinct()
            Identifier.HOOK.require(name)
            require(name !in hooks) { "There is a hook '$name' already: give each hook its own name." }
            hooks[name] = { handled -> Hook(name, named ?: handled, hook) }
        }

        /** The same for Java: the [hook] may block its thread, which is interrupted if it takes too long. */
        @JvmOverloads
        public fun onDeadLetter(name: String, types: Collection<JobType<*>>? = null, hook: DeadLetterHook): Builder {
            val threads = Dispatchers.IO.limitedParallelism(HOOK_THREADS, "runledger-hook")
            return onDeadLetter(name, types) { letter -> runInterruptible(threads) { hook.deliver(letter) } }
        }

        /**
         * Calls [poll] at the interval [every], in whole seconds, and starts the work it returns: `fire(key, …)` starts a job or
         * a workflow once per key, `skip()` starts nothing. Among all workers with a trigger of this [name], one polls at a time;
         * if it dies, another takes over. The result of each poll is in the history,
         * `client.schedules.fires(Scope.global(), name)`. A trigger can be paused, resumed and polled at once like a schedule.
         *
         * If the function throws or takes longer than the config's `triggerTimeout`, nothing is started. The next poll follows at
         * its usual time. The work is started and its keys are recorded in one transaction, so a crash neither repeats nor
         * loses it. The ledger stores the name: keep it when the code changes.
         */
        @JvmSynthetic
        @JvmName("trigger")
        public fun trigger(name: String, every: Duration, poll: suspend PollScope.() -> PollResult): Builder =
            add(Trigger(name, every.toJavaDuration()) { PollScope(it).poll() })

        /** The same for Java: the [trigger] may block its thread, which is interrupted if it takes too long. */
        public fun trigger(name: String, every: java.time.Duration, trigger: PollTrigger): Builder {
            val threads = Dispatchers.IO.limitedParallelism(1, "runledger-trigger")
            return add(Trigger(name, every) { poll -> runInterruptible(threads) { trigger.poll(poll) } })
        }

        private fun add(trigger: Trigger): Builder = apply {
            // The rules for names and intervals are those of schedules.
            ScheduleRequest.builder(trigger.name, "poll", null).every(trigger.every).build()
            require(trigger.name !in triggers) { "There is a trigger '${trigger.name}' already: give each trigger its own name." }
            triggers[trigger.name] = trigger
        }

        /** Wraps every handler; the first interceptor added is the outermost. */
        @JvmSynthetic
        public fun intercept(interceptor: JobInterceptor): Builder = apply { interceptors += interceptor }

        /** Wraps every handler; the first interceptor added is the outermost. */
        public fun interceptAsync(interceptor: AsyncJobInterceptor): Builder = intercept { job, next ->
            supervisorScope { interceptor.intercept(job) { async { next() }.asCompletableFuture() }.await() }
        }

        /** The coroutine context of suspending handlers, for example their own dispatcher. */
        @JvmSynthetic
        public fun handlerContext(context: CoroutineContext): Builder = apply { handlerContext = context }

        /** Builds the worker without starting it. */
        public fun build(): RunledgerWorker = RunledgerWorker(
            client,
            handlers,
            config ?: WorkerConfig.defaults(),
            observers.toList(),
            if (meters.isEmpty()) Meters.NONE else Meters(meters),
            interceptors.toList(),
            handlers.jobTypes.map { it.name() }.let { handled -> hooks.values.map { it(handled) } },
            triggers.values.toList(),
            handlerContext,
        )

        /** Builds the worker and starts it. */
        public fun start(): RunningWorker = build().start()

        private companion object {
            const val HOOK_THREADS = 16
        }
    }
}
