package io.runledger.exposed.await

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainOnly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.freshLedger
import io.runledger.exposed.signal.Heard
import io.runledger.exposed.signal.Signal
import io.runledger.exposed.until
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ForkJoinPool

class AwaitRunsSpec :
    FunSpec({
        val ledger = freshLedger()
        val signals = ledger.client.signals
        val everything = Scope.everything()
        val minute = Duration.ofMinutes(1)
        val blink = Duration.ofMillis(1)

        test("a signal brings the result, though nobody looks before the time is up") {
            val connections = CountedConnections(ledger.dataSource)
            val run = ledger.startRun()
            val result = awaits(connections, signals).awaitResult<Int>(everything, run, Int::class.java, minute)
            connections.await(2)

            ledger.endRun(run)
            ledger.tell(run)

            result.outcome() shouldBe 42
        }

        test("looking brings the end when no signal does") {
            val run = ledger.startRun()
            val end = awaits(ledger.dataSource, interval = Duration.ofMillis(5)).await(everything, run, null)
            ledger.endRun(run, "CANCELED", result = null)
            end.outcome().status() shouldBe WorkflowRunStatus.CANCELED
        }

        test("a zero timeout looks exactly once") {
            val connections = CountedConnections(ledger.dataSource)
            val awaits = awaits(connections, signals, interval = blink)
            val run = ledger.startRun()
            awaits.await(everything, run, Duration.ZERO).refusal() shouldBe ErrorCode.RESULT_TIMEOUT
            connections.count shouldBe 1
            ledger.endRun(run)
            awaits.await(everything, run, Duration.ofSeconds(-1)).outcome().id() shouldBe run
            connections.count shouldBe 2
        }

        test("huge durations neither overflow nor hang") {
            val huge = Duration.ofSeconds(Long.MAX_VALUE)
            val run = ledger.startRun()
            val connections = CountedConnections(ledger.dataSource)
            val end = awaits(connections, signals, interval = huge, patience = huge).await(everything, run, huge)
            connections.await(2)
            ledger.endRun(run)
            ledger.tell(run)
            end.outcome().id() shouldBe run
        }

        test("a result that cannot come is refused as soon as that is known, each with its code") {
            val awaits = awaits(ledger.dataSource)

            fun refusal(run: UUID) = awaits.awaitResult<Int>(everything, run, Int::class.java, null).refusal()

            val plain = ledger.startRun(resultStep = null)
            refusal(plain) shouldBe ErrorCode.RESULT_NOT_DECLARED
            ledger.endRun(plain, result = null)
            refusal(plain) shouldBe ErrorCode.RESULT_NOT_DECLARED
            refusal(ledger.startRun().also { ledger.endRun(it, result = null) }) shouldBe ErrorCode.RESULT_MISSING
            listOf("COMPLETED_WITH_ERRORS", "CANCELED").forEach { status ->
                refusal(ledger.startRun().also { ledger.endRun(it, status, null) }) shouldBe ErrorCode.RESULT_UNSUCCESSFUL
            }
            refusal(ledger.startRun().also { ledger.endRun(it, result = """{"a": 1}""") }) shouldBe ErrorCode.INVALID_PAYLOAD
            refusal(UUID.randomUUID()) shouldBe ErrorCode.RUN_NOT_FOUND
        }

        test("the JSON value null is a result") {
            val run = ledger.startRun().also { ledger.endRun(it, result = "null") }
            awaits(ledger.dataSource).awaitResult<String>(everything, run, String::class.java, minute).outcome() shouldBe null
        }

        test("a pool of one connection is not starved by those who wait") {
            val pool = autoClose(ledger.pool(1))
            val client = RunledgerClient.create(pool)
            val awaits = awaits(pool, client.signals, interval = Duration.ofMillis(5))
            val (ending, going) = List(2) { ledger.startRun() }
            val result = awaits.await(everything, ending, minute)
            awaits.await(everything, going, Duration.ofMillis(50)).refusal() shouldBe ErrorCode.RESULT_TIMEOUT
            pool.connection.use { it.isValid(1) shouldBe true }
            ledger.endRun(ending)
            result.outcome().id() shouldBe ending
        }

        test("the time is up when it is up, though no connection can be had to look") {
            val pool = autoClose(ledger.pool(1, Duration.ofMinutes(10)))
            val run = ledger.startRun()
            pool.connection.use {
                awaits(pool, patience = blink).await(everything, run, blink).refusal() shouldBe ErrorCode.RESULT_TIMEOUT
            }
        }

        test("what was committed before the time was up is seen by the last look") {
            val connections = CountedConnections(ledger.dataSource)
            val run = ledger.startRun()
            val result = awaits(connections).await(everything, run, Duration.ofSeconds(3))
            connections.await(1)
            ledger.endRun(run)
            result.outcome().id() shouldBe run
            connections.count shouldBe 2
        }

        test("the last look is made also when the one before got no connection") {
            val pool = autoClose(ledger.pool(1, Duration.ofMillis(250)))
            val run = ledger.startRun()
            val connections = CountedConnections(pool)
            val held = pool.connection
            val result = awaits(connections).await(everything, run, Duration.ofSeconds(5))
            connections.awaitRefusal()
            held.close()
            ledger.endRun(run)
            result.outcome().id() shouldBe run
        }

        test("signals of other runs make nobody look") {
            val connections = CountedConnections(ledger.dataSource)
            val (run, other) = List(2) { ledger.startRun() }
            val end = awaits(connections, signals).await(everything, run, null)
            connections.await(2)
            val heard = Heard()
            signals.subscribe(heard).use {
                repeat(10) {
                    ledger.tell(other)
                    heard.await(Signal.EndedRun(other))
                }
            }
            ledger.endRun(run)
            ledger.tell(run)
            end.outcome().id() shouldBe run
            connections.count shouldBe 3
        }

        test("the scope decides who sees the run") {
            val awaits = awaits(ledger.dataSource)
            val tenant = UUID.randomUUID()
            val run = ledger.startRun(organization = tenant).also { ledger.endRun(it) }
            listOf(Scope.global(), Scope.organization(UUID.randomUUID())).forEach {
                awaits.await(it, run, minute).refusal() shouldBe ErrorCode.RUN_NOT_FOUND
                awaits.awaitResult<Int>(it, run, Int::class.java, minute).refusal() shouldBe ErrorCode.RUN_NOT_FOUND
            }
            awaits.await(Scope.organization(tenant), run, minute).outcome().id() shouldBe run
            awaits.await(everything, run, minute).outcome().id() shouldBe run
        }

        test("however many wait, one statement looks for all of them") {
            val pool = autoClose(ledger.pool(1))
            val connections = CountedConnections(pool)
            val awaits = awaits(connections)
            val runs = List(50) { ledger.startRun() }.onEach { ledger.endRun(it) }
            val held = pool.connection
            val waiting = (runs + runs).map { awaits.await(everything, it, minute) }
            held.close()
            waiting.map { it.outcome().status() } shouldContainOnly setOf(WorkflowRunStatus.SUCCEEDED)
            connections.count shouldBe 1
        }

        test("a canceled future waits no more, and the others go on") {
            val awaits = awaits(ledger.dataSource, signals)
            val run = ledger.startRun()
            val (canceled, kept) = List(2) { awaits.await(everything, run, null) }
            canceled.cancel(true)
            ledger.endRun(run)
            ledger.tell(run)
            kept.outcome().id() shouldBe run

            val connections = CountedConnections(ledger.dataSource)
            awaits(connections, signals).await(everything, ledger.startRun(), null).also { connections.await(2) }.cancel(true)
            val listeners = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
            until("nobody listens") { ledger.value(listeners) == "0" }
        }

        test("whoever takes long over one end does not keep the others waiting") {
            val awaits = awaits(ledger.dataSource)
            val run = ledger.startRun().also { ledger.endRun(it) }
            val done = CountDownLatch(1)
            val slow = awaits.await(everything, run, minute).thenAccept { done.await() }
            awaits.await(everything, run, minute).outcome().id() shouldBe run
            done.countDown()
            slow.outcome()
        }

        test("code that blocks every thread of the common pool holds no future up") {
            val run = ledger.startRun().also { ledger.endRun(it) }
            val done = CountDownLatch(1)
            val pool = ForkJoinPool.commonPool()
            repeat(maxOf(pool.parallelism, 1)) { pool.execute { done.await() } }

            awaits(ledger.dataSource).await(everything, run, minute).outcome().id() shouldBe run

            done.countDown()
        }

        test("a run that is deleted is not waited for any longer") {
            val connections = CountedConnections(ledger.dataSource)
            val run = ledger.startRun(resultStep = null)
            val end = awaits(connections, interval = blink).await(everything, run, null)
            connections.await(1)
            ledger.run("DELETE FROM runledger.workflow_runs WHERE id = '$run'")
            end.refusal() shouldBe ErrorCode.RUN_NOT_FOUND
        }

        test("trouble that does not pass ends the waiting") {
            awaits(ledger.asRole()).await(everything, ledger.startRun(), null).refusal() shouldBe ErrorCode.PERMISSION_DENIED
        }
    })
