package io.runledger.postgres.embedded

import java.io.IOException

/** Runs short commands and waits for them. */
internal object Shell {
    private const val CANNOT_EXECUTE = 126

    class Output(val exitCode: Int, val text: String) {
        val succeeded: Boolean get() = exitCode == 0
    }

    fun run(command: List<String>): Output {
        val process = try {
            process(command).redirectErrorStream(true).start()
        } catch (failure: IOException) {
            return Output(CANNOT_EXECUTE, failure.message.orEmpty())
        }
        process.outputStream.close()
        val text = process.inputStream.bufferedReader().readText()
        return Output(process.waitFor(), text)
    }

    /** Removes the caller's PG* variables, which the server's programs would read, and sets messages to English. */
    fun process(command: List<String>): ProcessBuilder = ProcessBuilder(command).apply {
        environment().keys.removeIf { it.startsWith("PG") }
        environment()["LC_ALL"] = "C"
        directory(java.io.File("/"))
    }
}
