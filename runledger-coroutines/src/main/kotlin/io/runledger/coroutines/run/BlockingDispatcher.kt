package io.runledger.coroutines.run

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/**
 * The dispatcher of blocking handlers: virtual threads if the JDK has them (21 and newer), else at most [threads] threads of the
 * IO pool. The class file targets Java 17, so the newer method is looked up by reflection.
 */
internal fun blockingDispatcher(threads: Int): CoroutineDispatcher =
    virtualThreads()?.asCoroutineDispatcher() ?: Dispatchers.IO.limitedParallelism(threads, "runledger-blocking")

private fun virtualThreads(): ExecutorService? = try {
    Executors::class.java.getMethod("newVirtualThreadPerTaskExecutor").invoke(null) as ExecutorService
} catch (_: NoSuchMethodException) {
    null
}
