package io.runledger.postgres

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.postgres.error.PostgresUnavailableException

class ServerChoiceSpec :
    FunSpec({
        val image = mapOf("RUNLEDGER_TEST_PG_IMAGE" to "localhost:1/no-such-image:0")

        test("an image without Testcontainers on the class path names the artifact to add") {
            val failure = shouldThrow<PostgresUnavailableException> {
                ServerChoice.from(image, loader = ClassLoader.getPlatformClassLoader())
            }

            failure.message shouldContain "org.testcontainers:testcontainers-postgresql"
        }

        test("an image that cannot be started names the other ways") {
            val failure = shouldThrow<PostgresUnavailableException> { TestPostgres.from(image) }

            failure.message shouldContain "RUNLEDGER_TEST_PG_IMAGE=localhost:1/no-such-image:0"
            failure.message shouldContain "RUNLEDGER_TEST_DATABASE_URL"
        }

        test("an empty variable counts as unset") {
            val environment = mapOf("RUNLEDGER_TEST_DATABASE_URL" to " ", "RUNLEDGER_TEST_PG_IMAGE" to "")

            TestPostgres.from(environment).server.use { it.shouldBeInstanceOf<EmbeddedPostgres>() }
        }
    })
