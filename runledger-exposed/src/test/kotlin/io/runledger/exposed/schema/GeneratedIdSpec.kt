package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.freshLedger
import io.runledger.model.value.UuidV7
import java.time.Instant
import java.util.UUID

private const val SERVER_MILLIS = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

class GeneratedIdSpec :
    FunSpec({
        test("an id made by the database is of version 7 and carries the server's time") {
            val ledger = freshLedger()
            ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('t')")

            val before = ledger.value(SERVER_MILLIS).toLong()
            val id = UUID.fromString(
                ledger.value("INSERT INTO runledger.job_queue (job_type, max_attempts) VALUES ('t', 1) RETURNING id"),
            )
            val after = ledger.value(SERVER_MILLIS).toLong()

            id.version() shouldBe 7
            id.variant() shouldBe 2
            UuidV7.instantOf(id) shouldBeGreaterThanOrEqualTo Instant.ofEpochMilli(before)
            UuidV7.instantOf(id) shouldBeLessThanOrEqualTo Instant.ofEpochMilli(after + 1)
        }

        test("ids of later milliseconds are larger, and no two are equal") {
            val ledger = freshLedger()

            val ids = ledger.rows("SELECT runledger.uuidv7() FROM generate_series(1, 2000)").map(UUID::fromString)

            ids.toSet().size shouldBe 2000
            ids.map { it.version() }.toSet() shouldBe setOf(7)
            ids.map { UuidV7.instantOf(it) }.shouldBeSorted()
        }
    })
