package io.runledger.postgres.embedded

/** Sends signals that the JVM cannot send. Uses the `kill` built into the shell, because small images have no `kill` program. */
internal object Signals {
    fun send(signal: String, processes: List<ProcessHandle>) {
        if (processes.isEmpty()) return
        Shell.run(listOf("/bin/sh", "-c", "kill -s $signal " + processes.joinToString(" ") { "${it.pid()}" }))
    }
}
