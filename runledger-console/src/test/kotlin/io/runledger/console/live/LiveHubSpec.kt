package io.runledger.console.live

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.console.Console
import io.runledger.console.content.Topic
import io.runledger.console.http.EventSink
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.test.TestLedger
import io.runledger.test.until
import org.postgresql.ds.PGSimpleDataSource
import java.io.IOException
import java.time.Duration
import java.util.UUID

/** The open page of a browser. */
private class Page : EventSink {
    val received = ArrayList<String>()
    var isClosed = false
    var isEnded = false
    val changes: List<String> get() = received.filter { it.startsWith("event: change\n") }

    override fun send(text: String) {
        if (isClosed) throw IOException("The browser has left.")
        received += text
    }

    override fun end() {
        isEnded = true
    }
}

class LiveHubSpec :
    FunSpec({
        val ledger = autoClose(TestLedger.fresh())
        val watched = WatchedDataSource(ledger.dataSource)
        val client = ledger.client
        client.definitions.declare(JobType.of("mail", String::class.java))

        fun hub(
            reads: RunledgerClient = RunledgerClient.create(watched.dataSource),
            maxViewers: Int = 5_000,
            changed: () -> Unit = {},
        ): LiveHub = autoClose(LiveHub(reads, Duration.ofDays(1), maxViewers, changed = changed))

        fun LiveHub.open(topic: Topic, seen: String? = null) = Page().also { events(topic, seen).shouldNotBeNull().open(it) }

        fun newJob(): UUID = client.jobs.enqueue(JobRequest.builder("mail", "hello").build()).id()

        fun newRun(): UUID =
            client.workflows.enqueue(WorkflowRequest.builder("letters").also { it.externalGate("approval") }.build()).runId()

        test("a thousand idle viewers cost less than one statement a second") {
            val hub = hub()
            val pages = List(400) { hub.open(Topic.Ledger) } + List(300) { hub.open(Topic.OfJob(newJob())) } +
                List(300) { hub.open(Topic.OfRun(UUID.randomUUID())) }
            hub.runOnce()
            val before = watched.sent.size
            val turns = 50

            repeat(turns) { hub.runOnce() }

            pages shouldHaveSize 1_000
            val perTurn = (watched.sent.size - before).toDouble() / turns
            val interval = Console.builder(client).refreshInterval.toMillis() / 1000.0
            perTurn / interval shouldBeLessThan 1.0
            perTurn shouldBe 1.0
        }

        test("nothing is read while no page is open") {
            val hub = hub()
            val page = Page()
            hub.events(Topic.Ledger)!!.open(page).close()
            val before = watched.sent.size

            repeat(5) { hub.runOnce() }

            watched.sent.size shouldBe before
            hub.viewerCount shouldBe 0
        }

        test("a change reaches every viewer of its topic, and no other") {
            val hub = hub()
            val (job, other, run) = listOf(newJob(), newJob(), newRun())
            val viewers = List(3) { hub.open(Topic.OfJob(job)) }
            val others = listOf(hub.open(Topic.OfJob(other)), hub.open(Topic.OfRun(run)))
            hub.runOnce()
            val known = (viewers + others).associateWith { it.changes.size }

            client.jobs.cancel(Scope.global(), job, "not needed")
            hub.runOnce()

            viewers.map { it.changes.size - known.getValue(it) } shouldContainExactly listOf(1, 1, 1)
            others.map { it.changes.size - known.getValue(it) } shouldContainExactly listOf(0, 0)
            viewers.map { it.changes.last() }.toSet() shouldHaveSize 1

            client.workflows.pause(Scope.global(), run)
            hub.runOnce()
            others.map { it.changes.size - known.getValue(it) } shouldContainExactly listOf(0, 1)
        }

        test("a change of any row reaches the viewers of the whole ledger") {
            val hub = hub()
            val page = hub.open(Topic.Ledger)
            hub.runOnce()
            val known = page.changes.size

            newJob()

            // The server counts the rows of a session with a delay of up to some seconds.
            until("the page hears of it") {
                hub.runOnce()
                page.changes.size > known
            }
        }

        test("a change between the rendering of a page and its subscription is not lost") {
            val hub = hub()
            val job = newJob()
            hub.open(Topic.OfJob(job))
            hub.runOnce()
            val seen = hub.marks.of(Topic.OfJob(job)).shouldNotBeNull()

            val current = hub.open(Topic.OfJob(job), seen)
            hub.runOnce()
            current.changes.shouldBeEmpty()

            client.jobs.cancel(Scope.global(), job)
            val late = hub.open(Topic.OfJob(job), seen)
            hub.runOnce()
            late.changes shouldHaveSize 1

            // A page that knows nothing loads its live parts once.
            val first = hub.open(Topic.OfJob(job))
            hub.runOnce()
            first.changes shouldHaveSize 1
        }

        test("what was read before a change is forgotten before viewers hear of it") {
            val order = ArrayList<String>()
            val hub = hub(changed = { order += "forgotten" })
            val job = newJob()
            hub.events(Topic.OfJob(job))!!.open(object : EventSink {
                override fun send(text: String) {
                    if (text.startsWith("event: change")) order += "told"
                }

                override fun end() = Unit
            })
            hub.runOnce()
            order.clear()

            client.jobs.cancel(Scope.global(), job)
            hub.runOnce()

            order shouldContainExactly listOf("forgotten", "told")
        }

        test("the viewers of a job that is deleted hear of it") {
            val hub = hub()
            val page = hub.open(Topic.OfJob(UUID.randomUUID()))
            hub.runOnce()
            page.changes shouldHaveSize 1
            hub.runOnce()
            page.changes shouldHaveSize 1
        }

        test("a closed browser is forgotten, and the others are told") {
            val hub = hub()
            val job = newJob()
            val left = hub.open(Topic.OfJob(job))
            val stays = hub.open(Topic.OfJob(job))
            hub.runOnce()
            left.isClosed = true

            client.jobs.cancel(Scope.global(), job)
            hub.runOnce()

            hub.viewerCount shouldBe 1
            left.isEnded shouldBe true
            stays.changes shouldHaveSize 2
        }

        test("an idle browser gets a sign now and then, so that its connection stays open and a closed one is found") {
            val hub = hub()
            val job = newJob()
            val stays = hub.open(Topic.OfJob(job))
            val left = hub.open(Topic.OfJob(job))
            hub.runOnce()
            val received = stays.received.size
            left.isClosed = true

            repeat(10) { hub.runOnce() }

            stays.received.size shouldBe received + 1
            hub.viewerCount shouldBe 1
        }

        test("pages stay open while the database is away, and hear afterwards what has changed") {
            val hub = hub()
            val job = newJob()
            val page = hub.open(Topic.OfJob(job))
            hub.runOnce()
            val known = page.changes.size

            watched.isLost = true
            try {
                repeat(3) { hub.runOnce() }
            } finally {
                watched.isLost = false
            }
            hub.viewerCount shouldBe 1
            page.changes.size shouldBe known

            client.jobs.cancel(Scope.global(), job)
            hub.runOnce()
            page.changes.size shouldBe known + 1
        }

        test("a page too many gets no stream") {
            val hub = hub(maxViewers = 2)
            repeat(2) { hub.open(Topic.Ledger) }

            hub.events(Topic.Ledger).shouldBeNull()
        }

        test("a client that can only read, as one on a replica, is enough") {
            val readOnly = (ledger.database.dataSource() as PGSimpleDataSource).apply {
                options =
                    "-c default_transaction_read_only=on"
            }
            val hub = hub(RunledgerClient.builder(readOnly).notifications(false).build())
            val job = newJob()
            val page = hub.open(Topic.OfJob(job))
            hub.runOnce()
            val known = page.changes.size

            client.jobs.cancel(Scope.global(), job)
            hub.runOnce()

            page.changes.size shouldBe known + 1
        }

        test("streams that are ended can be opened again, and those of a closed hub cannot") {
            val hub = hub()
            val page = hub.open(Topic.Ledger)

            hub.endStreams()
            page.isEnded shouldBe true
            hub.viewerCount shouldBe 0
            val next = hub.open(Topic.Ledger)

            hub.close()
            next.isEnded shouldBe true
            hub.events(Topic.Ledger).shouldBeNull()
        }
    })
