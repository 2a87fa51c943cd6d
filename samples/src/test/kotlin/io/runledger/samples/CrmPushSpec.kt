package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import kotlinx.coroutines.CompletableDeferred
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

class CrmPushSpec :
    FunSpec({
        val acme = UUID.randomUUID()
        val globex = UUID.randomUUID()

        fun TestLedger.worker(crm: Crm, ended: CountDownLatch): RunningWorker =
            RunledgerWorker.builder(RunledgerClient.create(dataSource)).handlers(crmPush(crm)).config { it.maxConcurrency(8) }
                .observe(
                    object : WorkerObserver {
                        override fun succeeded(job: ObservedJob, elapsed: Duration) = ended.countDown()
                    },
                ).start()

        fun CountDownLatch.awaited() = check(await(1, TimeUnit.MINUTES)) { "$count changes are not pushed." }

        test("two workers push the changes of each customer in their order, and make four calls at once, never five") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(pushChange)
            // Ten customers of two tenants, with eight changes each.
            val changes = List(80) { CustomerChange("customer ${it % 10}", it / 10) }
            val (ofAcme, ofGlobex) = changes.partition { it.customer < "customer 5" }
            val pushed = ConcurrentHashMap<String, ConcurrentLinkedQueue<Int>>()
            val calls = AtomicInteger()
            val most = AtomicInteger()
            val four = CompletableDeferred<Unit>()
            val crm = Crm { change ->
                val now = calls.incrementAndGet()
                most.accumulateAndGet(now, ::maxOf)
                // The first calls wait for each other: the permits are used, not only kept.
                if (now == 4) four.complete(Unit)
                four.await()
                pushed.computeIfAbsent(change.customer) { ConcurrentLinkedQueue() } += change.number
                calls.decrementAndGet()
            }
            val ended = CountDownLatch(changes.size)

            ledger.worker(crm, ended).use {
                ledger.worker(crm, ended).use {
                    pushChanges(ledger.client, acme, ofAcme)
                    pushChanges(ledger.client, globex, ofGlobex)
                    ended.awaited()
                }
            }

            most.get() shouldBe 4
            pushed.size shouldBe 10
            pushed.values.forEach { numbers -> numbers.toList() shouldContainExactly (0 until 8).toList() }
            ledger.client.verify().contradictions().shouldBeEmpty()
        }

        test("during an incident nothing is pushed, and after it one change at a time, until the limit is reset") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(pushChange)
            val incident = CrmIncident(ledger.client, "dana")
            val calls = AtomicInteger()
            val most = AtomicInteger()
            val crm = Crm {
                most.accumulateAndGet(calls.incrementAndGet(), ::maxOf)
                calls.decrementAndGet()
            }

            incident.begins()
            pushChanges(ledger.client, acme, List(5) { CustomerChange("customer $it", 1) })
            ledger.work(crmPush(crm))
            most.get() shouldBe 0
            ledger.client.queues.get("crm").run { waiting() to paused() } shouldBe (5 to true)

            incident.ends()
            val ended = CountDownLatch(5)
            ledger.worker(crm, ended).use { ended.awaited() }
            most.get() shouldBe 1

            incident.isForgotten()
            ledger.client.limits.get("crm-api").inForce().permits() shouldBe 4
            ledger.client.limits.history("crm-api").items().map { it.changedBy() } shouldContainExactly
                listOf("dana", "dana", null)
        }

        test("a change that a person waits for is pushed while the queue of the others is paused, by a worker of its own") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(pushChange)
            CrmIncident(ledger.client, "dana").begins()
            pushChanges(ledger.client, acme, listOf(CustomerChange("ada", 1)))
            val pushed = CompletableDeferred<CustomerChange>()

            val urgent = pushAtOnce(ledger.client, acme, CustomerChange("ada", 2))
            urgentWorker(ledger.client) { pushed.complete(it) }.use { pushed.await() shouldBe CustomerChange("ada", 2) }

            ledger.client.jobs.get(Scope.everything(), urgent).flow().run { orderKey() to queue() } shouldBe (null to "urgent")
            ledger.client.queues.get("crm").waiting() shouldBe 1
        }
    })
