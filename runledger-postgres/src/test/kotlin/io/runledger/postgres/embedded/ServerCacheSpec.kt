package io.runledger.postgres.embedded

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.runledger.postgres.race
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.createDirectory
import kotlin.io.path.readText
import kotlin.io.path.writeText

class ServerCacheSpec :
    FunSpec({
        fun fill(directory: Path) {
            directory.resolve("a").createDirectory().resolve("file").writeText("whole")
            directory.resolve("b").writeText("whole")
        }

        test("what a dead JVM left half-finished is made again") {
            val root = tempdir().toPath()
            root.resolve("thing.part").createDirectory().resolve("b").writeText("half")

            val made = ServerCache.open(root).published("thing", ::fill)

            made.resolve("b").readText() shouldBe "whole"
            root.resolve("thing.part").shouldNotExist()
        }

        test("what a cleaner of old files has been at is made again, and only then") {
            val cache = ServerCache.open(tempdir().toPath())
            val fills = AtomicInteger()
            val make = { cache.published("thing") { fill(it).also { fills.incrementAndGet() } } }
            make()
            make()
            fills.get() shouldBe 1

            Files.delete(make().resolve("a/file"))

            make().resolve("a/file").shouldExist()
            fills.get() shouldBe 2
        }

        test("what could not be finished is not there") {
            val root = tempdir().toPath()

            shouldThrow<IllegalStateException> { ServerCache.open(root).published("thing") { error("disk full") } }

            root.resolve("thing").shouldNotExist()
        }

        test("racing threads make a thing once") {
            val cache = ServerCache.open(tempdir().toPath())
            val fills = AtomicInteger()

            race(8) { cache.published("thing") { fill(it).also { fills.incrementAndGet() } } }

            fills.get() shouldBe 1
        }
    })
