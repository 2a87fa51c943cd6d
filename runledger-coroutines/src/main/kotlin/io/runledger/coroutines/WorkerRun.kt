package io.runledger.coroutines

import io.runledger.coroutines.loop.BeatLoop
import io.runledger.coroutines.loop.ClaimGate
import io.runledger.coroutines.loop.ClaimLoop
import io.runledger.coroutines.loop.GateLoop
import io.runledger.coroutines.loop.Hook
import io.runledger.coroutines.loop.HookAlarm
import io.runledger.coroutines.loop.HookLoop
import io.runledger.coroutines.loop.JanitorLoop
import io.runledger.coroutines.loop.LeaseKeeper
import io.runledger.coroutines.loop.ReaperLoop
import io.runledger.coroutines.loop.SchedulerLoop
import io.runledger.coroutines.loop.Settler
import io.runledger.coroutines.loop.Share
import io.runledger.coroutines.loop.Slots
import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.loop.Trigger
import io.runledger.coroutines.loop.TriggerLoop
import io.runledger.coroutines.loop.Watch
import io.runledger.coroutines.loop.WholeShare
import io.runledger.coroutines.run.Attempts
import io.runledger.coroutines.run.JobRunner
import io.runledger.coroutines.run.Overtime
import io.runledger.coroutines.run.RunningJobs
import io.runledger.coroutines.run.Verdicts
import io.runledger.coroutines.run.blockingDispatcher
import io.runledger.coroutines.store.AttemptLedger
import io.runledger.coroutines.store.LeaseStore
import io.runledger.coroutines.watch.Bookkeeper
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.watch.Observers
import io.runledger.coroutines.watch.Tally
import io.runledger.coroutines.watch.ThisProcess
import io.runledger.model.id.UuidV7
import io.runledger.model.spec.WorkerCard
import io.runledger.model.state.WorkerOrder
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.job
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/**
 * One run of a worker: its parts, put together, and the order in which they end. The parts are no children of the caller's
 * job, because its cancellation is the beginning of their end, not the end; [run] does not return before they are done or the
 * deadline has passed.
 */
