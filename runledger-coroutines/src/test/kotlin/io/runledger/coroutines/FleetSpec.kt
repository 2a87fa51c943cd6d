package io.runledger.coroutines

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.error.ErrorCode
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.history.JobReason
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withTimeout
import org.postgresql.ds.PGSimpleDataSource
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.minutes

private val slow = JobType.of("slow", String::class.java)
private val other = JobType.of("other", String::class.java)
private val all = WorkerSelection.all()
private val eu = WorkerSelection.labelled("eu")

class FleetSpec :
    FunSpec({
        val minute = Duration.ofMinutes(1)

        fun TestLedger.worker(id: String): Worker? = client.workers.list().find { it.workerId() == id }

        suspend fun TestLedger.awaitState(id: String, state: WorkerState) =
            until("$id is $state") { worker(id)?.state() == state }

        fun TestLedger.start(id: String, label: String, handlers: Handlers, settings: WorkerConfig.Builder.() -> Unit = {}) =
            autoClose(
                RunledgerWorker.builder(client).handlers(handlers).config(
                    quick { workerId(id).labels(label).apply(settings) },
                ).start(),
            )

        test("the list shows a worker while it runs, as it was configured, and not after it ended") {
            val ledger = freshLedger()
            ledger.define(slow)
            ledger.enqueue(slow, "")
            val config =
                quick {
                    workerId("w1").labels("eu", "gpu").queues("default", "imports").maxConcurrency(3).applicationVersion("shop 7")
                }

            working(ledger.client, handlers { on(slow) { awaitCancellation() } }, config) {
                it.await("started")
                ledger.client.workers.drain(eu, "So that it beats.")
                ledger.awaitState("w1", WorkerState.DRAINING)
                val worker = checkNotNull(ledger.worker("w1"))
                worker.labels() shouldBe setOf("eu", "gpu")
                worker.jobTypes() shouldContainExactly listOf("slow")
                worker.queues() shouldBe setOf("default", "imports")
                worker.slots() to worker.busySlots() shouldBe (3 to 1)
                worker.applicationVersion() shouldBe "shop 7"
                worker.processId() shouldBe ProcessHandle.current().pid()
                worker.isLost shouldBe false
            }

            ledger.client.workers.list().shouldBeEmpty()
        }

        test("after a deploy without the handler of a type its jobs say that no worker serves them, until one does") {
            val ledger = freshLedger()
            ledger.define(slow, other)
            val before = ledger.start("w1", "eu", handlers { on(slow) { } })
            val done = ledger.enqueue(slow, "")
            until("the job is done") { ledger.job(done).status() == JobStatus.SUCCEEDED }
            before.close()
            ledger.start("w2", "eu", handlers { on(other) { } })
            ledger.awaitState("w2", WorkerState.WORKING)

            val waiting = ledger.enqueue(slow, "")
            val why = ledger.client.jobs.why(Scope.global(), waiting)

            why.map { it.code() } shouldContainExactly listOf(JobReason.Code.NO_WORKER)
            ledger.start("w3", "eu", handlers { on(slow) { } })
            until("the job is done") { ledger.job(waiting).status() == JobStatus.SUCCEEDED }
        }

        test("a drained worker finishes what runs, claims nothing more and stays; resumed, it goes on") {
            val ledger = freshLedger()
            ledger.define(slow)
            val running = ledger.enqueue(slow, "running")
            val go = CompletableDeferred<Unit>()
            val worker = ledger.start("w1", "eu", handlers { on(slow) { if (it.payload() == "running") go.await() } })
            until("the job runs") { ledger.job(running).status() == JobStatus.LEASED }

            ledger.client.workers.drain(eu, "Deploy.").workers().map { it.workerId() } shouldContainExactly listOf("w1")
            ledger.awaitState("w1", WorkerState.DRAINING)
            val late = ledger.enqueue(slow, "late")
            val drained = ledger.client.workers.awaitDrained(eu, minute)
            go.complete(Unit)
            withTimeout(1.minutes) { drained.await() }

            ledger.job(running).status() shouldBe JobStatus.SUCCEEDED
            ledger.job(late).status() shouldBe JobStatus.PENDING
            worker.ended().isDone shouldBe false
            ledger.client.workers.resume(eu, "Deployed.")
            until("the other job is done") { ledger.job(late).status() == JobStatus.SUCCEEDED }
            ledger.awaitState("w1", WorkerState.WORKING)
        }

        test("a worker that starts while the order stands claims nothing, and one without the label works") {
            val ledger = freshLedger()
            ledger.define(slow)
            ledger.client.workers.drain(eu, "Maintenance.")
            val done = CompletableDeferred<String>()
            ledger.start("held", "eu", handlers { on(slow) { done.complete("held") } })
            ledger.awaitState("held", WorkerState.DRAINED)

            val job = ledger.enqueue(slow, "")
            ledger.client.workers.awaitDrained(eu, minute).await().map { it.workerId() } shouldContainExactly listOf("held")
            ledger.job(job).status() shouldBe JobStatus.PENDING
            ledger.start("free", "us", handlers { on(slow) { done.complete("free") } })

            done.await() shouldBe "free"
        }

        test("a stopped worker gives back what does not end in time, and its report names the order; later ones work") {
            val ledger = freshLedger()
            ledger.define(slow)
            val ids = List(5) { ledger.enqueue(slow, "$it") }
            val witness = Witness()
            val worker = autoClose(
                RunledgerWorker.builder(ledger.client).observe(witness).config(quick { workerId("old").labels("eu") })
                    .handlers(handlers { on(slow) { awaitCancellation() } }).start(),
            )
            witness.awaitAll("started", count = 5)

            val given = ledger.client.workers.stop(eu, "Too old.")
            val report = withTimeout(1.minutes) { worker.ended().await() }

            given.workers().map { it.workerId() } shouldContainExactly listOf("old")
            report.stopOrder shouldBe given.order()
            "$report".substringAfter("old: ") shouldBe
                "0 finished, 5 released, 0 lost, 0 abandoned, stopped by ${given.order().orderedBy()}: Too old."
            ledger.client.workers.list().shouldBeEmpty()
            ids.forEach { ledger.job(it).status() shouldBe JobStatus.PENDING }
            ledger.start("new", "eu", handlers { on(slow) { } })
            until("all is done") { ids.all { ledger.job(it).status() == JobStatus.SUCCEEDED } }
        }

        test("a worker that was believed gone for good when it was stopped stops when it comes back") {
            val ledger = freshLedger()
            val worker = ledger.start("w1", "eu", Handlers.builder().build())
            ledger.awaitState("w1", WorkerState.WORKING)

            val given = ledger.database.connect().use { connection ->
                connection.autoCommit = false
                val given = ledger.client.within(connection).workers.stop(eu, "Too old.")
                connection.createStatement().use { it.execute("DELETE FROM runledger.workers") }
                connection.commit()
                given
            }

            withTimeout(1.minutes) { worker.ended().await() }.stopOrder shouldBe given.order()
        }

        test("a stopped worker lets running jobs end within its grace, says that it stops, and run() returns the report") {
            val ledger = freshLedger()
            ledger.define(slow)
            val job = ledger.enqueue(slow, "")
            val go = CompletableDeferred<Unit>()
            val worker = RunledgerWorker.builder(ledger.client).handlers(handlers { on(slow) { go.await() } })
                .config(quick { workerId("w1").shutdownGrace(minute) }).build()

            coroutineScope {
                val report = async { worker.run() }
                until("the job runs") { ledger.job(job).status() == JobStatus.LEASED }
                ledger.client.workers.stop(all, "Over.")
                ledger.awaitState("w1", WorkerState.STOPPING)
                report.isCompleted shouldBe false
                go.complete(Unit)

                report.await().stopOrder?.reason() shouldBe "Over."
                report.await().finished shouldBe 1
            }
        }

        test("without notifications orders arrive with the next beat") {
            val ledger = freshLedger()
            ledger.define(slow)
            val deaf = RunledgerClient.builder(ledger.pool).notifications(false).build()
            val config = quick { workerId("deaf").beatInterval(Duration.ofMillis(50)) }
            val worker = autoClose(
                RunledgerWorker.builder(deaf).handlers(handlers { on(slow) { } }).config(config).start(),
            )
            ledger.awaitState("deaf", WorkerState.WORKING)

            ledger.client.workers.drain(all, "Maintenance.")
            ledger.awaitState("deaf", WorkerState.DRAINED)
            ledger.client.workers.stop(all, "Over.")

            withTimeout(1.minutes) { worker.ended().await() }.stopOrder?.reason() shouldBe "Over."
        }

        test("a worker that may not write to the list works all the same, and tells its observer") {
            val ledger = freshLedger()
            ledger.define(slow)
            val role = "rl_" + UUID.randomUUID().toString().replace('-', '_')
            ledger.run(
                "CREATE ROLE $role LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA runledger TO $role; " +
                    "GRANT ALL ON ALL TABLES IN SCHEMA runledger TO $role; REVOKE ALL ON runledger.workers FROM $role",
            )
            val login = PGSimpleDataSource().also {
                it.setURL(ledger.database.jdbcUrl)
                it.user = role
                it.password = "secret"
            }

            HikariDataSource(HikariConfig().apply { dataSource = login }).use { pool ->
                working(ledger.clientOn(pool), handlers { on(slow) { } }) { witness ->
                    witness.await("succeeded", ledger.enqueue(slow, ""))
                    witness.awaitUnavailable(ErrorCode.PERMISSION_DENIED)
                    witness.await("succeeded", ledger.enqueue(slow, "later"))
                }
            }

            ledger.client.workers.list().shouldBeEmpty()
            ledger.run("DROP OWNED BY $role; DROP ROLE $role")
        }

        test("workers that vanished are forgotten by any janitor, without a setting") {
            val ledger = freshLedger()
            ledger.start("there", "eu", Handlers.builder().build())
            ledger.awaitState("there", WorkerState.WORKING)
            WorkerLedger.of(ledger.client).fleet.enter(
                WorkerCard(UUID.randomUUID(), "vanished", emptySet(), emptyList(), 1, "1", null, "host", 1, minute),
            )
            ledger.run("UPDATE runledger.workers SET beat_at = now() - interval '2 days' WHERE worker_id = 'vanished'")

            ledger.start("tidy", "eu", Handlers.builder().build())

            until("it is forgotten") { ledger.worker("vanished") == null }
            ledger.client.workers.list().map { it.workerId() } shouldContain "there"
        }
    })
