package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch

data class Greeting(val name: String)

/** Declared once, and used both to enqueue and to handle. */
val greet = jobType<Greeting>("hello.greet")

/** The return value of a handler is the job's output. */
val greetings: Handlers = handlers {
    on(greet) { job -> "Hello, ${job.payload().name}!" }
}

/** Runs a worker in this scope until the scope is cancelled. Any process may enqueue its jobs. */
suspend fun hello(client: RunledgerClient, observer: WorkerObserver) = coroutineScope {
    client.definitions.sync(greetings.jobTypes)
    val worker = RunledgerWorker.builder(client).handlers(greetings).observe(observer).build()
    launch { worker.run() }
    client.jobs.enqueue(greet, Greeting("Ada"))
}
