package io.runledger.coroutines.watch

import io.runledger.coroutines.RunledgerWorker
import java.net.InetAddress
import java.net.UnknownHostException

/** Where this code runs, and which version of it. */
internal object ThisProcess {
    val id: Long get() = ProcessHandle.current().pid()

    /** The machine's name as its environment gives it; only where that is silent is the network asked. */
    val host: String by lazy { listOf("HOSTNAME", "COMPUTERNAME").firstNotNullOfOrNull(::variable) ?: networkName() }

    /** What the jar says; classes that were never packed do not know. */
    val libraryVersion: String get() = RunledgerWorker::class.java.`package`?.implementationVersion ?: "unknown"

    private fun variable(name: String): String? = System.getenv(name)?.takeIf { it.isNotBlank() && it.length <= LONGEST }

    private fun networkName(): String = try {
        InetAddress.getLocalHost().hostName.take(LONGEST)
    } catch (_: UnknownHostException) {
        "unknown"
    }

    private const val LONGEST = 255
}
