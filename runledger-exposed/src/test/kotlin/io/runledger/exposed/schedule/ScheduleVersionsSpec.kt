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

        fun stored(name: String = "s") = schedules.get(global, name)

        test("an older declaration changes nothing, and the answer says so") {
            schedules.sync(global, listOf(request(2, hours = 5))).outdated().shouldBeEmpty()
            val before = stored()

            val report = schedules.sync(global, listOf(request(1, type = "mail", isActive = false), request(1, name = "new")))
            report.outdated() shouldContainExactly listOf("s")
            report.synced().map { it.name() } shouldContainExactly listOf("s", "new")
            schedules.upsert(request(1)) shouldBe before
            schedules.syncExactly(global, listOf(request(1, isActive = false)), setOf("s")).outdated() shouldContainExactly
                listOf("s")
            stored() shouldBe before

            schedules.upsert(request(3, hours = 7)).interval() shouldBe Duration.ofHours(7)
        }

        test("a version starts at 1") {
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { request(0) }
        }

        test("a pause outlives every sync until it is lifted, and then nothing of it stands") {
            schedules.sync(global, listOf(request()))
            schedules.pause(global, "s")
            schedules.sync(global, listOf(request(2, hours = 2)))
            schedules.syncExactly(global, listOf(request(3)), setOf("s"))
            stored().let { it.active() to it.declaredActive() } shouldBe (false to true)
            stored().version() shouldBe 3

            schedules.resume(global, "s").let { it.active() to it.declaredActive() } shouldBe (true to null)
            schedules.sync(global, listOf(request(3, isActive = false)))
            stored().active() shouldBe false
        }

        test("a resume stands against code that declares the schedule as paused, or leaves it out") {
            schedules.sync(global, listOf(request(isActive = false)))
            schedules.resume(global, "s").declaredActive() shouldBe false
            schedules.sync(global, listOf(request(isActive = false)))
            schedules.syncExactly(global, emptyList(), setOf("s")).deactivated().shouldBeEmpty()
            stored().active() shouldBe true

            schedules.pause(global, "s").declaredActive() shouldBe false
            schedules.sync(global, listOf(request(2)))
            stored().let { it.active() to it.declaredActive() } shouldBe (false to true)
        }

        test("a pause of what code has paused stands when code activates it") {
            schedules.sync(global, listOf(request(isActive = false)))
            schedules.pause(global, "s").declaredActive() shouldBe false
            schedules.sync(global, listOf(request()))
            stored().active() shouldBe false
            schedules.fires(global, "s").items().shouldBeEmpty()
        }

        test("what a sync left out comes back with one that names it") {
            schedules.sync(global, listOf(request()))
            schedules.syncExactly(global, emptyList(), setOf("s")).deactivated() shouldContainExactly listOf("s")
            stored().declaredActive().shouldBeNull()
            schedules.sync(global, listOf(request()))
            stored().active() shouldBe true
        }

        test("moving a paused schedule says nothing about whether it is paused") {
            schedules.sync(global, listOf(request(isActive = false)))
            schedules.retime(global, "s", stored().nextFireAt().plusSeconds(60)).declaredActive().shouldBeNull()
        }

        test("an older sync that met a newer one in progress finds that it is outdated") {
            schedules.sync(global, listOf(request(1)))
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).schedules.sync(global, listOf(request(2, hours = 9)))
                val older = CompletableFuture.supplyAsync { schedules.sync(global, listOf(request(1, hours = 3))) }
                ledger.awaitLockWait()
                connection.commit()
                older.get().outdated() shouldContainExactly listOf("s")
            }
            stored().interval() shouldBe Duration.ofHours(9)
        }
    })
