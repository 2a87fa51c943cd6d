package io.runledger.coroutines

import io.runledger.coroutines.loop.Hook
import io.runledger.coroutines.store.ExposedAttemptLedger
import io.runledger.coroutines.store.ExposedLeaseStore
import io.runledger.exposed.RunledgerClient
import io.runledger.model.id.Identifier
import io.runledger.model.spec.JobType
import io.runledger.model.state.DeadLetter
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
    private val handlerContext: CoroutineContext,
) {
    /**
     * Works until the calling coroutine is cancelled, then ends in good order: it claims nothing more, lets running jobs go
     * on for the config's `shutdownGrace`, asks the rest to stop and gives them back unspent, writes what is to be written,
     * and only then lets the cancellation go on its way. The report then goes to [WorkerObserver.stopped] and to the log.
     *
     * Suspending handlers inherit the caller's context, except its job and its dispatcher: they run on `Dispatchers.Default`
     * unless [Builder.handlerContext] says otherwise.
     */
    @JvmSynthetic
    public suspend fun run(): WorkerReport = newRun(currentCoroutineContext()).run()

    /** Works on its own until it is told to stop. */
    public fun start(): RunningWorker {
        val run = newRun(EmptyCoroutineContext)
        val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        return RunningWorker(run::requestStop, scope.future { run.run() })
    }

    private fun newRun(callers: CoroutineContext) = WorkerRun(
        ExposedLeaseStore(client),
        ExposedAttemptLedger(client),
        handlers,
        config,
        observers,
        interceptors,
        hooks,
        callers + Dispatchers.Default + handlerContext,
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
            handlerContext,
        )

        /** Builds the worker and starts it. */
        public fun start(): RunningWorker = build().start()

        private companion object {
            const val HOOK_THREADS = 16
        }
    }
}