internal class WorkerRun(
    private val store: LeaseStore,
    ledger: AttemptLedger,
    handlers: Handlers,
    private val config: WorkerConfig,
    observers: List<WorkerObserver>,
    interceptors: List<JobInterceptor>,
    hooks: List<Hook>,
    triggers: List<Trigger>,
    handlerContext: CoroutineContext,
    loopDispatcher: CoroutineDispatcher,
    clock: TimeSource.WithComparableMarks = TimeSource.Monotonic,
    share: Share = WholeShare(),
) {
    private val stopRequested = CompletableDeferred<WorkerOrder?>()
    private val loops = CoroutineScope(SupervisorJob() + loopDispatcher)
    private val work = CoroutineScope(handlerContext + SupervisorJob())
    private val watchers = CoroutineScope(SupervisorJob() + Dispatchers.IO)
    private val stopGrace = config.stopGrace.toKotlinDuration()

    private val tally = Tally()
    private val observing = Observers(if (hooks.isEmpty()) observers else observers + HookAlarm { this.hooks }, watchers)
    private val books = Bookkeeper(observing, tally)
    private val lease = config.lease.toKotlinDuration()
    private val name = "${config.workerId} of ledger ${ledger.schema}"
    private val health = LedgerHealth(name, observing, patience = maxOf(lease / 3, SHORTEST_PATIENCE))

    private val jobTypes = handlers.jobTypes.map { it.name() }
    private val places = minOf(config.maxConcurrency, share.places)
    private val slots = Slots(jobTypes, config.maxConcurrency, config.typeLimits, share)
    private val running = RunningJobs()
    private val blocking = blockingDispatcher(config.maxConcurrency)
    private val settler = Settler(store, Ticker("settler", health), help = Ticker("second settler", health), clock) {
        // Sooner than the ledger's own word, which goes by the way of everybody.
        claims.wake()
    }
    private val keeper = LeaseKeeper(lease, store, running, clock, Ticker("lease keeper", health))
    private val watch = Watch(lease / 3, running, clock)
    private val attempts: Attempts = Attempts(
        loops, handlers, ledger, JobRunner(work, blocking, interceptors, stopGrace, ledger.schema),
        Overtime(handlers, store, books, stopGrace), Verdicts(store, ledger.codec), settler, slots, running, books, clock,
        onDeadline = watch::onDeadline,
        onFreeSlot = {
            claims.onFreeSlot()
            beats.onFreeSlot()
        },
    )

    /** Closed until the worker knows what it is told to do. */
    private val gate = ClaimGate(isOpen = false, onOpen = { claims.wake() }, onShut = { beats.onShut() })
    private val claims: ClaimLoop =
        ClaimLoop(config, jobTypes, store, slots, clock, Ticker("claim loop", health), health.patience, gate) { jobs, sentAt ->
            attempts.start(jobs, sentAt + lease)
        }
    private val beats: BeatLoop =
        BeatLoop(card(), health.patience, store, slots, gate, Ticker("beat", health)) { stopRequested.complete(it) }
    private val scheduler = SchedulerLoop(
        config.schedulerInterval.toKotlinDuration(),
        store,
        observing,
        Ticker("scheduler", health),
    )
    private val gates = GateLoop(config.schedulerInterval.toKotlinDuration(), store, observing, Ticker("gate loop", health))
    private val reaper = ReaperLoop(
        config.reaperInterval.toKotlinDuration(),
        config.reaperRetryDelay.toKotlinDuration(),
        store,
        observing,
        Ticker("reaper", health),
    )
    private val janitor =
        JanitorLoop(
            config.janitorInterval.toKotlinDuration(),
            config.retention,
            config.runRetention,
            config.fireRetention,
            config.pollRetention,
            config.workerRetention,
            store,
            Ticker("janitor", health),
        )

    private val hooks: List<HookLoop> = hooks.map { hook ->
        HookLoop(
            hook,
            config.maxPollInterval.toKotlinDuration(),
            config.hookTimeout.toKotlinDuration(),
            stopGrace,
            store,
            work,
            clock,
            // What a hook does with a letter takes the hook's own time.
            Ticker("hook '${hook.name}'", health, patience = Duration.INFINITE),
        )
    }

    private val triggers: List<TriggerLoop> = triggers.map { trigger ->
        TriggerLoop(
            trigger,
            config.schedulerInterval.toKotlinDuration(),
            config.triggerTimeout.toKotlinDuration(),
            stopGrace,
            store,
            observing,
            work,
            clock,
            // What a trigger looks for takes the trigger's own time.
            Ticker("trigger '${trigger.name}'", health, patience = Duration.INFINITE),
        )
    }

    init {
        share.onPlace = claims::onFreeSlot
    }

    fun requestStop() {
        beats.stop()
        stopRequested.complete(null)
    }

    suspend fun run(): WorkerReport {
        val claiming = if (jobTypes.isEmpty()) null else afterRegistration { claims.run() }
        val taking = buildList {
            hooks.forEach { add(loops.launch { it.run() }) }
            triggers.forEach { add(loops.launch { it.run() }) }
            claiming?.let(::add)
            if (config.scheduler) add(loops.launch { scheduler.run() })
            if (config.scheduler) add(loops.launch { gates.run() })
            if (config.reaper) add(afterRegistration { reaper.run() })
            add(loops.launch { janitor.run() })
        }
        val hints = store.subscribe { hint ->
            claims.onHint(hint)
            keeper.onHint(hint)
            beats.onHint(hint)
        }
        val keeping = listOf(
            loops.launch { keeper.run() },
            loops.launch { watch.run() },
            loops.launch { settler.run() },
            loops.launch { settler.runHelp() },
            beats.start(loops),
        )
        log.info("Worker {} runs {} jobs at once, of {}.", name, places, jobTypes)
        log.info("Worker {} {}", name, config.forgetting())
        var order: WorkerOrder? = null
        val cancellation = try {
            order = stopRequested.await()
            null
        } catch (cancelled: CancellationException) {
            cancelled
        }
        val report = withContext(NonCancellable) { end(claiming, taking, keeping, hints, order) }
        return if (cancellation == null) report else throw cancellation
    }

    /** What may make dead letters begins when they are kept for the hooks. */
    private fun afterRegistration(run: suspend () -> Nothing): Job = loops.launch {
        hooks.forEach { it.awaitRegistration() }
        run()
    }

    private suspend fun end(
        claiming: Job?,
        taking: List<Job>,
        keeping: List<Job>,
        hints: AutoCloseable,
        order: WorkerOrder?,
    ): WorkerReport {
        taking.forEach { it.cancel() }
        beats.stop()
        withTimeoutOrNull(config.shutdownGrace.toKotlinDuration()) {
            taking.joinAll()
            idle(taking, keeping)
        }
        // A claim that is still under way would lease the jobs that are about to be released.
        withTimeoutOrNull(FLUSH) { claiming?.join() }
        attempts.stop()
        hooks.forEach { it.stop() }
        triggers.forEach { it.stop() }
        // Each handler has its grace to stop, and what remains to be written the same time once more.
        withTimeoutOrNull(stopGrace * 2 + FLUSH) {
            taking.joinAll()
            idle(taking, keeping)
        }
        hints.close()
        beats.leave(FLUSH)
        running.all.forEach(books::abandoned)
        loops.cancel()
        work.cancel()
        val report = tally.report(config.workerId, order)
        log.info("Worker {} has ended. {}.", name, report)
        observing.tell { stopped(report) }
        observing.drain(stopGrace)
        watchers.cancel()
        return report
    }

    /** Waits for the attempts and for those who begin them, which are the loops' only other children. */
    private suspend fun idle(taking: List<Job>, keeping: List<Job>) {
        do {
            val others = loops.coroutineContext.job.children.filterNot { it in taking || it in keeping }.toList()
            others.joinAll()
        } while (others.isNotEmpty())
    }

    private fun card() = WorkerCard(
        UuidV7.next(),
        config.workerId,
        config.labels,
        jobTypes,
        places,
        ThisProcess.libraryVersion,
        config.applicationVersion,
        ThisProcess.host,
        ThisProcess.id,
        config.beatInterval,
    )

    private companion object {
        val FLUSH = 1.seconds
        val SHORTEST_PATIENCE = 2.seconds
        val log = LoggerFactory.getLogger(RunledgerWorker::class.java)
    }
}
