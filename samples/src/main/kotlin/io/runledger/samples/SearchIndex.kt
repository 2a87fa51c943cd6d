package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.JobOutcome

data class Page(val url: String, val text: String)

val indexPage = jobType<Page>("page.index")

/** Takes many pages in one request. */
fun interface SearchEngine {
    /** Returns the addresses of the pages that it refuses. */
    suspend fun addAll(pages: List<Page>): Set<String>
}

/** One call for all pages that are ready together. Each page still has its own job, outcome and retries. */
fun searchIndex(engine: SearchEngine): Handlers = handlers {
    onBatch(indexPage, max = 200) { jobs ->
        val refused = engine.addAll(jobs.map { it.payload() })
        BatchOutcome.of(jobs) { job ->
            val isRefused = job.payload().url in refused
            if (isRefused) JobOutcome.failed("page.refused", "The engine refuses it.") else JobOutcome.succeeded()
        }
    }
}
