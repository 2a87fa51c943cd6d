package io.runledger.benchmarks

import io.runledger.benchmarks.contender.Entry
import io.runledger.benchmarks.worker.WorkerProcess

/** A contender with a database and a worker process of its own, installed and ready. */
class Stand(private val server: Server, val entry: Entry) : AutoCloseable {
    val database = server.freshDatabase()
    val contender = entry.make(database)
    val worker: WorkerProcess

    init {
        contender.install()
        database.run("CREATE EXTENSION pg_stat_statements")
        worker = newWorker()
    }

    val name: String get() = entry.name

    /** One more process in addition to [worker]; the caller closes it. */
    fun newWorker(): WorkerProcess = WorkerProcess(contender.workerCommand())

    override fun close() {
        worker.close()
        contender.close()
        server.drop(database)
    }
}
