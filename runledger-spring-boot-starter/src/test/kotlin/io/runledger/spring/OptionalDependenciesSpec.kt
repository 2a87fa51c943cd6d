package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotContainAnyOf
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.io.File
import java.net.URLClassLoader
import java.util.function.Function

private class Absent(val what: String, val entries: Regex, val beans: List<String> = emptyList())

/** Starts a whole application in a class loader that does not have the optional dependency. */
class OptionalDependenciesSpec :
    FunSpec({
        val metrics = Absent(
            "metrics",
            Regex("runledger-micrometer|micrometer-(core|jakarta9|registry)|spring-boot-micrometer"),
            listOf("runledgerWorkerMetrics", "runledgerLedgerMetrics", "runledgerMeteredWorker"),
        )
        val traces = Absent(
            "traces",
            Regex("opentelemetry"),
            listOf("runledgerTelemetry", "runledgerTracedClient", "runledgerTracedWorker"),
        )
        val actuator = Absent(
            "health and actuator",
            Regex("spring-boot-(health|actuator)"),
            listOf("runledgerHealthContributor", "runledgerEndpoint"),
        )
        val console = Absent(
            "the console",
            Regex("runledger-console|jakarta.servlet-api|kotlinx-html"),
            listOf("runledgerConsole", "runledgerConsoleRegistration", "runledgerConsoleAccess"),
        )
        val tests = Absent("the test kit", Regex("runledger-(test|postgres)/|spring-boot-test|spring-test|junit"))
        val all = Absent(
            "all of them",
            Regex(
                listOf(metrics, traces, actuator, console, tests).joinToString("|") { it.entries.pattern } +
                    "|hibernate|devtools|webmvc|tomcat",
            ),
            metrics.beans + traces.beans + actuator.beans + console.beans,
        )

        listOf(metrics, traces, actuator, console, all).forEach { absent ->
            test("without ${absent.what} on the class path, the application runs its jobs") {
                val (left, rest) = System.getProperty("java.class.path").split(File.pathSeparator).partition {
                    absent.entries.containsMatchIn(it)
                }
                left.size shouldBeGreaterThan 1
                val url = freshDatabase().url

                val beans = URLClassLoader(
                    rest.map { File(it).toURI().toURL() }.toTypedArray(),
                    ClassLoader.getPlatformClassLoader(),
                ).use { classes ->
                    val thread = Thread.currentThread()
                    val before = thread.contextClassLoader
                    thread.contextClassLoader = classes
                    try {
                        @Suppress("UNCHECKED_CAST")
                        val program = classes.loadClass(SmallProgram::class.java.name).getConstructor().newInstance()
                            as Function<String, List<String>>
                        program.apply(url)
                    } finally {
                        thread.contextClassLoader = before
                    }
                }

                beans shouldContainAll listOf("runledgerClient", "runledgerWorker")
                beans shouldNotContainAnyOf absent.beans
            }
        }
    })
