package io.runledger.coroutines.worker

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.JobInterceptor
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.claim.ClaimGate
import io.runledger.coroutines.claim.ClaimLoop
import io.runledger.coroutines.claim.ClaimWakeup
import io.runledger.coroutines.claim.DirectStarter
import io.runledger.coroutines.claim.HeldJobs
import io.runledger.coroutines.claim.Share
import io.runledger.coroutines.claim.Slots
import io.runledger.coroutines.claim.Turnover
import io.runledger.coroutines.fleet.BeatLoop
import io.runledger.coroutines.handlers
import io.runledger.coroutines.hook.Hook
import io.runledger.coroutines.hook.HookAlarm
import io.runledger.coroutines.hook.HookLoop
import io.runledger.coroutines.housekeeping.GateLoop
import io.runledger.coroutines.housekeeping.JanitorLoop
import io.runledger.coroutines.housekeeping.ReaperLoop
import io.runledger.coroutines.housekeeping.SchedulerLoop
import io.runledger.coroutines.lease.DeadlineWatch
import io.runledger.coroutines.lease.LeaseKeeper
import io.runledger.coroutines.lease.StartRecorder
import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.AttemptLedger
import io.runledger.coroutines.port.HintPort
import io.runledger.coroutines.port.Ports
import io.runledger.coroutines.port.StartPort
import io.runledger.coroutines.run.AttemptPreparation
import io.runledger.coroutines.run.Attempts
import io.runledger.coroutines.run.BatchAttempts
import io.runledger.coroutines.run.BatchRunner
import io.runledger.coroutines.run.JobRunner
import io.runledger.coroutines.run.Overtime
import io.runledger.coroutines.run.blockingDispatcher
import io.runledger.coroutines.servesDefaultQueue
import io.runledger.coroutines.settle.HeldReleases
import io.runledger.coroutines.settle.Settler
import io.runledger.coroutines.settle.Verdicts
import io.runledger.coroutines.trigger.Trigger
import io.runledger.coroutines.trigger.TriggerLoop
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.watch.Meters
import io.runledger.coroutines.watch.Observers
import io.runledger.coroutines.watch.ReportCounters
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerOrder
import io.runledger.model.value.UuidV7
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.job
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/**
 * The parts of one run of a worker. A part only knows parts declared above it. [WorkerRun] starts and stops them.
 *
 * The parts are not children of the caller's job: its cancellation begins their shutdown and does not end them.
 */
