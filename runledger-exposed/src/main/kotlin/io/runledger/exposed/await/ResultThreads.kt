package io.runledger.exposed.await

import java.util.concurrent.Executor
import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit

/**
 * The threads on which futures complete. Code that continues from a future may block its thread, so each completion gets an idle
 * thread or a new one. The JDK's common pool is unsuitable: on two cores it has one thread, which JDK 25 and later use for all
 * completions of the process. Idle threads end, so the executor needs no shutdown.
 */
internal fun resultThreads(): Executor =
    ThreadPoolExecutor(0, Int.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, SynchronousQueue()) { work ->
        Thread(work, "runledger-await-result").also { it.isDaemon = true }
    }

private const val IDLE_SECONDS = 5L
