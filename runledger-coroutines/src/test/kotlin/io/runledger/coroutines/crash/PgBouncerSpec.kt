package io.runledger.coroutines.crash

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.working
import io.runledger.exposed.RunledgerClient
import io.runledger.model.run.JobOutcome
import io.runledger.model.spec.JobRequest

class PgBouncerSpec :
    FunSpec({
        val installed = { _: Any ->
            if (PgBouncer.program != null) Enabled.enabled else Enabled.disabled("pgbouncer is not installed")
        }

        test("jobs run through a pooler that shares sessions between transactions, with notifications off")
            .config(enabledOrReasonIf = installed) {
                val ledger = freshLedger()
                ledger.define(greet, charge)
                ledger.run("CREATE TABLE payments (amount int NOT NULL)")
                val directory = tempdir().apply { setExecutable(true, false) && setReadable(true, false) }.toPath()
                PgBouncer(ledger.database, directory).use { pooler ->
                    val pooled = pooler.dataSource()
                    val client = RunledgerClient.builder(pooled).notifications(false).build()
                    client.jobs.enqueueAll(List(50) { JobRequest.of(greet, "$it") })
                    client.jobs.enqueueAll(List(50) { JobRequest.of(charge, it) })
                    val handlers = handlers {
                        blocking(greet) {
                            it.progress(1, 2)
                            JobOutcome.succeeded(it.payload())
                        }
                        blocking(charge) { pooled.paying(it) }
                    }

                    val report = working(client, handlers, quick { reaper(true).scheduler(true) }) {
                        it.awaitAll("succeeded", count = 100)
                    }

                    report.finished shouldBe 100
                    ledger.value("SELECT count(DISTINCT amount) FROM payments") shouldBe "50"
                }
            }
    })
