package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.JobInterceptor
import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.SuspendingJobContext
import io.runledger.coroutines.WorkerObserver
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.test.until
import kotlinx.coroutines.yield
import org.springframework.boot.SpringBootConfiguration
import org.springframework.context.annotation.Bean
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.ConcurrentLinkedQueue

private val blocking = JobType.of("blocking", String::class.java)
private val async = JobType.of("async", String::class.java)
private val suspending = JobType.of("suspending", String::class.java)
private val listed = JobType.of("listed", String::class.java)
private val types = listOf(blocking, async, suspending, listed)

/** What the handlers and the hooks of the application below were given. */
class Heard {
    val payloads = ConcurrentLinkedQueue<String>()
    val intercepted = ConcurrentLinkedQueue<String>()
    val succeeded = ConcurrentLinkedQueue<String>()
    val customized = ConcurrentLinkedQueue<String>()
}

class BlockingHandler(private val heard: Heard) : TypedJobHandler<String> {
    override fun jobType() = blocking

    override fun handle(job: JobContext<String>): JobOutcome {
        heard.payloads += job.payload()
        return JobOutcome.succeeded()
    }
}

class AsyncHandler(private val heard: Heard) : TypedAsyncJobHandler<String> {
    override fun jobType() = async

    override fun handle(job: JobContext<String>): CompletionStage<JobOutcome> = CompletableFuture.supplyAsync {
        heard.payloads += job.payload()
        JobOutcome.succeeded()
    }
}

class SuspendingHandler(private val heard: Heard) : TypedSuspendingJobHandler<String> {
    override fun jobType() = suspending

    override suspend fun handle(job: SuspendingJobContext<String>): JobOutcome {
        yield()
        heard.payloads += job.payload()
        return JobOutcome.succeeded()
    }
}

@SpringBootConfiguration(proxyBeanMethods = false)
class HandlerApplication {
    @Bean
    fun heard() = Heard()

    @Bean
    fun blockingHandler(heard: Heard) = BlockingHandler(heard)

    @Bean
    fun asyncHandler(heard: Heard) = AsyncHandler(heard)

    @Bean
    fun suspendingHandler(heard: Heard) = SuspendingHandler(heard)

    @Bean
    fun listedHandlers(heard: Heard): Handlers = Handlers.builder().blocking(listed) { job ->
        heard.payloads += job.payload()
        JobOutcome.succeeded()
    }.build()

    @Bean
    fun observer(heard: Heard) = object : WorkerObserver {
        override fun succeeded(job: ObservedJob, elapsed: Duration) {
            heard.succeeded += job.jobType
        }
    }

    @Bean
    fun interceptor(heard: Heard) = JobInterceptor { job, next ->
        heard.intercepted += job.jobType()
        next()
    }

    @Bean
    fun clientCustomizer(heard: Heard) = RunledgerClientCustomizer { heard.customized += "client" }

    @Bean
    fun workerCustomizer(heard: Heard) = RunledgerWorkerCustomizer { worker ->
        heard.customized += "worker"
        worker.onDeadLetter("letters", listOf(blocking)) { }
    }
}

class StarterSpec :
    FunSpec({
        test("with a data source and handler beans, jobs of every kind of handler run") {
            val database = freshDatabase()

            application(database, beans = listOf(HandlerApplication::class)).use { app ->
                val heard = app.bean<Heard>()
                types.forEach { app.client.jobs.enqueue(it, "for ${it.name()}") }
                until("all jobs have succeeded") { heard.succeeded.size == types.size }

                heard.payloads shouldContainExactlyInAnyOrder types.map { "for ${it.name()}" }
                heard.intercepted shouldContainExactlyInAnyOrder types.map { it.name() }
                heard.customized shouldContainExactly listOf("client", "worker")
            }

            database.rows("SELECT DISTINCT status FROM runledger.job_queue") shouldBe listOf("SUCCEEDED")
            RunledgerClient.create(database.dataSource()).verify().isSound shouldBe true
        }

        test("without handlers, a client is there and no worker runs") {
            val database = freshDatabase()

            application(database).use { app ->
                app.client.definitions.declare(listed)
                app.client.jobs.enqueue(listed, "later")
                app.bean<RunledgerWorkerLifecycle>().isRunning shouldBe false
                app.client.workers.list().size shouldBe 0
            }
            application(database, "runledger.worker.enabled=true").use { app ->
                app.bean<RunledgerWorkerLifecycle>().isRunning shouldBe true
            }
            application(database, "runledger.worker.enabled=false", beans = listOf(HandlerApplication::class)).use { app ->
                app.getBeansOfType(RunledgerWorkerLifecycle::class.java).size shouldBe 0
            }
            application(database, "runledger.enabled=false").use { app ->
                app.getBeansOfType(RunledgerClient::class.java).size shouldBe 0
            }
            database.jobs() shouldBe 1
        }
    })
