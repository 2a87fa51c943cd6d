package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.util.concurrent.CompletableFuture

/** The effective values of a schedule when builds of several versions start and operators change it meanwhile. */
class ScheduleVersionsSpec :
    FunSpec({
        val ledger = freshLedger()
        val schedules = ledger.client.schedules
        val global = Scope.global()

        beforeSpec { ledger.define("report", "mail") }
        beforeTest { ledger.run("DELETE FROM runledger.job_schedules") }

        fun request(version: Int = 1, hours: Long = 1, name: String = "s", type: String = "report", isActive: Boolean = true) =
            ScheduleRequest.builder(
                name,
                type,
                Json.EMPTY_OBJECT,
            ).every(Duration.ofHours(hours)).version(version).active(isActive)
                .build()

        fun stored(name: String = "s") = checkNotNull(schedules.get(name, global))

        test("an older declaration changes nothing, and the answer says so") {
            schedules.sync(listOf(request(2, hours = 5)), global).outdated().shouldBeEmpty()
            val before = stored()

            val report = schedules.sync(listOf(request(1, type = "mail", isActive = false), request(1, name = "new")), global)
            report.outdated() shouldContainExactly listOf("s")
            report.synced().map { it.name() } shouldContainExactly listOf("s", "new")
            schedules.upsert(request(1)) shouldBe before
            schedules.syncExactly(listOf(request(1, isActive = false)), setOf("s"), global).outdated() shouldContainExactly
                listOf("s")
            stored() shouldBe before

            schedules.upsert(request(3, hours = 7)).interval() shouldBe Duration.ofHours(7)
        }

        test("a version starts at 1") {
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { request(0) }
        }

        test("a pause outlives every sync until it is lifted, and then nothing of it stands") {
            schedules.sync(listOf(request()), global)
            schedules.pause("s", global)
            schedules.sync(listOf(request(2, hours = 2)), global)
            schedules.syncExactly(listOf(request(3)), setOf("s"), global)
            stored().let { it.active() to it.declaredActive() } shouldBe (false to true)
            stored().version() shouldBe 3

            schedules.resume("s", global).let { it.active() to it.declaredActive() } shouldBe (true to null)
            schedules.sync(listOf(request(3, isActive = false)), global)
            stored().active() shouldBe false
        }

        test("a resume stands against code that declares the schedule as paused, or leaves it out") {
            schedules.sync(listOf(request(isActive = false)), global)
            schedules.resume("s", global).declaredActive() shouldBe false
            schedules.sync(listOf(request(isActive = false)), global)
            schedules.syncExactly(emptyList(), setOf("s"), global).deactivated().shouldBeEmpty()
            stored().active() shouldBe true

            schedules.pause("s", global).declaredActive() shouldBe false
            schedules.sync(listOf(request(2)), global)
            stored().let { it.active() to it.declaredActive() } shouldBe (false to true)
        }

        test("a pause of what code has paused stands when code activates it") {
            schedules.sync(listOf(request(isActive = false)), global)
            schedules.pause("s", global).declaredActive() shouldBe false
            schedules.sync(listOf(request()), global)
            stored().active() shouldBe false
            schedules.fires("s", global).shouldBeEmpty()
        }

        test("what a sync left out comes back with one that names it") {
            schedules.sync(listOf(request()), global)
            schedules.syncExactly(emptyList(), setOf("s"), global).deactivated() shouldContainExactly listOf("s")
            stored().declaredActive().shouldBeNull()
            schedules.sync(listOf(request()), global)
            stored().active() shouldBe true
        }

        test("moving a paused schedule says nothing about whether it is paused") {
            schedules.sync(listOf(request(isActive = false)), global)
            schedules.retime("s", stored().nextFireAt().plusSeconds(60), global).declaredActive().shouldBeNull()
        }

        test("an older sync that met a newer one in progress finds that it is outdated") {
            schedules.sync(listOf(request(1)), global)
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).schedules.sync(listOf(request(2, hours = 9)), global)
                val older = CompletableFuture.supplyAsync { schedules.sync(listOf(request(1, hours = 3)), global) }
                ledger.awaitLockWait()
                connection.commit()
                older.get().outdated() shouldContainExactly listOf("s")
            }
            stored().interval() shouldBe Duration.ofHours(9)
        }
    })
