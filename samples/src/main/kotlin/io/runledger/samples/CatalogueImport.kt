package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.checkpoint
import io.runledger.coroutines.handlers
import io.runledger.coroutines.keepCheckpoint
import io.runledger.coroutines.reportProgress
import io.runledger.dsl.jobType
import kotlin.time.Duration.Companion.hours

data class ImportCatalogue(val pages: Int)

/** What the next attempt needs to know, and no more. */
data class ImportedUpTo(val page: Int)

val importCatalogue = jobType<ImportCatalogue>("catalogue.import") { timeout(6.hours) }

/**
 * A job of hours that a deployment, a crash or an error in the middle does not send back to the start. The page at which it was
 * broken off is done again: [importPage] must bear that.
 */
fun catalogueImport(importPage: suspend (Int) -> Unit): Handlers = handlers {
    on(importCatalogue) { job ->
        val pages = job.payload().pages
        val done = job.checkpoint<ImportedUpTo>()?.page ?: 0
        for (page in done + 1..pages) {
            importPage(page)
            job.keepCheckpoint(ImportedUpTo(page))
            job.reportProgress(page.toLong(), pages.toLong())
        }
    }
}
