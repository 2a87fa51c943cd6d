package io.runledger.postgres.embedded

/** Signals the JVM itself cannot send. The shell's own `kill` is used: small images have no program of that name. */
internal object Signals {
    fun send(signal: String, processes: List<ProcessHandle>) {
        if (processes.isEmpty()) return
        Shell.run(listOf("/bin/sh", "-c", "kill -s $signal " + processes.joinToString(" ") { "${it.pid()}" }))
    }
}
