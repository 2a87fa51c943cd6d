package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.Progress
import io.runledger.model.ledger.Scope
import io.runledger.test.freshLedger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.withTimeout
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.minutes

class CatalogueImportSpec :
    FunSpec({
        test("an import whose worker ends in the middle goes on where it was") {
            val client = freshLedger().client
            client.definitions.declare(importCatalogue)
            val imported = CopyOnWriteArrayList<Int>()
            val inTheMiddle = CompletableDeferred<Unit>()
            val slow = catalogueImport { page ->
                if (page == 3) inTheMiddle.complete(Unit).also { awaitCancellation() }
                imported += page
            }
            val job = client.jobs.enqueue(importCatalogue, ImportCatalogue(pages = 5)).id()
            RunledgerWorker.builder(client)
                .handlers(slow)
                .config(WorkerConfig.builder().workerId("first").shutdownGrace(Duration.ZERO).build())
                .start()
                .use { withTimeout(1.minutes) { inTheMiddle.await() } }
            client.jobs.get(Scope.global(), job).progress() shouldBe Progress.of(2, 5)

            val observer = SuccessObserver()
            RunledgerWorker.builder(client)
                .handlers(catalogueImport { page -> imported += page })
                .config(WorkerConfig.builder().workerId("second").build())
                .observe(observer)
                .start()
                .use { observer.succeeded() shouldBe job }

            imported shouldContainExactly listOf(1, 2, 3, 4, 5)
            client.jobs.story(Scope.global(), job).attempts().map { it.workerId() to it.outcome() } shouldContainExactly
                listOf("first" to AttemptOutcome.INTERRUPTED, "second" to AttemptOutcome.SUCCEEDED)
        }
    })
