package io.runledger.coroutines.worker

import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.WorkerReport
import io.runledger.coroutines.retentionSummary
import io.runledger.model.fleet.WorkerOrder
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.job
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toKotlinDuration

/**
 * One run of a worker: starts its [parts], and stops them in order. [run] does not return before they have ended or the deadline
 * has passed.
 */
internal class WorkerRun(private val config: WorkerConfig, private val parts: WorkerParts) {
    private val stopGrace = config.stopGrace.toKotlinDuration()

    fun requestStop() {
        parts.beats.stop()
        parts.stopRequested.complete(null)
    }

    suspend fun run(): WorkerReport {
        // Before the loops, on another thread: it takes longer than the first claim.
        parts.loops.launch(Dispatchers.Default) { parts.payloadTypes.prepare() }
        val loops = Loops()
        val subscription = parts.hints.subscribe { hint ->
            parts.claims.onHint(hint)
            parts.held.onHint(hint)
            parts.keeper.onHint(hint)
            parts.beats.onHint(hint)
        }
        val starter = parts.directStarts.register(parts.starter)
        log.info("Worker {} runs {} jobs at once, of {}.", parts.name, parts.slotCount, parts.jobTypes)
        log.info("Worker {} {}", parts.name, config.retentionSummary())
        var order: WorkerOrder? = null
        val cancellation = try {
            order = parts.stopRequested.await()
            null
        } catch (cancelled: CancellationException) {
            cancelled
        }
        starter.close()
        val report = withContext(NonCancellable) { end(loops, subscription, order) }
        return if (cancellation == null) report else throw cancellation
    }

    private suspend fun end(loops: Loops, subscription: AutoCloseable, order: WorkerOrder?): WorkerReport {
        loops.taking.forEach { it.cancel() }
        parts.beats.stop()
        withTimeoutOrNull(config.shutdownGrace.toKotlinDuration()) { loops.awaitIdle() }
        // A claim that is still under way would lease the jobs that are about to be released. So would an enqueue.
        withTimeoutOrNull(FLUSH) { loops.awaitTaken() }
        parts.attempts.stop()
        parts.hooks.forEach { it.stop() }
        parts.triggers.forEach { it.stop() }
        // Each handler has its grace to stop, and the settlements get the same time once more.
        withTimeoutOrNull(stopGrace * 2 + FLUSH) { loops.awaitIdle() }
        subscription.close()
        parts.beats.leave(FLUSH)
        parts.running.all.forEach(parts.reporter::abandoned)
        parts.loops.cancel()
        parts.work.cancel()
        parts.health.ended()
        val report = parts.counters.report(config.workerId, order)
        log.info("Worker {} has ended. {}.", parts.name, report)
        parts.observing.publish { stopped(report) }
        parts.observing.drain(stopGrace)
        parts.watchers.cancel()
        return report
    }

    /** The running loops: those that take on work end first, the others keep leases and settle until the last job has ended. */
    private inner class Loops {
        private val scope = parts.loops

        private val claiming: Job? = if (parts.jobTypes.isEmpty()) null else afterRegistration { parts.claims.run() }

        val taking: List<Job> = buildList {
            parts.hooks.forEach { add(scope.launch { it.run() }) }
            parts.triggers.forEach { add(scope.launch { it.run() }) }
            claiming?.let(::add)
            if (config.scheduler) add(scope.launch { parts.scheduler.run() })
            if (config.scheduler) add(scope.launch { parts.gates.run() })
            if (config.reaper) add(afterRegistration { parts.reaper.run() })
            add(scope.launch { parts.janitor.run() })
        }

        private val keeping: List<Job> = listOf(
            scope.launch { parts.keeper.run() },
            scope.launch { parts.starts.run() },
            scope.launch { parts.deadlines.run() },
            scope.launch { parts.settler.run() },
            scope.launch { parts.settler.runHelp() },
            parts.beats.start(scope),
        )

        /** Waits until the worker leases no more jobs. */
        suspend fun awaitTaken() {
            claiming?.join()
            parts.gate.awaitShut()
        }

        /** Waits for the loops that take on work, for the attempts, and for the coroutines of attempts. */
        suspend fun awaitIdle() {
            taking.joinAll()
            awaitTaken()
            do {
                parts.running.awaitEmpty()
                val others = scope.coroutineContext.job.children.filterNot { it in taking || it in keeping }.toList()
                others.joinAll()
            } while (others.isNotEmpty() || !parts.running.isEmpty)
        }

        /** Loops that may make dead letters begin once the ledger keeps dead letters for the hooks. */
        private fun afterRegistration(run: suspend () -> Nothing): Job = scope.launch {
            parts.hooks.forEach { it.awaitRegistration() }
            run()
        }
    }

    private companion object {
        val FLUSH = 1.seconds
        val log = LoggerFactory.getLogger(RunledgerWorker::class.java)
    }
}
