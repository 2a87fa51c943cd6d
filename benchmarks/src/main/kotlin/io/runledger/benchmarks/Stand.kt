package io.runledger.benchmarks

import io.runledger.benchmarks.contender.Entry
import io.runledger.benchmarks.worker.WorkerProcess

/** A contender with a database of its own, installed, and a worker process of its own, which starts when it is first needed. */
class Stand(private val server: Server, val entry: Entry) : AutoCloseable {
    val database = server.freshDatabase()
    val contender = entry.make(database)

    init {
        contender.install()
        database.run("CREATE EXTENSION pg_stat_statements")
    }

    private val startedWorker = lazy(::newWorker)
    val worker: WorkerProcess by startedWorker

    val name: String get() = entry.name

    /** One more process in addition to [worker]; the caller closes it. */
    fun newWorker(): WorkerProcess = WorkerProcess(contender.workerCommand())

    override fun close() {
        if (startedWorker.isInitialized()) worker.close()
        contender.close()
        server.drop(database)
    }
}
