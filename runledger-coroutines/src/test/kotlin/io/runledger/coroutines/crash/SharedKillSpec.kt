package io.runledger.coroutines.crash

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.Witness
import io.runledger.coroutines.enqueue
import io.runledger.coroutines.freshTenants
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.SharedWorker
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import java.time.Duration

class SharedKillSpec :
    FunSpec({
        test("when the worker of two ledgers is killed amid jobs of both, another ends them all, each in its own ledger") {
            val tenants = freshTenants()
            val jobs = SharingProgram.schemas.map { tenants.tenant(it, wait) }.associateWith { ledger ->
                List(5) { ledger.enqueue(wait, ledger.schema) }
            }
            DoomedJvm.start(SharingProgram::class, tenants.ledger.database).use { doomed ->
                List(4) { doomed.hear() } shouldContainExactlyInAnyOrder
                    listOf("acme in acme", "acme in acme", "globex in globex", "globex in globex")
                doomed.kill()
            }

            val witness = Witness()
            val heir = quick {
                workerId("heir").reaper(true).reaperInterval(Duration.ofMillis(50)).reaperRetryDelay(Duration.ofMillis(1))
            }
            SharedWorker.start(places = 4) { worker, ledger ->
                val inheriting = handlers { on(wait) { "${it.payload()} in ${ledger.schema}" } }
                worker.handlers(inheriting).config(heir).observe(witness)
            }.use { worker ->
                jobs.keys.forEach(worker::serve)
                jobs.values.flatten().forEach { witness.await("succeeded", it) }
            }

            jobs.forEach { (ledger, ids) ->
                ids.forEach { id ->
                    ledger.jobs.get(Scope.everything(), id).output() shouldBe Json.of("\"${ledger.schema} in ${ledger.schema}\"")
                }
                ids.flatMap { ledger.jobs.story(Scope.everything(), it).attempts() }
                    .map { "${it.attempt()} ${it.outcome()} ${it.workerId()}" } shouldContainExactlyInAnyOrder
                    List(2) { "1 LEASE_EXPIRED doomed" } + List(2) { "2 SUCCEEDED heir" } + List(3) { "1 SUCCEEDED heir" }
            }
        }
    })
