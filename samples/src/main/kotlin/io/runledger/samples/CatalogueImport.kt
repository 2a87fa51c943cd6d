package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import kotlin.time.Duration.Companion.hours

data class ImportCatalogue(val pages: Int)

/** The data that the next attempt needs. */
data class ImportedUpTo(val page: Int)

val importCatalogue = jobType<ImportCatalogue>("catalogue.import") { timeout(6.hours) }

/**
 * A job that takes hours and does not restart from the beginning after a deployment, a crash or an error. The interrupted page
 * is imported again, so [importPage] must be idempotent.
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
