package io.runledger.model.value

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.time.Instant
import java.util.UUID
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors

/** The order of PostgreSQL: by bytes, without a sign. */
private fun ascends(ids: List<UUID>): Boolean = ids.map { it.toString() }.zipWithNext().all { (before, after) -> before < after }

class UuidV7Spec :
    FunSpec({
        test("an id is of version 7 and of the variant of RFC 9562") {
            repeat(1_000) {
                val id = UuidV7.next()
                id.version() shouldBe 7
                id.variant() shouldBe 2
            }
        }

        test("ids of one thread ascend strictly") {
            ascends(List(100_000) { UuidV7.next() }) shouldBe true
        }

        test("ids of eight threads are unique and ascend in each of them") {
            val together = CyclicBarrier(8)
            val pool = Executors.newFixedThreadPool(8)
            val perThread =
                try {
                    List(8) {
                        pool.submit<List<UUID>> {
                            together.await()
                            List(12_500) { UuidV7.next() }
                        }
                    }.map { it.get() }
                } finally {
                    pool.shutdown()
                }

            perThread.all(::ascends) shouldBe true
            perThread.flatten().toSet().size shouldBe 100_000
        }

        test("an id tells when it was made, to the millisecond") {
            val made = Instant.parse("2031-05-06T07:08:09.123Z")

            UuidV7.instantOf(UuidV7 { made.toEpochMilli() }.make()) shouldBe made
        }

        test("ids ascend when the clock stands still, also past the counter's end") {
            val ids = UuidV7 { 1_000 }
            val made = List(10_000) { ids.make() }

            ascends(made) shouldBe true
            UuidV7.instantOf(made[4_095]) shouldBe Instant.ofEpochMilli(1_000)
            UuidV7.instantOf(made[4_096]) shouldBe Instant.ofEpochMilli(1_001)
        }

        test("ids ascend when the clock steps back, and follow it again once it has caught up") {
            val clock = ArrayDeque(listOf(5_000L, 4_000L, 1L, 5_000L, 6_000L))
            val ids = UuidV7 { clock.removeFirst() }
            val made = List(5) { ids.make() }

            ascends(made) shouldBe true
            made.map { UuidV7.instantOf(it).toEpochMilli() } shouldBe listOf(5_000L, 5_000L, 5_000L, 5_000L, 6_000L)
        }

        test("an id of another version carries no time") {
            shouldThrow<IllegalArgumentException> { UuidV7.instantOf(UUID.fromString("f47ac10b-58cc-4372-a567-0e02b2c3d479")) }
                .message shouldContain "version 4"
        }
    })
