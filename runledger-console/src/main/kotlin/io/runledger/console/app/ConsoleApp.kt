package io.runledger.console.app

import kotlin.system.exitProcess

/** The program behind `java -jar runledger-console-<version>-app.jar`; `--help` says what it can do. */
public fun main(arguments: Array<String>) {
    if (System.getProperty(LOG_CONFIGURATION) == null) {
        System.setProperty(LOG_CONFIGURATION, "io/runledger/console/app/logback.xml")
    }
    val program = ConsoleProgram(System.getenv(), System.out, System.err)
    val running = when (val outcome = program.start(arguments.asList())) {
        is ConsoleProgram.Started -> outcome
        is ConsoleProgram.Ended -> exitProcess(outcome.status)
    }
    Runtime.getRuntime().addShutdownHook(Thread(running::close))
    Thread.currentThread().join()
}

private const val LOG_CONFIGURATION = "logback.configurationFile"
