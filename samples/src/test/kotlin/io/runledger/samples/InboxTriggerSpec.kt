package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireOutcome
import io.runledger.test.freshLedger
import java.time.Duration

class InboxTriggerSpec :
    FunSpec({
        val importing = handlers {
            on(importFile) { job -> job.payload().path.substringAfterLast('/') }
            on(archiveFile) { }
        }

        /** Detects a requested poll at once. */
        val attentive = WorkerConfig.builder().schedulerInterval(Duration.ofMillis(50)).build()

        test("each file is imported once, however often two workers look") {
            val client = freshLedger().client
            client.definitions.sync(importing.jobTypes)
            val inbox = tempdir()
            listOf("a.csv", "b.csv", "note.txt").forEach { inbox.resolve(it).writeText("1,2,3") }
            val observer = SuccessObserver()
            fun worker() =
                RunledgerWorker.builder(client).handlers(importing).config(attentive).observe(observer).watching(inbox).start()

            worker().use {
                worker().use {
                    repeat(2) { observer.succeeded() }
                    client.schedules.fireNow(Scope.global(), "new-files", "Is there more?")
                    inbox.resolve("c.csv").writeText("4")
                    client.schedules.fireNow(Scope.global(), "new-files", "And now?")
                    client.jobs.get(Scope.global(), observer.succeeded()).output()?.text() shouldBe "\"c.csv\""
                }
            }

            client.schedules.fires(Scope.global(), "new-files").items().filter { it.outcome() == FireOutcome.FIRED }
                .map { it.dedupKey() }.sorted() shouldContainExactly listOf("a.csv", "b.csv", "c.csv")
            client.verify().contradictions().shouldBeEmpty()
        }

        test("a file is imported and archived by a workflow of its own") {
            val client = freshLedger().client
            client.definitions.sync(importing.jobTypes)
            val inbox = tempdir()
            inbox.resolve("a.csv").writeText("1,2,3")
            val observer = SuccessObserver()

            RunledgerWorker.builder(client).handlers(importing).observe(observer).archiving(inbox).start().use {
                repeat(2) { observer.succeeded() }
            }

            client.workflows.count(Scope.global()) shouldBe 1
        }
    })
