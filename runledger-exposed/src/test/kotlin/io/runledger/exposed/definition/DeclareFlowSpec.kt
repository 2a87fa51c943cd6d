package io.runledger.exposed.definition

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Ear
import io.runledger.model.error.ErrorCode
import io.runledger.model.flow.AfterDeadLetter
import io.runledger.model.flow.DefinedFlow
import io.runledger.model.flow.DefinedFlow.DefinedLimit
import io.runledger.model.flow.DefinedFlow.DefinedOrder
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.Limit
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import java.time.Duration
import java.util.concurrent.CompletableFuture

private data class Push(val customer: String?)

/** Job types with limits, order, shares and queues, synced to the ledger. */
class DeclareFlowSpec :
    FunSpec({
        fun type(name: String = "crm.push", version: Int = 1, declare: JobType.Builder<Push>.() -> Unit): JobType<Push> =
            JobType.builder(name, Push::class.java).version(version).apply(declare).build()

        fun permits(permits: Int): (Limit.Builder<Push>) -> Unit = { it.permits(permits) }

        fun TestLedger.limits(columns: String = "name, keyed_by, permits, declared_permits, is_changed") =
            rows("SELECT $columns FROM runledger.limits ORDER BY name")

        fun TestLedger.changes() = rows("SELECT name, permits, changed_by FROM runledger.limit_changes ORDER BY changed_at, name")

        test("the flow of a type and the values of its limits are stored and read back") {
            val ledger = freshLedger()
            val second = Duration.ofSeconds(1)
            val definition = ledger.client.definitions.declare(
                type {
                    limit("crm-api") { it.permits(8).rate(100, second) }
                    limit("crm-customer") { it.by(Push::customer).permits(1) }
                    limit("per-tenant") { it.byOrganization().rate(Rate.of(1, second).withBurst(0)) }
                    orderedBy(Push::customer) { it.named("customer").afterDeadLetter(AfterDeadLetter.GO_ON) }
                    fairByOrganization()
                    queue("crm")
                },
            )

            definition.flow() shouldBe DefinedFlow(
                "crm",
                listOf(
                    DefinedLimit("crm-api", KeyedBy.NONE),
                    DefinedLimit("crm-customer", KeyedBy.KEY),
                    DefinedLimit("per-tenant", KeyedBy.ORGANIZATION),
                ),
                DefinedOrder("customer", KeyedBy.KEY, AfterDeadLetter.GO_ON),
                KeyedBy.ORGANIZATION,
            )
            ledger.client.definitions.get("crm.push") shouldBe definition
            ledger.client.limits.get("crm-api").inForce() shouldBe LimitValues(8, Rate(100, second, 10))
            ledger.client.limits.get("crm-customer").keyedBy() shouldBe KeyedBy.KEY
            ledger.client.limits.get("per-tenant").declared() shouldBe LimitValues.rate(Rate(1, second, 0))
            ledger.value("SELECT flow FROM runledger.job_definitions") shouldBe
                """{"order": {"by": "KEY", "name": "customer", "holds": false}, "queue": "crm", "share": {"by": "ORGANIZATION"}, """ +
                """"limits": [{"by": "NONE", "name": "crm-api"}, {"by": "KEY", "name": "crm-customer"}, """ +
                """{"by": "ORGANIZATION", "name": "per-tenant"}]}"""
        }

        test("jobs of the declared type have its keys, and those of the request") {
            val ledger = freshLedger()
            val push = type {
                limit("crm-api", permits(8))
                limit("crm-customer") { it.by(Push::customer).permits(1) }
                orderedBy(Push::customer)
                queue("crm")
            }
            ledger.client.definitions.declare(push)
            ledger.client.jobs.enqueue(push, Push("42"))
            ledger.client.jobs.enqueueAll(listOf(JobRequest.builder(push, Push(null)).queue("urgent").shareKey("eu").build()))

            ledger.rows("SELECT queue, limit_keys, order_key, share_key FROM runledger.job_queue ORDER BY id") shouldContainExactly
                listOf("crm|{crm-api,crm-customer:42,queue:crm}|crm.push:42|", "urgent|{crm-api,queue:urgent}||eu")
            val refusal = shouldRefuse(ErrorCode.FLOW_KEY_MISSING) {
                ledger.client.jobs.enqueue(JobRequest.builder("crm.push", Json.NULL).build())
            }
            refusal.message shouldContain "crm-customer"
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) {
                ledger.client.jobs.enqueue(JobRequest.builder(push, Push("42")).limit("nobody").build())
            }
        }

        test("a keyed request with another flow is another request") {
            val ledger = freshLedger()
            val plain = type("plain") { }
            ledger.client.definitions.declare(plain)
            fun enqueue(settings: JobRequest.Builder.() -> Unit) =
                ledger.client.jobs.enqueue(JobRequest.builder(plain, Push("42")).idempotencyKey("k").apply(settings).build())

            enqueue { queue("a") }
            enqueue { queue("a") }.id() shouldBe enqueue { queue("a") }.id()
            shouldRefuse(ErrorCode.JOB_IDEMPOTENCY_CONFLICT) { enqueue { } }
            ledger.value("SELECT enqueue_request -> 'flow' FROM runledger.job_queue") shouldBe """{"queue": "a"}"""
        }

        test("a sync changes what is declared, and keeps what an operator has put in force") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.declare(type { limit("a", permits(1)) })
            definitions.declare(type { limit("a", permits(2)) })
            ledger.limits() shouldContainExactly listOf("a|NONE|2|2|f")
            ledger.client.actingAs("dana").limits.changePermits("a", 9)

            definitions.declare(type { limit("a", permits(3)) })
            ledger.limits() shouldContainExactly listOf("a|NONE|9|3|t")
            ledger.client.limits.reset("a").inForce().permits() shouldBe 3
            ledger.changes() shouldContainExactly listOf("a|1|", "a|2|", "a|9|dana", "a|3|")
        }

        test("a declaration that changes nothing writes nothing, and one that does tells the workers") {
            val ledger = freshLedger()
            val ear = autoClose(Ear(ledger))
            val declared = type { limit("a", permits(1)) }
            ear.heard { ledger.client.definitions.sync(listOf(declared)) } shouldContainExactly listOf("f:a")
            val before = ledger.limits("ctid, xmin") + ledger.rows("SELECT ctid, xmin FROM runledger.job_definitions")

            ear.heard { ledger.client.definitions.sync(listOf(declared)) }.shouldBeEmpty()
            ledger.changes().size shouldBe 1
            ledger.limits("ctid, xmin") + ledger.rows("SELECT ctid, xmin FROM runledger.job_definitions") shouldBe before
            ear.heard { ledger.client.definitions.sync(listOf(type { limit("a") { it.rate(1, Duration.ofDays(1)) } })) }
                .shouldContainExactly("f:a")
        }

        test("an older version of a type changes neither its flow nor its limits") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.declare(type(version = 2) { limit("a") { it.by(Push::customer).permits(1) } })

            definitions.sync(listOf(type(version = 1) { limit("a", permits(5)) })).outdated() shouldContainExactly listOf("crm.push")
            ledger.limits() shouldContainExactly listOf("a|KEY|1|1|f")
            definitions.declare(type(version = 3) { limit("a", permits(5)) })
            ledger.limits() shouldContainExactly listOf("a|NONE|5|5|f")
            definitions.declare(type(version = 4) { }).flow() shouldBe DefinedFlow.NONE
            ledger.value("SELECT flow IS NULL FROM runledger.job_definitions") shouldBe "t"
            ledger.limits().size shouldBe 1
        }

        test("types that disagree about a limit are refused, and nothing is written") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            val one = type("one") { limit("a", permits(1)) }
            listOf(
                type("two") { limit("a", permits(2)) },
                type("two") { limit("a") { it.byOrganization() } },
                type("two") { limit("a") { it.by(Push::customer).permits(1) } },
            ).forEach { other ->
                val refusal = shouldRefuse(ErrorCode.FLOW_LIMIT_CONFLICT) { definitions.sync(listOf(one, other)) }
                refusal.message shouldContain "'one', 'two'"
            }
            definitions.list().shouldBeEmpty()
            ledger.limits().shouldBeEmpty()

            definitions.sync(listOf(one, type("two") { limit("a", permits(1)) }, type("three") { limit("a") }))
            ledger.limits() shouldContainExactly listOf("a|NONE|1|1|f")
        }

        test("a limit that is only named must be declared, with the same kind of key") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            val naming = type("naming") { limit("a") }
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) { definitions.sync(listOf(naming)) }.message shouldContain "'a'"
            definitions.list().shouldBeEmpty()

            definitions.declare(type("declaring") { limit("a", permits(1)) })
            definitions.declare(naming).flow().limits() shouldContainExactly listOf(DefinedLimit("a", KeyedBy.NONE))
            shouldRefuse(ErrorCode.FLOW_LIMIT_CONFLICT) { definitions.declare(type("naming") { limit("a") { it.byOrganization() } }) }
            definitions.get("naming").flow().limits() shouldContainExactly listOf(DefinedLimit("a", KeyedBy.NONE))
        }

        test("a refused sync leaves the caller's transaction as it was") {
            val ledger = freshLedger()
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                val joined = ledger.client.within(connection)
                shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) {
                    joined.definitions.sync(listOf(type("one") { limit("a", permits(1)) }, type("two") { limit("b") }))
                }
                joined.definitions.declare(type("three") { limit("c", permits(1)) })
                connection.commit()
            }
            ledger.client.definitions.list().map { it.jobType() } shouldContainExactly listOf("three")
            ledger.limits("name") shouldContainExactly listOf("c")
        }

        test("the number of statements does not depend on the number of limits, and types without limits need none") {
            val counting = CountingDataSource(freshLedger().dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.definitions.list()
            val plain = counting.count { client.definitions.sync(List(3) { type("plain$it") { } }) }

            val one = counting.count { client.definitions.sync(listOf(type("one") { limit("a", permits(1)) })) }
            val many = counting.count {
                client.definitions.sync(
                    List(50) { place -> type("many$place") { repeat(4) { limit("limit-$place-$it", permits(1)) } } },
                )
            }
            many shouldBe one
            plain shouldBe one - 3
        }

        test("limits are locked in order of name, so that two syncs cannot deadlock") {
            val ledger = freshLedger()
            val types = listOf(type("one") { limit("b", permits(1)) }, type("two") { limit("a", permits(1)) })
            ledger.client.definitions.sync(types)
            ledger.dataSource.connection.use { holder ->
                holder.autoCommit = false
                holder.createStatement().use { it.execute("SELECT FROM runledger.limits WHERE name = 'a' FOR UPDATE") }
                val sync = CompletableFuture.supplyAsync { ledger.client.definitions.sync(types) }
                ledger.awaitLockWait()
                // The sync waits for a, and does not hold b.
                ledger.run("SELECT FROM runledger.limits WHERE name = 'b' FOR UPDATE NOWAIT")
                holder.rollback()
                sync.get().unchanged() shouldContainExactly listOf("one", "two")
            }
        }

        test("a sync that waits for an operator's change keeps it") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(type { limit("a", permits(1)) })
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).limits.changePermits("a", 0)
                val sync = CompletableFuture.supplyAsync { ledger.client.definitions.declare(type { limit("a", permits(7)) }) }
                ledger.awaitLockWait()
                connection.commit()
                sync.get().flow().order().shouldBeNull()
            }
            ledger.limits() shouldContainExactly listOf("a|NONE|0|7|t")
        }
    })
