package io.runledger.exposed.definition

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.freshLedger
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.definition.DefinitionSetting
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.retry.RetryPolicy
import java.time.Duration
import java.util.concurrent.CompletableFuture

/** The effective values of a type when builds of several versions start and operators change it meanwhile. */
class DefinitionVersionsSpec :
    FunSpec({
        fun type(version: Int = 1, name: String = "mail", change: JobType.Builder<Json>.() -> Unit = {}): JobType<Json> =
            JobType.builder(name, Json::class.java).version(version).apply(change).build()

        fun TestLedger.row() = value("SELECT ctid, xmin, updated_at FROM runledger.job_definitions")

        val slow = RetryPolicy.fixed(Duration.ofMinutes(9))
        val today = type(2) { maxAttempts(5).priority(7).timeout(Duration.ofSeconds(50)).retryPolicy(slow) }
        val yesterday = type(1) { maxAttempts(3) }

        test("an older declaration changes nothing, and the sync says so") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.sync(listOf(today, type(1, "other")))
            val before = definitions.get("mail")

            val report = definitions.sync(listOf(yesterday, type(1, "other")))
            report.outdated() shouldContainExactly listOf("mail")
            report.unchanged() shouldContainExactly listOf("other")
            (report.inserted() + report.updated() + report.redeclared() + report.unused() + report.disabled()).shouldBeEmpty()
            definitions.declare(yesterday) shouldBe before
            definitions.syncExactly(listOf(type(1) { disabled() }), listOf("mail")).disabled().shouldBeEmpty()
            definitions.get("mail") shouldBe before

            definitions.sync(listOf(type(3) { maxAttempts(4) })).updated() shouldContainExactly listOf("mail")
            definitions.get("mail").let { it.version() to it.effective().maxAttempts() } shouldBe (3 to 4)
        }

        test("under one version the declaration that comes last counts, and shows") {
            val definitions = freshLedger().client.definitions
            definitions.sync(listOf(type { maxAttempts(3) }))
            definitions.get("mail").redeclaredAt().shouldBeNull()

            definitions.sync(listOf(type { maxAttempts(4) })).redeclared() shouldContainExactly listOf("mail")
            definitions.get("mail").let {
                it.effective().maxAttempts() shouldBe 4
                it.redeclaredAt().shouldNotBeNull()
            }
            definitions.sync(listOf(type { maxAttempts(4) })).redeclared().shouldBeEmpty()

            definitions.sync(listOf(type(2) { maxAttempts(4) })).redeclared().shouldBeEmpty()
            definitions.get("mail").redeclaredAt().shouldBeNull()
        }

        test("an operator's values outlive every sync, and a reset goes back to what was declared last") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            val patient = RetryPolicy.fixed(Duration.ofHours(1))
            definitions.sync(listOf(yesterday))
            val changed = definitions.change("mail", DefinitionChange.builder().maxAttempts(1).retryPolicy(patient).build())
            changed.overrides() shouldBe setOf(DefinitionSetting.MAX_ATTEMPTS, DefinitionSetting.RETRY_POLICY)
            changed.declared().let { it.maxAttempts() to it.retryPolicy() } shouldBe (3 to null)

            definitions.sync(listOf(today)).updated() shouldContainExactly listOf("mail")
            definitions.get("mail").let {
                it.effective().maxAttempts() shouldBe 1
                definitions.retryPolicyOf(it) shouldBe patient
                it.effective().priority() shouldBe 7
                it.effective().timeout() shouldBe Duration.ofSeconds(50)
                it.declared().maxAttempts() shouldBe 5
                it.declared().priority() shouldBe 7
                it.declared().timeout() shouldBe Duration.ofSeconds(50)
            }
            val row = ledger.row()
            definitions.sync(listOf(today)).unchanged() shouldContainExactly listOf("mail")
            ledger.row() shouldBe row
            definitions.change("mail", DefinitionChange.builder().timeout(Duration.ofSeconds(1)).priority(0).build())
            definitions.sync(listOf(today))
            definitions.get("mail").let { it.effective().timeout() to it.effective().priority() } shouldBe
                (Duration.ofSeconds(1) to 0)

            val reset = definitions.reset("mail")
            reset.overrides().shouldBeEmpty()
            reset.effective().maxAttempts() shouldBe 5
            reset.effective().priority() shouldBe 7
            reset.effective().timeout() shouldBe Duration.ofSeconds(50)
            definitions.retryPolicyOf(reset) shouldBe slow
            val still = ledger.row()
            definitions.reset("mail") shouldBe reset
            ledger.row() shouldBe still
        }

        test("a value that is the declared one already is an operator's word too") {
            val definitions = freshLedger().client.definitions
            definitions.sync(listOf(yesterday))
            definitions.change("mail", DefinitionChange.builder().maxAttempts(3).build()).overrides() shouldContain
                DefinitionSetting.MAX_ATTEMPTS
            definitions.sync(listOf(today))
            definitions.get("mail").effective().maxAttempts() shouldBe 3
        }

        test("a reset to a declaration without a retry policy has none") {
            val definitions = freshLedger().client.definitions
            definitions.sync(listOf(today))
            definitions.change("mail", DefinitionChange.builder().retryPolicy(RetryPolicy.standard()).build())
            definitions.sync(listOf(type(3)))
            definitions.get("mail").declared().retryPolicy().shouldBeNull()
            definitions.reset("mail").effective().retryPolicy().shouldBeNull()
        }

        test("a disabling outlives every sync until it is lifted, whichever way") {
            val definitions = freshLedger().client.definitions
            definitions.sync(listOf(yesterday))
            listOf<() -> Unit>({ definitions.enable("mail") }, { definitions.reset("mail") }).forEach { lift ->
                definitions.disable("mail").overrides() shouldBe setOf(DefinitionSetting.ENABLED)
                definitions.sync(listOf(yesterday))
                definitions.syncExactly(listOf(yesterday), listOf("mail"))
                definitions.get("mail").let { it.enabled() to it.declared().enabled() } shouldBe (false to true)
                lift()
                definitions.get("mail").let { it.enabled() to it.overrides() } shouldBe (true to emptySet())
            }
        }

        test("an enabling stands against code that disables, until it is reset") {
            val definitions = freshLedger().client.definitions
            val off = type(2) { disabled() }
            definitions.sync(listOf(off))
            definitions.enable("mail").enabled() shouldBe true
            definitions.sync(listOf(off)).disabled().shouldBeEmpty()
            definitions.syncExactly(listOf(type(1, "other")), listOf("mail", "other")).disabled().shouldBeEmpty()
            definitions.get("mail").enabled() shouldBe true
            definitions.reset("mail").enabled() shouldBe false
            definitions.sync(listOf(type(3))).updated() shouldContainExactly listOf("mail")
            definitions.get("mail").enabled() shouldBe true
        }

        test("a disabling of what code disables stands when code enables it") {
            val definitions = freshLedger().client.definitions
            definitions.sync(listOf(type(1) { disabled() }))
            definitions.disable("mail")
            definitions.sync(listOf(type(2)))
            definitions.get("mail").let { it.enabled() to it.declared().enabled() } shouldBe (false to true)
        }

        test("a reset that disables is refused while a schedule makes jobs of the type") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.sync(listOf(type(1) { disabled() }))
            definitions.enable("mail")
            ledger.run(
                "INSERT INTO runledger.job_schedules (name, job_type, interval_seconds, next_fire_at) VALUES ('m', 'mail', 60, now())",
            )
            shouldRefuse(ErrorCode.ACTIVE_SCHEDULE_EXISTS) { definitions.reset("mail") }
            definitions.get("mail").enabled() shouldBe true
        }

        test("a pause is no declaration's to lift, nor a reset's") {
            val definitions = freshLedger().client.definitions
            definitions.sync(listOf(yesterday))
            definitions.pause("mail")
            definitions.sync(listOf(today))
            definitions.reset("mail").paused() shouldBe true
        }

        test("an older sync that met a newer one in progress finds that it is outdated") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(listOf(yesterday))
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).definitions.sync(listOf(today))
                val older = CompletableFuture.supplyAsync {
                    ledger.client.definitions.sync(listOf(type(1) { maxAttempts(2).disabled() }))
                }
                ledger.awaitLockWait()
                connection.commit()
                older.get().let { (it.outdated() to it.disabled()) shouldBe (listOf("mail") to emptyList()) }
            }
            ledger.client.definitions.get("mail").let {
                listOf(it.version(), it.effective().maxAttempts(), it.enabled()) shouldContainExactly listOf(2, 5, true)
            }
        }

        test("builds of every version that start at once, beside an operator, end with the newest and the operator's word") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            definitions.sync(listOf(yesterday, type(1, "other")))
            repeat(10) { round ->
                racing(6) { thread ->
                    val version = 1 + (thread + round) % 5 + round
                    when (thread) {
                        5 -> definitions.change("mail", DefinitionChange.builder().maxAttempts(100 + round).build())

                        4 -> definitions.disable("other")

                        else -> definitions.sync(
                            listOf(type(version) { maxAttempts(version).priority(version) }, type(version, "other")),
                        )
                    }
                }
                val newest = (0..3).maxOf { 1 + (it + round) % 5 + round }
                definitions.get("mail").let {
                    it.effective().maxAttempts() shouldBe 100 + round
                    (it.version() >= newest) shouldBe true
                    it.effective().priority() shouldBe it.version()
                    it.declared().maxAttempts() shouldBe it.version()
                }
                definitions.get("other").enabled() shouldBe false
            }
        }
    })