internal class WorkerParts(
    ports: Ports,
    ledger: AttemptLedger,
    handlers: Handlers,
    config: WorkerConfig,
    observers: List<WorkerObserver>,
    interceptors: List<JobInterceptor>,
    hooks: List<Hook>,
    triggers: List<Trigger>,
    handlerContext: CoroutineContext,
    loopDispatcher: CoroutineDispatcher,
    clock: TimeSource.WithComparableMarks,
    share: Share,
    meters: Meters = Meters.NONE,
) {
    val loops = CoroutineScope(SupervisorJob() + loopDispatcher)
    val work = CoroutineScope(handlerContext + SupervisorJob())
    val watchers = CoroutineScope(SupervisorJob() + Dispatchers.IO)
    val stopRequested = CompletableDeferred<WorkerOrder?>()

    val name = "${config.workerId} of ledger ${ledger.schema}"
    val jobTypes = handlers.jobTypes.map { it.name() }
    val slotCount = minOf(config.maxConcurrency, share.slots)
    private val lease = config.lease.toKotlinDuration()
    private val stopGrace = config.stopGrace.toKotlinDuration()

    private val hookAlarm = HookAlarm()
    val observing = Observers(if (hooks.isEmpty()) observers else observers + hookAlarm, watchers, meters)
    val counters = ReportCounters()
    val reporter = AttemptReporter(observing, counters)
    val health = LedgerHealth(name, observing, patience = maxOf(lease / 3, SHORTEST_PATIENCE), clock)

    val running = RunningJobs()
    private val turnover = Turnover(clock)
    private val slots = Slots(jobTypes, config.maxConcurrency, config.typeLimits, share, handlers.batchSizes, turnover::ahead)
    private val wakeup =
        ClaimWakeup(config, Ticker("claim loop", health), slots::hasFewHeld).also { share.onFreeSlot = it::onFreeSlot }
    private val fleetTicker = Ticker("beat", health)

    // Steps that have ended may have made others due. Waking the claim loop here is faster than waiting for the notification.
    val settler = Settler(
        ports.settlements,
        Ticker("settler", health),
        Ticker("second settler", health),
        clock,
        onStepsEnded = wakeup::wake,
        onSettled = wakeup::onFreedPermits,
    )
    private val releases = HeldReleases(settler, running, reporter, onReleased = fleetTicker::wake)
    val held = HeldJobs(slots, clock, handlers.batchSizes, releases::release)

    /** Closed until the worker knows its orders. */
    val gate = ClaimGate(
        isOpen = false,
        onOpen = {
            held.open()
            wakeup.wake()
        },
        onClose = held::close,
        onShut = fleetTicker::wake,
    )
    val beats =
        BeatLoop(card(config), health.patience, ports.fleet, slots, running, gate, fleetTicker) { stopRequested.complete(it) }

    val keeper = LeaseKeeper(lease, ports.leases, running, clock, Ticker("lease keeper", health))
    val starts = StartRecorder(ports.leases, running, Ticker("start recorder", health))
    val deadlines = DeadlineWatch(lease / 3, running, clock, onHeldTooLong = held::releaseLate)
    private val blocking = blockingDispatcher(config.maxConcurrency)
    private val preparation = AttemptPreparation(ledger, reporter, deadlines::onDeadline)
    private val overtime = Overtime(handlers, ports.settlements, reporter, stopGrace)
    private val verdicts = Verdicts(ports.settlements, ledger.codec)
    private val batches = BatchAttempts(
        handlers, preparation,
        BatchRunner(
            work,
            blocking,
            stopGrace,
            ledger.schema,
        ),
        overtime, verdicts, settler, turnover, starts,
        running, reporter, clock,
    )
    val attempts = Attempts(
        loops, work, handlers, ledger.schema, preparation,
        JobRunner(work, loops, blocking, interceptors, stopGrace, ledger.schema), batches,
        overtime, verdicts, settler, slots, held, turnover, starts, running, reporter, clock,
        onDeadline = deadlines::onDeadline,
        onEnded = {
            wakeup.onFreeSlot()
            beats.onFreeSlot()
        },
    )
    private val mostUnsettled = maxOf(2 * config.maxConcurrency, MOST_UNSETTLED)
    val claims = ClaimLoop(
        config, jobTypes, ports.claims, slots, clock, wakeup, ports.hints, health.patience, gate,
        isBehind = { running.unsettled >= mostUnsettled },
        onClaimed = attempts::beginHeld,
        startNew = { job, sentAt -> attempts.startInSlot(job, sentAt + lease) },
        freeSlot = attempts::freeSlot,
        start = { jobs, sentAt, isAhead -> attempts.start(jobs, sentAt + lease, isAhead) },
    )
    val starter = DirectStarter(
        config.workerId,
        config.lease,
        jobTypes.toSet(),
        config.servesDefaultQueue,
        slots, gate, wakeup, clock,
        isBehind = { running.unsettled >= mostUnsettled },
        onUnconfirmed = claims::onUnconfirmed,
        freeSlot = attempts::freeSlot,
        start = { job, sentAt -> attempts.startEnqueued(job, sentAt + lease) },
    )
    val directStarts: StartPort = ports.starts

    private val schedulerInterval = config.schedulerInterval.toKotlinDuration()
    val scheduler = SchedulerLoop(schedulerInterval, ports.housekeeping, observing, Ticker("scheduler", health))
    val gates = GateLoop(schedulerInterval, ports.housekeeping, observing, Ticker("gate loop", health))
    val reaper = ReaperLoop(
        config.reaperInterval.toKotlinDuration(),
        config.reaperRetryDelay.toKotlinDuration(),
        ports.housekeeping,
        observing,
        Ticker("reaper", health),
    )
    val janitor = JanitorLoop(
        config.janitorInterval.toKotlinDuration(),
        config.retention,
        config.runRetention,
        config.fireRetention,
        config.pollRetention,
        config.workerRetention,
        ports.housekeeping,
        Ticker("janitor", health),
    )
    val hooks: List<HookLoop> = hooks.map { hook ->
        HookLoop(
            hook,
            config.maxPollInterval.toKotlinDuration(),
            config.hookTimeout.toKotlinDuration(),
            stopGrace,
            ports.hooks,
            work,
            clock,
            // The time of a pass depends on the hook's code.
            Ticker("hook '${hook.name}'", health, patience = Duration.INFINITE),
        ).also(hookAlarm::add)
    }
    val triggers: List<TriggerLoop> = triggers.map { trigger ->
        TriggerLoop(
            trigger,
            schedulerInterval,
            config.triggerTimeout.toKotlinDuration(),
            stopGrace,
            ports.triggers,
            observing,
            work,
            clock,
            // The time of a pass depends on the trigger's code.
            Ticker("trigger '${trigger.name}'", health, patience = Duration.INFINITE),
        )
    }
    val hints: HintPort = ports.hints
    val payloadTypes = PayloadTypes(handlers, ledger.codec)

    private fun card(config: WorkerConfig) = WorkerCard(
        UuidV7.next(),
        config.workerId,
        config.labels,
        jobTypes,
        config.queues,
        slotCount,
        ThisProcess.libraryVersion,
        config.applicationVersion,
        ThisProcess.host,
        ThisProcess.id,
        config.beatInterval,
    )

    private companion object {
        val SHORTEST_PATIENCE = 2.seconds

        /** If the database settles nothing for a while, no more jobs are claimed than these. */
        const val MOST_UNSETTLED = 4_000
    }
}
