package io.runledger.exposed.definition

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Rewriting
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.freshLedger
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import java.sql.Connection
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException

/**
 * Disables a type while an enqueue or a schedule runs, which it must stop. Each race is run in the one order that matters, step by
 * step, after the server has reported that the second session waits; then again with a weaker lock, to show that the lock
 * prevents the damage.
 */
class DisableRaceSpec :
    FunSpec({
        val mail = JobType.json("mail")

        fun TestLedger.joined(work: (Connection) -> Unit) = dataSource.connection.use { connection ->
            connection.autoCommit = false
            work(connection)
        }

        fun codeOf(call: CompletableFuture<*>): ErrorCode? = try {
            call.get()
            null
        } catch (failure: ExecutionException) {
            (failure.cause as RunledgerException).code()
        }

        /** Disables the type without committing, lets [client] enqueue until it waits, commits, and says how the enqueue ended. */
        fun TestLedger.enqueueDuringDisable(client: RunledgerClient): ErrorCode? {
            this.client.definitions.declare(mail)
            var answer: ErrorCode? = null
            joined { connection ->
                this.client.within(connection).definitions.disable("mail")
                val enqueue = CompletableFuture.supplyAsync { client.jobs.enqueue(mail, Json.EMPTY_OBJECT) }
                awaitLockWait()
                connection.commit()
                answer = codeOf(enqueue)
            }
            return answer
        }

        test("an enqueue that met a disable in progress adds no job to the disabled type") {
            val ledger = freshLedger()

            ledger.enqueueDuringDisable(ledger.client) shouldBe ErrorCode.DEFINITION_UNAVAILABLE

            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "0"
        }

        test("without its lock on the definition the enqueue would not wait, and add the job") {
            val ledger = freshLedger()
            val weaker = Rewriting(ledger.dataSource, "FOR KEY SHARE", "")
            ledger.client.definitions.declare(mail)

            ledger.joined { connection ->
                ledger.client.within(connection).definitions.disable("mail")
                RunledgerClient.create(weaker).jobs.enqueue(mail, Json.EMPTY_OBJECT)
                connection.commit()
            }

            weaker.rewritten shouldBe 1
            ledger.value(
                "SELECT d.is_enabled FROM runledger.job_queue JOIN runledger.job_definitions d USING (job_type)",
            ) shouldBe
                "f"
        }

        val newSchedule = "INSERT INTO runledger.job_schedules (name, job_type, interval_seconds, next_fire_at) " +
            "VALUES ('hourly', 'mail', 3600, now())"

        test("a disable that met a schedule in the making is refused") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            ledger.joined { connection ->
                connection.createStatement().use { it.execute(newSchedule) }
                val disable = CompletableFuture.supplyAsync { ledger.client.definitions.disable("mail") }
                ledger.awaitLockWait()
                connection.commit()
                codeOf(disable) shouldBe ErrorCode.ACTIVE_SCHEDULE_EXISTS
            }
            ledger.client.definitions.get("mail").enabled() shouldBe true
        }

        test("with the lock of an ordinary update the disable would not wait, and leave an active schedule without its type") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            val weaker = Rewriting(ledger.dataSource, "FOR UPDATE", "FOR NO KEY UPDATE")
            ledger.joined { connection ->
                connection.createStatement().use { it.execute(newSchedule) }
                RunledgerClient.create(weaker).definitions.disable("mail")
                connection.commit()
            }

            weaker.rewritten shouldBe 1
            ledger.value(
                "SELECT s.is_active, d.is_enabled FROM runledger.job_schedules s JOIN runledger.job_definitions d USING (job_type)",
            ) shouldBe "t|f"
        }
    })
