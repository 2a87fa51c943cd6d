package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.test.freshLedger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import java.time.Duration
import java.util.UUID

class HelloJobSpec :
    FunSpec({
        fun RunledgerClient.outputOf(job: UUID) = jobs.get(Scope.global(), job).output()?.text()

        test("a job that is enqueued is run, and what its handler returns is kept") {
            val client = freshLedger().client
            val done = Done()

            val service = launch { hello(client, done) }

            client.outputOf(done.job.await()) shouldBe "\"Hello, Ada!\""
            service.cancelAndJoin()
        }

        test("the same in Java") {
            val client = freshLedger().client
            val done = Done()

            HelloJobInJava.start(client, done).use {
                client.jobs.enqueue(HelloJobInJava.GREET, Greeting("Ada"))
                client.outputOf(done.job.await()) shouldBe "\"Hello, Ada!\""
            }
        }
    })

private class Done : WorkerObserver {
    val job = CompletableDeferred<UUID>()

    override fun succeeded(job: ObservedJob, elapsed: Duration) {
        this.job.complete(job.jobId)
    }
}
