package io.runledger.samples

import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import java.io.File
import kotlin.time.Duration.Companion.seconds

data class ImportFile(val path: String)

val importFile = jobType<ImportFile>("inbox.import")
val archiveFile = jobType<ImportFile>("inbox.archive")

/** Polls the inbox every ten seconds, on one worker of the fleet. Each file is imported once, however long it stays. */
fun RunledgerWorker.Builder.watching(inbox: File): RunledgerWorker.Builder = trigger("new-files", every = 10.seconds) {
    val files = inbox.listFiles { file -> file.extension == "csv" }.orEmpty().sorted()
    if (files.isEmpty()) skip("The inbox is empty.") else all(files.map { fire(it.name, importFile, ImportFile(it.path)) })
}

/** The same with a workflow for each file. */
fun RunledgerWorker.Builder.archiving(inbox: File): RunledgerWorker.Builder = trigger("files-to-archive", every = 10.seconds) {
    val oldest = inbox.listFiles().orEmpty().minByOrNull { it.lastModified() }
    if (oldest == null) {
        skip()
    } else {
        fire(
            "${oldest.name} of ${oldest.lastModified()}",
            workflow("inbox.archive") {
                val imported = job("import") { runs(importFile, ImportFile(oldest.path)) }
                job("archive") {
                    runs(archiveFile, ImportFile(oldest.path))
                    after(imported)
                }
            },
        )
    }
}
