package io.runledger.exposed.signal

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.postgres.TestPostgres
import org.postgresql.PGConnection
import org.postgresql.ds.PGSimpleDataSource
import java.sql.Connection
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

private val mail = JobType.of("mail", String::class.java)
private val due = Signal.DueJobs("mail")

/** Signals to the workers of a client about jobs that the client itself enqueues. */
class DirectSignalsSpec :
    FunSpec({
        /** A client that cannot listen, so that every signal it receives is a direct one. */
        fun deaf(ledger: TestLedger): RunledgerClient {
            val nowhere = PGSimpleDataSource().also { it.setURL("jdbc:postgresql://localhost:1/none") }
            return RunledgerClient.builder(ledger.dataSource).listenWith(nowhere).build()
        }

        test("an enqueued job is signalled by the time the call returns, without a listener, on the thread of the call") {
            val client = deaf(freshLedger().define("mail"))
            val heard = CopyOnWriteArrayList<Pair<Signal, Thread>>()
            WorkerLedger.of(client).signals.subscribe { heard += it to Thread.currentThread() }.use {
                client.jobs.enqueue(mail, "a")
            }

            heard shouldContainExactly listOf(due to Thread.currentThread())
        }

        test("each of many jobs in a row is signalled, although the database is notified of the first one only") {
            val client = deaf(freshLedger().define("mail"))
            val heard = CopyOnWriteArrayList<Signal>()
            WorkerLedger.of(client).signals.subscribe(heard::add).use {
                repeat(5) { client.jobs.enqueue(mail, "a") }
            }

            heard shouldContainExactly List(5) { due }
        }

        test("a delayed job, a repeated key and a refused job are not signalled") {
            val client = deaf(freshLedger().define("mail"))
            client.jobs.enqueue(JobRequest.builder(mail, "a").idempotencyKey("k").build())
            val heard = CopyOnWriteArrayList<Signal>()
            WorkerLedger.of(client).signals.subscribe(heard::add).use {
                client.jobs.enqueue(JobRequest.builder(mail, "a").delay(Duration.ofHours(1)).build())
                client.jobs.enqueue(JobRequest.builder(mail, "a").idempotencyKey("k").build())
                runCatching { client.jobs.enqueue(JobType.of("unknown", String::class.java), "a") }
                    .exceptionOrNull().let { it is RunledgerException } shouldBe true
            }

            heard.shouldBeEmpty()
        }

        test("other subscribers and other clients are served by the database alone") {
            val ledger = freshLedger().define("mail")
            val client = deaf(ledger)
            val other = deaf(ledger)
            val (public, foreign) = List(2) { Heard() }
            client.signals.subscribe(public).use {
                WorkerLedger.of(other).signals.subscribe(foreign).use {
                    client.jobs.enqueue(mail, "a")
                }
            }

            public.shouldHaveHeardNothing()
            foreign.shouldHaveHeardNothing()
        }

        test("a job of the caller's transaction is signalled by its notification, after the commit") {
            val ledger = freshLedger().define("mail")
            val heard = Heard()
            WorkerLedger.of(ledger.client).signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                ledger.database.connect().use { connection ->
                    connection.autoCommit = false
                    ledger.client.within(connection).jobs.enqueue(mail, "a")
                    heard.shouldHaveHeardNothing()
                    connection.commit()
                }
                heard.shouldHear(due)
            }
        }

        context("beside the listener") {
            /** The subscribers of a channel, and a session that enqueues. */
            class Bench(val connection: Connection) {
                val subscriptions = Subscriptions()
                val direct = CopyOnWriteArrayList<Signal>()
                val public = CopyOnWriteArrayList<Signal>()
                val pid = connection.unwrap(PGConnection::class.java).backendPID

                init {
                    subscriptions.add(direct::add, isDirect = true)
                    subscriptions.add(public::add, isDirect = false)
                }

                fun signal(vararg types: String) = DirectSignal(subscriptions, types.toSet())

                fun receive(vararg signals: Signal, from: Int = pid) =
                    subscriptions.send(signals.map { Subscriptions.Received(it, from) })
            }

            fun bench() = Bench(autoClose(TestPostgres.shared().freshDatabase().connect()))

            test("the notification of a job that was signalled directly reaches only the other subscribers") {
                val bench = bench()
                val signal = bench.signal("mail")
                signal.sending(bench.connection)
                signal.committed(setOf("mail"))
                bench.receive(due)

                bench.direct shouldContainExactly listOf(due)
                bench.public shouldContainExactly listOf(due)
            }

            test("the same notification of another session, and the next one of the same session, reach all") {
                val bench = bench()
                val signal = bench.signal("mail")
                signal.sending(bench.connection)
                signal.committed(setOf("mail"))
                bench.receive(due, from = bench.pid + 1)
                bench.receive(due)
                bench.receive(due)

                bench.direct shouldContainExactly listOf(due, due, due)
                bench.public shouldContainExactly listOf(due, due, due)
            }

            test("a type for which nothing was enqueued, or a connection that was not used, expects no notification") {
                val bench = bench()
                val signal = bench.signal("mail", "print")
                signal.sending(bench.connection)
                signal.sending(bench.connection)
                signal.committed(setOf("mail"))
                bench.receive(due, Signal.DueJobs("print"))
                bench.receive(due)

                bench.direct shouldContainExactly listOf(due, Signal.DueJobs("print"), due)
            }

            test("if the answer to the commit is lost, the job is signalled, whether its notification came before or after") {
                val bench = bench()
                repeat(2) { round ->
                    val signal = bench.signal("mail")
                    signal.sending(bench.connection)
                    if (round == 0) bench.receive(due)
                    signal.failed()
                    if (round == 1) bench.receive(due)
                }

                bench.direct shouldContainExactly listOf(due, due)
            }

            test("a new listener connection expects nothing of the old one") {
                val bench = bench()
                val signal = bench.signal("mail")
                signal.sending(bench.connection)
                signal.committed(setOf("mail"))
                bench.subscriptions.resetResumed()
                bench.receive(due)

                bench.direct shouldContainExactly listOf(due, due)
            }

            test("own and joined transactions of one session, in any order, cause as many signals as commits") {
                val bench = bench()
                val signals = AtomicInteger()
                bench.subscriptions.add({ signals.incrementAndGet() }, isDirect = true)
                val committed = LinkedBlockingQueue<Boolean>()
                val listener = thread { while (committed.take()) bench.receive(due) }
                val senders = List(4) { n ->
                    thread {
                        repeat(500) { round ->
                            if ((n + round) % 3 == 0) {
                                committed += true
                            } else {
                                val signal = bench.signal("mail")
                                signal.sending(bench.connection)
                                committed += true
                                signal.committed(setOf("mail"))
                            }
                        }
                    }
                }
                senders.forEach { it.join() }
                committed += false
                listener.join()

                signals.get() shouldBe 4 * 500
            }
        }
    })
