package io.runledger.test

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.handlers
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import java.sql.Connection
import java.time.Duration
import java.time.Instant
import java.util.UUID
import javax.sql.DataSource

private val charge = JobType.builder(
    "charge",
    Int::class.javaObjectType,
).retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))).build()
private val ship = JobType.builder("ship", Json::class.java).retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))).build()

class CrashPointsSpec :
    FunSpec({
        fun Connection.pay(amount: Int) = prepareStatement("INSERT INTO payments (amount) VALUES (?)").use {
            it.setInt(1, amount)
            it.executeUpdate()
        }

        fun TestLedger.payments(): Int = dataSource.connection.use { connection ->
            connection.createStatement().executeQuery("SELECT count(*) FROM payments").use { rows ->
                rows.next().let { rows.getInt(1) }
            }
        }

        fun TestLedger.prepare() {
            dataSource.connection.use { it.createStatement().execute("CREATE TABLE payments (amount int NOT NULL)") }
            client.definitions.sync(listOf(charge, ship))
        }

        /** Pays and ends its job in one transaction. */
        fun paying(dataSource: DataSource) = handlers {
            blocking(charge) { job ->
                dataSource.connection.use { connection ->
                    connection.autoCommit = false
                    connection.pay(job.payload())
                    job.settleIn(connection)
                    connection.commit()
                }
                JobOutcome.succeeded()
            }
            on(ship) { }
        }

        test("a handler that settles in its own transaction pays once, wherever its process dies") {
            val points = CrashPoints.of { ledger ->
                ledger.prepare()
                ledger.client.jobs.enqueue(charge, 10)
            }.handlers(::paying).check { ledger -> ledger.payments() shouldBe 1 }

            points shouldBeGreaterThan 3
        }

        test("what is taken over is not waited for, however long its retry policy has it wait") {
            val patient = JobType.builder("patient", Json::class.java).retryPolicy(RetryPolicy.fixed(Duration.ofHours(1))).build()
            lateinit var job: UUID
            CrashPoints.of { ledger ->
                ledger.client.definitions.declare(patient)
                job = ledger.client.jobs.enqueue(patient, Json.EMPTY_OBJECT).id()
            }.handlers { handlers { on(patient) { } } }.check { ledger ->
                ledger.client.jobs.get(Scope.global(), job).status() shouldBe JobStatus.SUCCEEDED
            }
        }

        test("a workflow goes on where it was, wherever its process dies") {
            CrashPoints.of { ledger ->
                ledger.prepare()
                ledger.client.workflows.enqueue(
                    WorkflowRequest.builder("order").apply {
                        val paid = job("charge") { it.runs(charge, 10) }
                        job("ship") { it.runs(ship, Json.EMPTY_OBJECT).after(paid) }
                    }.build(),
                )
            }.handlers(::paying).check { ledger ->
                ledger.payments() shouldBe 1
                ledger.client.verify().runs() shouldBe 1
            }
        }

        test("a scheduled workflow is started once for its instant and goes on where it was, wherever its process dies") {
            val points = CrashPoints.of { ledger ->
                ledger.prepare()
                val order = WorkflowRequest.builder("order").apply {
                    val paid = job("charge") { it.runs(charge, 10) }
                    job("ship") { it.runs(ship, Json.EMPTY_OBJECT).after(paid) }
                }.build()
                ledger.client.schedules.upsert(
                    ScheduleRequest.builder("orders", order)
                        .every(Duration.ofDays(20_000))
                        .firstFireAt(Instant.parse("2026-01-01T00:00:00Z"))
                        .build(),
                )
            }.handlers(::paying).check { ledger ->
                ledger.payments() shouldBe 1
                ledger.client.verify().runs() shouldBe 1
                ledger.client.schedules.fires(Scope.global(), "orders").items().map { it.outcome() } shouldBe
                    listOf(FireOutcome.FIRED)
            }

            points shouldBeGreaterThan 5
        }

        test("a handler that pays in a transaction of its own is found out, and the point is named") {
            fun careless(dataSource: DataSource) = handlers {
                blocking(charge) { job ->
                    dataSource.connection.use { it.pay(job.payload()) }
                    JobOutcome.succeeded()
                }
            }
            val points = CrashPoints.of { ledger ->
                ledger.prepare()
                ledger.client.jobs.enqueue(charge, 10)
            }.handlers(::careless)
            val once = { ledger: TestLedger -> ledger.payments() shouldBe 1 }

            val found = shouldThrow<AssertionError> { points.check { once(it) } }

            found.message.orEmpty() shouldContain "crash point"
            val point = Regex("crash point (\\d+)").find(found.message.orEmpty())!!.groupValues[1].toInt()
            shouldThrow<AssertionError> { points.only(point).check { once(it) } }
        }
    })
