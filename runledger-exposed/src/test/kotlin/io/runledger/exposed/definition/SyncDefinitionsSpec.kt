package io.runledger.exposed.definition

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.definition.DefinitionSync
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import java.time.Duration

class SyncDefinitionsSpec :
    FunSpec({
        fun type(name: String, change: JobType.Builder<Json>.() -> Unit = {}): JobType<Json> =
            JobType.builder(name, Json::class.java).apply(change).build()

        fun TestLedger.versions() =
            rows("SELECT job_type, ctid, xmin, updated_at FROM runledger.job_definitions ORDER BY job_type")

        fun TestLedger.schedule(jobType: String, isActive: Boolean = true) = run(
            """INSERT INTO runledger.job_schedules (name, job_type, interval_seconds, next_fire_at, is_active)
                VALUES ('every minute $jobType', '$jobType', 60, now(), $isActive)""",
        )

        fun synced(
            inserted: List<String> = listOf(),
            updated: List<String> = listOf(),
            unchanged: List<String> = listOf(),
            redeclared: List<String> = listOf(),
            unused: List<String> = listOf(),
            disabled: List<String> = listOf(),
        ) = DefinitionSync(inserted, updated, unchanged, listOf(), redeclared, unused, disabled)

        test("a declared type is stored with its defaults and read back") {
            val ledger = freshLedger()
            val policy = RetryPolicy.builder().rule(RetryRule.onCode("mail.bounced").giveUp()).build()
            val definition = ledger.client.definitions.declare(
                type("mail.send") {
                    version(3)
                    maxAttempts(2)
                    timeout(Duration.ofSeconds(7))
                    priority(-5)
                    retryPolicy(policy)
                },
            )

            definition.version() shouldBe 3
            definition.effective().maxAttempts() shouldBe 2
            definition.effective().timeout() shouldBe Duration.ofSeconds(7)
            definition.effective().priority() shouldBe -5
            definition.enabled() shouldBe true
            definition.paused() shouldBe false
            ledger.client.definitions.retryPolicyOf(definition) shouldBe policy
            ledger.client.definitions.find("mail.send") shouldBe definition
            ledger.value("SELECT retry_policy ->> 'backoff' FROM runledger.job_definitions") shouldBe "exponential"
        }

        test("a type without a policy has the standard one, and the table's defaults are those of the declaration") {
            val ledger = freshLedger()
            ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('by.hand')")
            val definition = ledger.client.definitions.get("by.hand")

            definition.effective().retryPolicy().shouldBeNull()
            ledger.client.definitions.retryPolicyOf(definition) shouldBe RetryPolicy.standard()
            ledger.client.definitions.sync(listOf(type("by.hand"))).unchanged() shouldContainExactly listOf("by.hand")
        }

        test("a policy that somebody broke by hand is refused when it is read, not when its type is listed") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(type("a"))
            ledger.run("""UPDATE runledger.job_definitions SET retry_policy = '{"backoff":"sometimes"}'""")
            val definition = ledger.client.definitions.list().single()

            shouldRefuse(ErrorCode.INVALID_RETRY_POLICY) { ledger.client.definitions.retryPolicyOf(definition) }
        }

        test("declaring again what is stored writes nothing") {
            val ledger = freshLedger()
            val types =
                listOf(type("a"), type("b") { retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(3))) }, type("c") { disabled() })
            ledger.client.definitions.sync(types).inserted() shouldContainExactly listOf("a", "b", "c")
            val before = ledger.versions()

            ledger.client.definitions.sync(types.reversed()) shouldBe
                synced(unchanged = listOf("a", "b", "c"))
            types.forEach { ledger.client.definitions.declare(it) }
            ledger.versions() shouldBe before
        }

        test("a catalogue inserts, updates, leaves alone and names what it does not use") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(listOf(type("old"), type("same"), type("changed")))
            val same = ledger.versions().single { it.startsWith("same|") }

            val catalogue = listOf(type("same"), type("changed") { priority(1) }, type("new"), type("off") { disabled() })
            ledger.client.definitions.sync(catalogue) shouldBe
                synced(
                    inserted = listOf("new", "off"),
                    updated = listOf("changed"),
                    unchanged = listOf("same"),
                    redeclared = listOf("changed"),
                    unused = listOf("old"),
                )
            ledger.versions().single { it.startsWith("same|") } shouldBe same
            ledger.client.definitions.get("changed").effective().priority() shouldBe 1
            ledger.client.definitions.get("old").enabled() shouldBe true
        }

        test("every declared default that differs is written") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.declare(type("t"))
            listOf<JobType.Builder<Json>.() -> Unit>(
                { },
                { maxAttempts(2) },
                { timeout(Duration.ofSeconds(2)) },
                { priority(2) },
                { retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(2))) },
                { },
            ).forEach { change ->
                definitions.sync(listOf(type("t") { version(2).change() })).updated() shouldContainExactly listOf("t")
            }
            definitions.get("t").effective().retryPolicy().shouldBeNull()
        }

        test("an operator's switches outlive a restart, and code that says disabled wins over enabled") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.sync(listOf(type("a"), type("b")))
            definitions.disable("a")
            definitions.pause("b")

            definitions.sync(listOf(type("a") { version(2) }, type("b") { version(2) })).updated() shouldContainExactly
                listOf("a", "b")
            definitions.get("a").enabled() shouldBe false
            definitions.get("b").paused() shouldBe true

            val report = definitions.sync(listOf(type("a") { version(2) }, type("b") { version(2).disabled() }))
            report shouldBe
                synced(updated = listOf("b"), unchanged = listOf("a"), redeclared = listOf("b"), disabled = listOf("b"))
            definitions.get("b").enabled() shouldBe false
        }

        test("an empty catalogue, an empty scope and a contradictory catalogue are refused before anything happens") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            shouldRefuse(ErrorCode.EMPTY_JOB_TYPE_LIST) { definitions.sync(listOf()) }
            shouldRefuse(ErrorCode.EMPTY_JOB_TYPE_LIST) { definitions.syncExactly(listOf(), listOf("a")) }
            shouldRefuse(ErrorCode.EMPTY_JOB_TYPE_LIST) { definitions.syncExactly(listOf(type("a")), listOf()) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { definitions.syncExactly(listOf(type("a")), listOf("b")) }
                .message shouldContain "'a'"
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { definitions.sync(listOf(type("a"), type("a") { version(2) })) }
            definitions.list().shouldBeEmpty()
            definitions.sync(listOf(type("a"), type("a"))).inserted() shouldContainExactly listOf("a")
        }

        test("an exact catalogue disables what is absent within its scope only, brings it back, and keeps an operator's word") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.sync(
                listOf(
                    type("mine"),
                    type("mine.too"),
                    type("mine.old"),
                    type("theirs"),
                    type("mine.off") {
                        disabled()
                    },
                ),
            )
            definitions.disable("mine")
            definitions.pause("mine")
            definitions.enable("mine.off")
            val scope = listOf("mine", "mine.too", "mine.old", "mine.off", "never.heard.of")
            val catalogue = listOf(type("mine"), type("mine.too"))

            definitions.syncExactly(catalogue, scope) shouldBe synced(
                unchanged = listOf("mine", "mine.too"),
                unused = listOf("mine.off", "mine.old", "theirs"),
                disabled = listOf("mine.old"),
            )
            definitions.list().filter { it.enabled() }.map { it.jobType() } shouldContainExactly
                listOf("mine.off", "mine.too", "theirs")
            definitions.get("mine").paused() shouldBe true
            definitions.syncExactly(catalogue, scope).disabled().shouldBeEmpty()

            definitions.syncExactly(catalogue + type("mine.old"), scope).updated() shouldContainExactly listOf("mine.old")
            definitions.get("mine.old").enabled() shouldBe true
        }

        test("a type with an active schedule is not disabled, neither as absent nor as declared, and nothing else is written") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.sync(listOf(type("a"), type("b")))
            ledger.schedule("b")
            val before = ledger.versions()

            val refusal = shouldRefuse(ErrorCode.ACTIVE_SCHEDULE_EXISTS) {
                definitions.syncExactly(listOf(type("a") { version(2) }), listOf("a", "b"))
            }
            refusal.message shouldContain "'b'"
            refusal.internalMessage() shouldContain "every minute b"
            shouldRefuse(ErrorCode.ACTIVE_SCHEDULE_EXISTS) {
                definitions.sync(listOf(type("a") { version(2) }, type("b") { disabled() }))
            }
            shouldRefuse(ErrorCode.ACTIVE_SCHEDULE_EXISTS) { definitions.declare(type("b") { disabled() }) }
            shouldRefuse(ErrorCode.ACTIVE_SCHEDULE_EXISTS) { definitions.disable("b") }
            ledger.versions() shouldBe before

            ledger.run("UPDATE runledger.job_schedules SET is_active = false")
            definitions.syncExactly(listOf(type("a")), listOf("a", "b")).disabled() shouldContainExactly listOf("b")
        }

        test("a catalogue of a thousand types takes as many statements as one of a single type") {
            val ledger = freshLedger()
            val counting = CountingDataSource(ledger.dataSource)
            val definitions = RunledgerClient.create(counting.dataSource).definitions
            val types = (1..1_000).map { JobType.json("t$it") }
            val disabled = types.map { JobType.builder(it.name(), Json::class.java).disabled().build() }
            definitions.list()

            counting.count { definitions.sync(types).inserted() shouldHaveSize 1_000 } shouldBe 2
            counting.count { definitions.sync(types).unchanged() shouldHaveSize 1_000 } shouldBe 2
            counting.count { definitions.sync(disabled).disabled() shouldHaveSize 1_000 } shouldBe 5
            counting.count { definitions.sync(disabled.take(1)).unchanged() shouldHaveSize 1 } shouldBe 3
        }

        test("a joined sync happens with the caller's transaction or not at all") {
            val ledger = freshLedger()
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).definitions.sync(listOf(type("a")))
                shouldRefuse(ErrorCode.EMPTY_JOB_TYPE_LIST) { ledger.client.within(connection).definitions.sync(listOf()) }
                ledger.client.definitions.list().shouldBeEmpty()
                ledger.client.within(connection).definitions.get("a").version() shouldBe 1
                connection.rollback()
            }
            ledger.client.definitions.list().shouldBeEmpty()
        }
    })
