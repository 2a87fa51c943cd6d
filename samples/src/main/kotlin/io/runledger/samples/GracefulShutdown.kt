@file:JvmName("GracefulShutdown")

package io.runledger.samples

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import kotlinx.coroutines.delay
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.hours

data class RenderFilm(val title: String)

val renderFilm = jobType<RenderFilm>("films.render")

/**
 * A worker in a separate process. On SIGTERM it claims no more jobs and waits `JOBS_SHUTDOWN_GRACE_SECONDS` for the running
 * ones. It returns unfinished jobs to the queue without using up an attempt, and prints a report. Set a grace period shorter
 * than the time after which your platform kills the process.
 */
fun main() {
    val dataSource = HikariDataSource(HikariConfig().apply { jdbcUrl = System.getenv("JDBC_URL") })
    val films = handlers {
        on(renderFilm) { job ->
            println("rendering ${job.payload().title}")
            delay(2.hours)
        }
    }
    val worker = RunledgerWorker.builder(RunledgerClient.create(dataSource))
        .handlers(films)
        .config { it.env() }
        .start()
    Runtime.getRuntime().addShutdownHook(
        thread(start = false) {
            println(worker.stop().join())
            dataSource.close()
        },
    )
    worker.ended().join()
}
