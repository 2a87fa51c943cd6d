package io.runledger.coroutines

import java.lang.management.ManagementFactory

/**
 * The monitors that the calling thread holds, by class; its name must be its own. A virtual thread of JDK 21 to 23 that blocks
 * while it holds one keeps its carrier from all the others.
 */
fun heldMonitors(): List<String> = ManagementFactory.getThreadMXBean()
    .dumpAllThreads(true, false)
    .single { it.threadName == Thread.currentThread().name }
    .lockedMonitors
    .map { it.className }
