package io.runledger.coroutines

import io.runledger.coroutines.loop.Hook
import io.runledger.coroutines.loop.Share
import io.runledger.coroutines.loop.Trigger
import io.runledger.coroutines.loop.WholeShare
import io.runledger.coroutines.run.HandlerDispatcher
import io.runledger.coroutines.store.Calls
import io.runledger.coroutines.store.ExposedAttemptLedger
import io.runledger.coroutines.store.ExposedLeaseStore
import io.runledger.exposed.RunledgerClient
import io.runledger.model.id.Identifier
import io.runledger.model.spec.JobType
import io.runledger.model.spec.PollResult
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.DeadLetter
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
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Runs jobs: claims what is due of the types it has handlers for, runs the handlers, keeps their leases, writes how they
 * ended, and on the side fires schedules, hands on the jobs of workers that vanished and forgets what is old.
 *
 * Any number of workers, of any number of ledgers, live side by side in a process. Losing the database ends nothing: handlers
 * go on while their lease is provably held, and the worker resumes by itself. Whatever goes wrong with a job, the worker goes
 * on.
 */
public class RunledgerWorker private constructor(
    private val client: RunledgerClient,
    private val handlers: Handlers,
    private val config: WorkerConfig,
    private val observers: List<WorkerObserver>,
    private val interceptors: List<JobInterceptor>,
    private val hooks: List<Hook>,
    private val triggers: List<Trigger>,
    private val handlerContext: CoroutineContext,
) {
    /**
     * Works until the calling coroutine is cancelled, then ends in good order: it claims nothing more, lets running jobs go
     * on for the config's `shutdownGrace`, asks the rest to stop and gives them back unspent, writes what is to be written,
     * and only then lets the cancellation go on its way. The report then goes to [WorkerObserver.stopped] and to the log.
     *
     * Suspending handlers inherit the caller's context, except its job and its dispatcher: they run on the threads of
     * `Dispatchers.Default` unless [Builder.handlerContext] says otherwise.
     */
    @JvmSynthetic
    public suspend fun run(): WorkerReport = newRun(currentCoroutineContext()).run()

    /** Works on its own until it is told to stop. */
    public fun start(): RunningWorker {
        val run = newRun(EmptyCoroutineContext)
        val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        return RunningWorker(run::requestStop, scope.future { run.run() })
    }

    /** Works as one of many ledgers' workers that share [premises]. */
    @JvmSynthetic
    internal fun startOn(premises: Premises): RunningWorker {
        val share = premises.places.join(config.maxConcurrency)
        val run = newRun(EmptyCoroutineContext, premises.calls, premises.threads, share)
        val scope = CoroutineScope(SupervisorJob() + premises.threads)
        val report = scope.future { run.run() }.whenComplete { _, _ -> share.quit() }
        return RunningWorker(run::requestStop, report)
    }

    private fun newRun(
        callers: CoroutineContext,
        calls: Calls = Calls(),
        threads: CoroutineDispatcher = Premises.newThreads(),
        share: Share = WholeShare(),
    ) = WorkerRun(
        ExposedLeaseStore(client, calls),
        ExposedAttemptLedger(client, calls),
        handlers,
        config,
        observers,
        interceptors,
        hooks,
        triggers,
        callers + HandlerDispatcher() + handlerContext,
        threads,
        share = share,
    )

    public companion object {
        /** Starts a worker of [client]'s ledger. */
        @JvmStatic
        public fun builder(client: RunledgerClient): Builder = Builder(client)
    }

    /** Collects what a worker is made of. Not safe for use by several threads. */
    public class Builder internal constructor(private val client: RunledgerClient) {
        private var handlers: Handlers = Handlers.builder().build()
        private var config: WorkerConfig? = null
        private val observers = ArrayList<WorkerObserver>()
        private val interceptors = ArrayList<JobInterceptor>()
        private val hooks = LinkedHashMap<String, (handled: List<String>) -> Hook>()
        private val triggers = LinkedHashMap<String, Trigger>()
        private var handlerContext: CoroutineContext = EmptyCoroutineContext

        /** What runs the jobs; a worker without handlers claims nothing, but fires schedules and reaps. */
        public fun handlers(handlers: Handlers): Builder = apply { this.handlers = handlers }

        /** How it works; the defaults unless given. */
        public fun config(config: WorkerConfig): Builder = apply { this.config = config }

        /** Tells [observer] what happens. */
        public fun observe(observer: WorkerObserver): Builder = apply { observers += observer }

        /**
         * Hands every dead letter of [types], or of the types this worker has handlers for, to [hook], at least once: from the
         * first start of a worker with a hook of that [name] on, whichever process or reaper ended the job, and also when that
         * process died at once. A hook that throws or takes too long is called again, ever later, and never given up on.
         *
         * Workers that give the same name share the letters; different names each get them all. Letters may come in any order
         * and several at a time. The name stays in the ledger: keep it when the code changes.
         */
        @JvmSynthetic
        public fun onDeadLetter(
            name: String,
            types: Collection<JobType<*>>? = null,
            hook: suspend (letter: DeadLetter) -> Unit,
        ): Builder = apply {
            val named = types?.map { it.name() }?.distinct()
            Identifier.HOOK.require(name)
            require(name !in hooks) { "There is a hook '$name' already: give each a name of its own." }
            hooks[name] = { handled -> Hook(name, named ?: handled, hook) }
        }

        /** The same for Java: the [hook] may block its thread, which is interrupted when it takes too long. */
        @JvmOverloads
        public fun onDeadLetter(name: String, types: Collection<JobType<*>>? = null, hook: DeadLetterHook): Builder {
            val threads = Dispatchers.IO.limitedParallelism(HOOK_THREADS, "runledger-hook")
            return onDeadLetter(name, types) { letter -> runInterruptible(threads) { hook.deliver(letter) } }
        }

        /**
         * Calls [poll] [every] so often, in whole seconds, and starts what it finds: `fire(key, …)` a job or a workflow, once
         * for each key, or `skip()`. Of all workers with a trigger of that [name] one calls it at a time; when that one dies,
         * another takes over. What became of each poll stands in the history, `client.schedules.fires(name, Scope.global())`,
         * and the trigger is paused, resumed and polled at once as a schedule is.
         *
         * A function that throws or takes longer than the config's `triggerTimeout` starts nothing; the next poll comes in its
         * time. What it found is started, noted and remembered in one transaction, so a crash neither doubles nor loses it. The
         * name stays in the ledger: keep it when the code changes.
         */
        @JvmSynthetic
        @JvmName("trigger")
        public fun trigger(name: String, every: Duration, poll: suspend PollScope.() -> PollResult): Builder =
            add(Trigger(name, every.toJavaDuration()) { PollScope(it).poll() })

        /** The same for Java: the [trigger] may block its thread, which is interrupted when it takes too long. */
        public fun trigger(name: String, every: java.time.Duration, trigger: PollTrigger): Builder {
            val threads = Dispatchers.IO.limitedParallelism(1, "runledger-trigger")
            return add(Trigger(name, every) { poll -> runInterruptible(threads) { trigger.poll(poll) } })
        }

        private fun add(trigger: Trigger): Builder = apply {
            // The rules for names and intervals are those of schedules.
            ScheduleRequest.builder(trigger.name, "poll", null).every(trigger.every).build()
            require(trigger.name !in triggers) { "There is a trigger '${trigger.name}' already: give each a name of its own." }
            triggers[trigger.name] = trigger
        }

        /** Wraps every handler; the first one given is the outermost. */
        @JvmSynthetic
        public fun intercept(interceptor: JobInterceptor): Builder = apply { interceptors += interceptor }

        /** Wraps every handler; the first one given is the outermost. */
        public fun interceptAsync(interceptor: AsyncJobInterceptor): Builder = intercept { job, next ->
            supervisorScope { interceptor.intercept(job) { async { next() }.asCompletableFuture() }.await() }
        }

        /** What suspending handlers run with, for example a dispatcher of their own. */
        @JvmSynthetic
        public fun handlerContext(context: CoroutineContext): Builder = apply { handlerContext = context }

        /** The worker; it does nothing yet. */
        public fun build(): RunledgerWorker = RunledgerWorker(
            client,
            handlers,
            config ?: WorkerConfig.defaults(),
            observers.toList(),
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
