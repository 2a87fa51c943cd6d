package io.runledger.postgres

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe

class OwnerDeathSpec :
    FunSpec({
        test("a server and its directory go with a JVM that is killed") {
            val owner = OwnerJvm.start(tempdir().toPath().openToAll())
            owner.home.shouldExist()

            owner.killed()

            owner.server.isAlive shouldBe false
            owner.home.shouldNotExist()
        }

        test("a watchdog of which only half is left still ends the server") {
            val owner = OwnerJvm.start(tempdir().toPath().openToAll())

            owner.killedWithHalfOfItsWatchdog()

            owner.server.isAlive shouldBe false
            owner.home.shouldNotExist()
        }

        test("two JVMs that start at once with nothing unpacked both get a server") {
            val cache = tempdir().toPath().openToAll()
            val owners = List(2) { OwnerJvm.start(cache) }

            owners.map { it.server.isAlive } shouldBe listOf(true, true)
            owners[0].home shouldNotBe owners[1].home

            owners.forEach { it.killed() }
            cache.toFile().list()!!.filter { it.endsWith(".part") }.shouldBeEmpty()
        }

        test("what nobody cleaned up is removed at the next start, and a living owner keeps what it has") {
            val cache = tempdir().toPath().openToAll()
            val dead = OwnerJvm.start(cache)
            val living = OwnerJvm.start(cache)
            living.home.shouldExist()
            dead.killedWithItsWatchdog()
            dead.server.isAlive shouldBe true
            dead.home.shouldExist()

            EmbeddedPostgres.builder().cache(cache).start().use { mine ->
                listOf(dead.server).awaitEnd()
                dead.home.shouldNotExist()
                living.server.isAlive shouldBe true
                living.home.shouldExist()
                EmbeddedPostgres.builder().cache(cache).start().close()
                mine.text("SELECT 1") shouldBe "1"
            }

            living.killed()
        }
    })
