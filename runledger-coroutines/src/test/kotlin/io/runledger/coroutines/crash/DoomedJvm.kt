package io.runledger.coroutines.crash

import io.runledger.postgres.PostgresDatabase
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedDeque
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.concurrent.thread
import kotlin.reflect.KClass

/** A separate JVM that runs workers on a database until the test kills it. */
class DoomedJvm private constructor(private val jvm: Process) : AutoCloseable {
    private val heard = jvm.inputReader()
    private val told = jvm.outputWriter()
    private val logged = ConcurrentLinkedDeque<String>()

    /** Reads the output of the program until it prints [line]. */
    fun await(line: String) {
        while (hear() != line) continue
    }

    /** The next line of the program's output. */
    fun hear(): String {
        while (true) {
            val line = checkNotNull(heard.readLine()) { "the doomed JVM ended by itself" }
            if (line.startsWith(SAYS)) return line.removePrefix(SAYS)
        }
    }

    /** Reads and ignores the output, so that a program with much output does not block. */
    fun ignore() = overhear { }

    /** Passes the output of the program to [onLine] from now on. */
    fun overhear(onLine: (String) -> Unit) = thread(isDaemon = true, name = "overheard") {
        try {
            heard.forEachLine { if (it.startsWith(SAYS)) onLine(it.removePrefix(SAYS)) else remember(it) }
        } catch (_: IOException) {
            // Killed while it wrote.
        }
    }

    private fun remember(line: String) {
        logged += line
        while (logged.size > LINES_KEPT) logged.poll()
    }

    /** Its last log lines and its thread dump, for a test that waits too long. */
    fun diagnosis(): String = "${if (jvm.isAlive) "alive" else "dead"}\n${logged.joinToString("\n")}\n${stacks()}"

    private fun stacks(): String = try {
        val jstack = Path.of(System.getProperty("java.home"), "bin", "jstack")
        ProcessBuilder("$jstack", "${jvm.pid()}").redirectErrorStream(true).start().inputReader().readText()
    } catch (missing: IOException) {
        "no stacks: $missing"
    }

    fun tell(line: String) {
        told.write(line)
        told.newLine()
        told.flush()
    }

    /** Kills it at once: none of its code runs any more. */
    fun kill() {
        jvm.destroyForcibly()
        check(jvm.waitFor(60, SECONDS)) { "the doomed JVM does not die" }
    }

    /** Returns when it has ended by itself. */
    fun awaitEnd() = check(jvm.waitFor(60, SECONDS)) { "the doomed JVM does not end" }

    /** Stops it where it is, until [wake]. */
    fun freeze() = signal("STOP")

    fun wake() = signal("CONT")

    // The shell's own kill: small images have no program of that name.
    private fun signal(name: String) {
        check(ProcessBuilder("/bin/sh", "-c", "kill -s $name ${jvm.pid()}").inheritIO().start().waitFor() == 0)
    }

    override fun close() = kill()

    companion object {
        private const val SAYS = "doomed: "
        private const val LINES_KEPT = 100

        /**
         * Starts [program], an object with a `main`, which finds its database at [url] with the login of [database]; [clock] is what it
         * takes for the time of day.
         */
        fun start(
            program: KClass<*>,
            database: PostgresDatabase,
            url: String = database.jdbcUrl,
            clock: FakeClock = FakeClock.RIGHT,
        ): DoomedJvm {
            val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
            val command = ProcessBuilder(
                java,
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.java.name,
            )
            command.environment() += mapOf("URL" to url, "LOGIN" to database.user, "SECRET" to database.password)
            command.environment() += clock.environment
            return DoomedJvm(command.redirectError(ProcessBuilder.Redirect.INHERIT).start())
        }

        /** For the program: writes a line to the test. */
        fun say(line: String) = println(SAYS + line)

        /** For the program: reads lines from the test, and ends with the test. */
        fun listen(onLine: (String) -> Unit = {}): Nothing {
            while (true) onLine(readlnOrNull() ?: break)
            Runtime.getRuntime().halt(0)
            error("halted")
        }
    }
}
