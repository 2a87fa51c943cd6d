package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.test.freshLedger
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

class SearchIndexSpec :
    FunSpec({
        test("pages that are ready together are indexed in one request, and a refused one fails alone") {
            val client = freshLedger().client
            client.definitions.declare(indexPage)
            val pages = List(50) { Page("https://example.org/$it", "page $it") }
            val jobs = client.jobs.enqueueAll(pages.map { JobRequest.of(indexPage, it) }).map { it.id() }
            val ended = CountDownLatch(50)
            val observer = object : WorkerObserver {
                override fun succeeded(job: ObservedJob, elapsed: Duration) = ended.countDown()
                override fun deadLettered(job: ObservedJob, failure: JobFailure, reason: DeadLetterReason) = ended.countDown()
            }
            val requests = CopyOnWriteArrayList<List<Page>>()
            val engine = SearchEngine { pages ->
                requests += pages
                setOf("https://example.org/7")
            }

            RunledgerWorker.builder(client).handlers(searchIndex(engine)).observe(observer).start().use {
                check(ended.await(1, TimeUnit.MINUTES)) { "${ended.count} pages are not indexed." }
            }

            requests.single() shouldContainExactlyInAnyOrder pages
            jobs.filter { client.jobs.get(Scope.global(), it).status() != JobStatus.SUCCEEDED } shouldContainExactly
                listOf(jobs[7])
        }
    })
