package io.runledger.exposed.settle

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration

private val success = Verdict.Succeed(null)

/** A temporary fault in the middle of a call does not undo the rows that the call has already written. */
class PassingFailureSpec :
    FunSpec({
        /** The database refuses to write attempts of these jobs with these states. */
        fun TestLedger.fail(vararg states: Pair<ClaimedJob, String>) = run(
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE state text; BEGIN
                state := '${Json.of(
                states.joinToString(",", "{", "}") { (job, state) ->
                    "\"${job.lease().jobId()}\":\"$state\""
                },
            ).text()}'::jsonb ->> NEW.job_id::text;
                IF state IS NOT NULL THEN RAISE EXCEPTION 'not now' USING ERRCODE = state; END IF;
                RETURN NEW;
            END $$
            """,
            "CREATE TRIGGER fail BEFORE INSERT ON runledger.job_attempts FOR EACH ROW EXECUTE FUNCTION fail()",
        )

        fun TestLedger.failNoMore() = run("DROP TRIGGER fail ON runledger.job_attempts")

        test("beside a refused row a full disk refuses nothing: the rest is to be settled again") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(8) { ledger.enqueue() }
            val jobs = ledger.claim().sortedBy { it.lease().jobId().toString() }
            ledger.fail(jobs[1] to "23514", jobs[6] to "53100")
            fun settle(all: List<ClaimedJob>) = ledger.client.leases.settle(all.associate { it.lease() to success })

            val settled = settle(jobs)

            settled.take(4).map { it.result() } shouldContainExactly
                listOf(Result.SUCCEEDED, Result.REFUSED, Result.SUCCEEDED, Result.SUCCEEDED)
            settled.drop(4).map { it.result() } shouldContainExactly List(4) { Result.BUSY }
            settled[1].refusal()?.code() shouldBe ErrorCode.DB_RULE
            settled.drop(4).map { it.refusal()?.code() }.distinct() shouldContainExactly listOf(ErrorCode.DB_OUT_OF_RESOURCES)

            ledger.failNoMore()
            settle(jobs.drop(4)).map { it.result() } shouldContainExactly List(4) { Result.SUCCEEDED }
        }

        test("what was written before another part failed is told, the other part is to be settled again") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(2) { ledger.enqueue() }
            val (retried, parked) = ledger.claim()
            ledger.client.workflows.enqueue(
                WorkflowRequest.builder("flow").apply { job("only") { it.runs("mail", Json.EMPTY_OBJECT) } }.build(),
            )
            val step = ledger.claim().single()
            val broken = JobFailure.retryable("smtp.down", "no answer")
            ledger.fail(step to "58030")

            val settled = ledger.client.leases.settle(
                mapOf(
                    retried.lease() to Verdict.Retry(broken, Duration.ofDays(1), null),
                    parked.lease() to Verdict.DeadLetter(broken, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
                    step.lease() to success,
                ),
            )

            settled.map { it.result() } shouldContainExactly listOf(Result.RETRY_SCHEDULED, Result.DEAD_LETTERED, Result.BUSY)
            ledger.failNoMore()
            ledger.client.leases.settle(mapOf(step.lease() to success)).single().result() shouldBe Result.SUCCEEDED
        }

        test("a fault that leaves nothing written is thrown") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(2) { ledger.enqueue() }
            val jobs = ledger.claim()
            ledger.fail(jobs[0] to "53200")

            shouldRefuse(ErrorCode.DB_OUT_OF_RESOURCES) {
                ledger.client.leases.settle(jobs.associate { it.lease() to success })
            }
        }
    })
