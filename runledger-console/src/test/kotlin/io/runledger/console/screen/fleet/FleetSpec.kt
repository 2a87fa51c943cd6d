package io.runledger.console.screen.fleet

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.console.run
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.value.UuidV7
import java.time.Duration
import java.util.UUID

private val mail = JobType.json("mail")

class FleetSpec :
    FunSpec({
        val acme = UUID.randomUUID()

        fun bench() = autoClose(
            ConsoleBench {
                snapshotLifetime = Duration.ZERO
            },
        ).also { it.client.definitions.sync(listOf(mail)) }

        fun ConsoleBench.page(path: String): String = viewer("ada").get(path).also { it.statusCode() shouldBe 200 }.body()

        fun ConsoleBench.enter(workerId: String, label: String = "eu"): UUID {
            val card = WorkerCard(
                UuidV7.next(), workerId,
                setOf(
                    label,
                ),
                listOf("mail"), 8, "1.2.3", "shop <7>", "pod-1", 4711, Duration.ofSeconds(30),
            )
            WorkerLedger.of(client).fleet.enter(card)
            WorkerLedger.of(client).fleet.beat(card.id(), WorkerState.WORKING, 3, 5)
            return card.id()
        }

        test("the list shows what each worker does, and which are lost") {
            val bench = bench()
            val alive = bench.enter("w-alive")
            val lost = bench.enter("w-lost")
            bench.run("UPDATE runledger.workers SET beat_at = now() - interval '1 hour' WHERE id = '$lost'")

            val page = bench.page("/workers")

            page shouldContain "/runledger/workers/$alive"
            page shouldContain "3 of 8 busy, 5 free, 5 held"
            page shouldContain "shop &lt;7&gt;"
            page shouldContain "pod-1, process 4711"
            page shouldContain "state state-lost\">lost"
            page.indexOf("w-lost").let { it shouldBe minOf(it, page.indexOf("w-alive")) }
            bench.page("/workers/$lost") shouldContain "missed three heartbeats"
        }

        test("orders are shown while they stand and after they are lifted") {
            val bench = bench()
            bench.enter("w1")
            bench.client.workers.drain(WorkerSelection.labelled("eu"), "deploy <4.2>")

            bench.page("/workers").let {
                it shouldContain "deploy &lt;4.2&gt;"
                it shouldContain "when it is lifted"
            }
            bench.client.workers.resumeAll("deployed")
            val other = bench.page("/workers")

            bench.client.workers.standingOrders().size shouldBe 0
            other shouldContain "deploy &lt;4.2&gt;"
        }

        test("a worker shows the jobs that it has claimed") {
            val bench = bench()
            val worker = bench.enter("w1")
            val job = bench.client.jobs.enqueue(JobRequest.builder(mail, Json.EMPTY_OBJECT).build()).id()
            WorkerLedger.of(bench.client).leases.claim(ClaimRequest.of(listOf("mail"), "w1", Duration.ofMinutes(1), 1))

            bench.page("/workers/$worker") shouldContain "/runledger/jobs/$job"
        }

        test("an administrator of one organization sees the fleet, but not the jobs of others") {
            val bench = bench()
            val worker = bench.enter("w1")
            val job = bench.client.jobs.enqueue(JobRequest.builder(mail, Json.EMPTY_OBJECT).build()).id()
            WorkerLedger.of(bench.client).leases.claim(ClaimRequest.of(listOf("mail"), "w1", Duration.ofMinutes(1), 1))

            val page = bench.viewer("ann", ConsoleRole.ADMINISTRATOR, Scope.organization(acme)).get("/workers/$worker").body()

            page shouldNotContain job.toString()
            page shouldContain "1 jobs of other organizations"
        }

        test("a user of one organization is told why the fleet and the database are not shown") {
            val bench = bench()
            val worker = bench.enter("w1")
            val eve = bench.viewer("eve", ConsoleRole.OPERATOR, Scope.organization(acme))

            listOf("/workers", "/workers/$worker", "/database").forEach {
                val page = eve.get(it).body()
                page shouldContain "only a part of the ledger"
                page shouldNotContain "pod-1"
                page shouldNotContain "PostgreSQL"
            }
            bench.viewer("ada").get("/workers/${UUID.randomUUID()}").statusCode() shouldBe 404
        }

        test("the database shows its tables, its connections and what needs attention") {
            val page = bench().page("/database")

            page shouldContain "job_queue"
            page shouldContain "Nothing needs attention."
            page shouldContain "of at most"
            page shouldContain "No ended job is kept."
        }
    })
