package io.runledger.spring

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import java.nio.file.Path
import kotlin.concurrent.thread

class DevtoolsSpec :
    FunSpec({
        test("devtools restarts close the worker and the pool and open new ones, and new classes read the payloads") {
            val database = freshDatabase()
            val poolSize = 6
            val process = ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                RestartedProgram::class.java.name,
                "--spring.datasource.url=${database.url}",
                "--spring.datasource.hikari.maximum-pool-size=$poolSize",
                "--spring.flyway.enabled=false",
                "--spring.main.web-application-type=none",
                "--spring.main.keep-alive=true",
                "--spring.devtools.livereload.enabled=false",
            ).redirectErrorStream(true).start()
            val output = ArrayList<String>()
            val reader = thread { process.inputStream.bufferedReader().forEachLine { output += it } }
            val isEnded = process.waitFor(3, java.util.concurrent.TimeUnit.MINUTES)
            process.destroyForcibly()
            reader.join()

            withClue(output.joinToString("\n")) {
                isEnded shouldBe true
                val rounds = linesOf(output.asSequence())
                rounds.map { it.substringBefore(' ') } shouldBe (0..RESTARTS).map { "$it" }
                rounds.forEach { round ->
                    round.substringAfter("loader=").substringBefore(' ') shouldBe "RestartClassLoader"
                    round.substringAfter("workers=") shouldBe "1"
                    // One pool, and perhaps a session for the listener or one whose end the server has not noticed: not two pools.
                    round.substringAfter("sessions=").substringBefore(' ').toInt() shouldBeLessThan 2 * poolSize
                }
                output.filter { "ClassCastException" in it }.shouldBeEmpty()
            }
            database.rows("SELECT output #>> '{}' FROM runledger.job_queue WHERE status = 'SUCCEEDED' ORDER BY 1") shouldBe
                (0..RESTARTS).map { "round $it" }
            RunledgerClient.create(database.dataSource()).run {
                workers.list().shouldBeEmpty()
                verify().isSound shouldBe true
            }
        }
    })
