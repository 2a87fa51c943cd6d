package io.runledger.coroutines.worker

import java.net.InetAddress
import java.net.UnknownHostException

/** The process and host that run this code, and the version of the library. */
internal object ThisProcess {
    val id: Long get() = ProcessHandle.current().pid()

    /** The host name from the environment, or else from the network. */
    val host: String by lazy { listOf("HOSTNAME", "COMPUTERNAME").firstNotNullOfOrNull(::variable) ?: networkName() }

    /** The version in the jar's manifest; "unknown" if the classes are not in a jar. */
    val libraryVersion: String get() = RunledgerWorker::class.java.`package`?.implementationVersion ?: "unknown"

    private fun variable(name: String): String? = System.getenv(name)?.takeIf { it.isNotBlank() && it.length <= LONGEST }

    private fun networkName(): String = try {
        InetAddress.getLocalHost().hostName.take(LONGEST)
    } catch (_: UnknownHostException) {
        "unknown"
    }

    private const val LONGEST = 255
}
