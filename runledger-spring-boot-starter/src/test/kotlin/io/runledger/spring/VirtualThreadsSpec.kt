package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.Handlers
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.test.until
import jdk.jfr.Recording
import jdk.jfr.consumer.RecordingFile
import org.springframework.boot.SpringBootConfiguration
import org.springframework.context.annotation.Bean
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.transaction.support.TransactionOperations
import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch

private const val AT_ONCE = 200
private val gather = JobType.of("gather", Int::class.javaObjectType)
private val follow = JobType.of("follow", Int::class.javaObjectType)

class Gathering {
    val entered = CountDownLatch(AT_ONCE)
    val isVirtual = ConcurrentLinkedQueue<Boolean>()
}

@SpringBootConfiguration(proxyBeanMethods = false)
class GatheringApplication {
    @Bean
    fun gathering() = Gathering()

    /** Waits for all the others, and then uses the ledger and the application's tables. */
    @Bean
    fun handlers(
        gathering: Gathering,
        client: RunledgerClient,
        jdbc: JdbcTemplate,
        transaction: TransactionOperations,
    ): Handlers = Handlers.builder().blocking(gather) { job ->
        gathering.isVirtual += Thread::class.java.getMethod("isVirtual").invoke(Thread.currentThread()) as Boolean
        gathering.entered.countDown()
        gathering.entered.await()
        job.log(LogLevel.INFO, "all are here")
        transaction.executeWithoutResult {
            jdbc.update("INSERT INTO counted VALUES (?)", job.payload())
            client.jobs.enqueue(follow, job.payload())
        }
        JobOutcome.succeeded()
    }.blocking(follow) { JobOutcome.succeeded() }.build()
}

class VirtualThreadsSpec :
    FunSpec({
        test("blocking handlers run on virtual threads, hundreds at once over ten connections, and none is pinned")
            .config(enabled = Runtime.version().feature() >= 21) {
                val database = freshDatabase().also { it.run("CREATE TABLE counted (number int)") }
                val recorded = Files.createTempFile("pinned", ".jfr")
                Recording().use { recording ->
                    recording.enable("jdk.VirtualThreadPinned").withStackTrace().withoutThreshold()
                    recording.start()
                    application(
                        database,
                        "spring.threads.virtual.enabled=true",
                        "runledger.worker.max-concurrency=$AT_ONCE",
                        "spring.datasource.hikari.maximum-pool-size=10",
                        beans = listOf(GatheringApplication::class),
                    ).use { app ->
                        app.client.jobs.enqueueAll(List(AT_ONCE) { JobRequest.of(gather, it) })
                        until("all jobs have ended") {
                            database.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'SUCCEEDED'").toInt() ==
                                2 * AT_ONCE
                        }

                        app.bean<Gathering>().isVirtual.distinct() shouldBe listOf(true)
                        app.client.verify().isSound shouldBe true
                    }
                    recording.dump(recorded)
                }

                // A pinned thread keeps its carrier while it waits. With synchronized methods of a driver or a pool, JDK 21 to 23 do.
                val pinned = RecordingFile.readAllEvents(recorded).map { event ->
                    event.stackTrace?.frames.orEmpty().joinToString("\n") {
                        "${it.method.type.name}.${it.method.name}:${it.lineNumber}"
                    }
                }
                Files.delete(recorded)
                pinned.filter { "io.runledger" in it }.shouldBeEmpty()
                database.value("SELECT count(DISTINCT number) FROM counted").toInt() shouldBe AT_ONCE
            }
    })
