package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger

/** JSON that the library does not store, written by hand. */
class UnreadableJobSpec :
    FunSpec({
        val tooDeep = "{\"a\":".repeat(600) + "1" + "}".repeat(600)

        listOf("payload", "checkpoint", "retry_policy").forEach { column ->
            test("a job whose $column cannot be read becomes a dead letter, and the jobs claimed with it run") {
                val ledger = freshLedger().apply { define("mail") }
                val (first, bad, last) = List(3) { ledger.enqueue().id() }
                ledger.run("UPDATE runledger.job_queue SET $column = '$tooDeep' WHERE id = '$bad'")

                ledger.claim().map { it.lease().jobId() }.sorted() shouldContainExactly listOf(first, last).sorted()

                ledger.value("SELECT status, last_error_code, attempt FROM runledger.job_queue WHERE id = '$bad'") shouldBe
                    "DEAD_LETTERED|job.invalid_payload|1"
                ledger.rows("SELECT event_type FROM runledger.job_events WHERE job_id = '$bad' ORDER BY id") shouldContainExactly
                    listOf("ENQUEUED", "LEASED", "FAILED", "DEAD_LETTERED")
            }
        }
    })
