@file:JvmName("GracefulShutdown")

package io.runledger.samples

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.runledger.coroutines.RunledgerWorker
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import kotlinx.coroutines.delay
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.hours

data class RenderFilm(val title: String)

val renderFilm = jobType<RenderFilm>("films.render")

/**
 * A worker as a process of its own. On SIGTERM it claims nothing more, lets its jobs go on for `JOBS_SHUTDOWN_GRACE_SECONDS`,
 * gives back what is not done by then without spending an attempt, and says what it did. Set the grace shorter than the time
 * after which your platform kills.
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
        .config(WorkerConfig.fromEnv())
        .start()
    Runtime.getRuntime().addShutdownHook(
        thread(start = false) {
            println(worker.stop().join())
            dataSource.close()
        },
    )
    worker.ended().join()
}
