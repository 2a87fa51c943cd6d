package io.runledger.exposed.signal

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe

class AnnouncementsSpec :
    FunSpec({
        var now = 0L
        beforeTest { now = -5L }

        test("what was told a moment ago is not told again until the moment is over") {
            val announcements = Announcements(100) { now }
            announcements.begin(setOf("mail")) shouldBe true
            now += 99
            announcements.begin(setOf("mail")) shouldBe false
            announcements.begin(setOf("mail", "print")) shouldBe true
            now += 1
            announcements.begin(setOf("mail")) shouldBe true
        }

        test("what was not told after all is told next") {
            val announcements = Announcements(100) { now }
            announcements.begin(setOf("mail", "print"))
            now += 1
            announcements.revert(setOf("mail"))
            announcements.begin(setOf("print")) shouldBe false
            announcements.begin(setOf("mail")) shouldBe true
            announcements.begin(emptySet()) shouldBe false
        }

        test("due jobs are heard once more when the moment is over, counted from the last time") {
            val repeated = RepeatedNotifications { now }
            val mail = Signal.DueJobs("mail")
            repeated.received(mail)
            repeated.received(Signal.Resumed)
            now += Announcements.REPEAT_NANOS / 2
            repeated.received(mail)
            now += Announcements.REPEAT_NANOS - 1
            repeated.take().shouldBeEmpty()
            repeated.millisUntilNext(500) shouldBe 1
            now += 1
            repeated.take() shouldContainExactly listOf(mail)
            repeated.take().shouldBeEmpty()
            repeated.millisUntilNext(500) shouldBe 500
        }
    })
