package io.runledger.coroutines

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import kotlinx.coroutines.CompletableDeferred
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CountDownLatch

private val bake = JobType.builder("bake", Int::class.javaObjectType).retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))).build()

/** A temporary fault of the database loses no finished work, and a fault of one row does not affect others. */
class PassingFaultsSpec :
    FunSpec({
        /** The first [times] writes of attempts fail with [state]. A sequence counts them, because it is not rolled back. */
        fun TestLedger.failing(state: String, times: Int) {
            run("CREATE SEQUENCE faults")
            run(
                """
                CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF nextval('public.faults') <= $times THEN RAISE EXCEPTION 'not now' USING ERRCODE = '$state'; END IF;
                    RETURN NULL;
                END $$
                """,
            )
            run("CREATE TRIGGER fail BEFORE INSERT ON runledger.job_attempts EXECUTE FUNCTION fail()")
        }

        fun TestLedger.firstAttempts(vararg ids: UUID) = ids.forEach { id ->
            job(id).status() shouldBe JobStatus.SUCCEEDED
            job(id).attempt() shouldBe 1
        }

        mapOf(
            "57014" to "a canceled statement",
            "53100" to "a full disk",
            "53200" to "too little memory",
            "53300" to "too many connections",
            "58030" to "an I/O error",
            "XX000" to "an internal error",
            "42501" to "a privilege that was taken away for a while",
        ).forEach { (state, name) ->
            test("$name ($state) loses no success") {
                val ledger = freshLedger()
                ledger.define(bake)
                ledger.failing(state, times = 3)
                val ids = Array(5) { ledger.enqueue(bake, it) }

                val report = working(ledger.client, handlers { on(bake) { it.payload() } }) { witness ->
                    ids.forEach { witness.await("succeeded", it) }
                    witness.told.map { it.what } shouldNotContain "lost"
                }

                ledger.firstAttempts(*ids)
                report.finished shouldBe 5
            }
        }

        test(
            "a statement timeout of the pool beside an open transaction that cancels a job loses no success",
        ) {
            val ledger = freshLedger()
            ledger.define(bake)
            val pool = autoClose(
                HikariDataSource(
                    HikariConfig().apply {
                        dataSource = ledger.database.dataSource()
                        connectionInitSql = "SET statement_timeout = '250ms'"
                    },
                ),
            )
            val begun = CompletableDeferred<Unit>()
            val go = CountDownLatch(1)
            val handlers = handlers {
                blocking(bake) { job ->
                    if (job.payload() == 0) {
                        begun.complete(Unit)
                        go.await()
                    }
                    JobOutcome.succeeded()
                }
            }
            val held = ledger.enqueue(bake, 0)

            working(ledger.clientOn(pool), handlers) { witness ->
                begun.await()
                ledger.database.connect().use { host ->
                    host.autoCommit = false
                    ledger.client.within(host).jobs.cancel(Scope.everything(), held)
                    go.countDown()
                    // Its ending waits to be written already, so it is tried before, or together with, those that come now.
                    val others = List(3) { ledger.enqueue(bake, 1).also { witness.await("succeeded", it) } }
                    ledger.firstAttempts(*others.toTypedArray())
                    ledger.job(held).status() shouldBe JobStatus.LEASED
                    host.rollback()
                }
                witness.await("succeeded", held)
                witness.told.map { it.what } shouldNotContain "lost"
            }

            ledger.firstAttempts(held)
        }

        test("an open transaction that enqueued the key of a running job again keeps no ending waiting") {
            val ledger = freshLedger()
            ledger.define(bake)
            val begun = CompletableDeferred<Unit>()
            val go = CountDownLatch(1)
            val handlers = handlers {
                blocking(bake) { job ->
                    if (job.payload() == 0) {
                        begun.complete(Unit)
                        go.await()
                        JobOutcome.failed("oven.cold", "no heat")
                    } else {
                        JobOutcome.succeeded()
                    }
                }
            }
            val request = JobRequest.builder(bake.name(), Json.of("0")).idempotencyKey("loaf").build()
            val keyed = ledger.client.jobs.enqueue(request).id()

            working(ledger.client, handlers) { witness ->
                begun.await()
                ledger.database.connect().use { host ->
                    host.autoCommit = false
                    ledger.client.within(host).jobs.enqueue(request).id() shouldBe keyed
                    go.countDown()
                    witness.await("dead-lettered", keyed)
                    val other = ledger.enqueue(bake, 1)
                    witness.await("succeeded", other)
                    host.rollback()
                }
            }
        }

        test(
            "a handler that has settled, hangs beyond its timeout and ignores interruption keeps no ending waiting but its own",
        ) {
            val ledger = freshLedger()
            ledger.define(bake)
            val go = CountDownLatch(1)
            val handlers = handlers {
                blocking(bake) { job ->
                    if (job.payload() == 0) {
                        ledger.pool.connection.use { connection ->
                            connection.autoCommit = false
                            job.settleIn(connection)
                            while (go.count > 0) runCatching { go.await() }
                            connection.commit()
                        }
                    }
                    JobOutcome.succeeded()
                }
            }
            val stuck = ledger.enqueue(bake, 0) { timeout(Duration.ofSeconds(1)) }

            working(ledger.client, handlers, quick { stopGrace(Duration.ofMillis(10)) }) { witness ->
                witness.await("stuck", stuck)
                val others = List(3) { ledger.enqueue(bake, 1).also { witness.await("succeeded", it) } }
                ledger.job(stuck).status() shouldBe JobStatus.LEASED
                go.countDown()
                witness.await("succeeded", stuck)
                ledger.firstAttempts(stuck, *others.toTypedArray())
                witness.of(stuck).filter { it in setOf("lost", "retried") } shouldContainExactly emptyList()
            }
        }
    })
