package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.table.LedgerTables

class TableMappingSpec :
    FunSpec({
        fun TestLedger.mappingDifferences(): List<String> {
            val catalog = catalog()
            return exposed { MappingComparison.differences(client.tables, catalog) }
        }

        test("the mapping is the schema: names, types, nullability, defaults, keys and indexes") {
            freshLedger().mappingDifferences().shouldBeEmpty()
        }

        test("the mapping fits a ledger in a schema with a reserved name") {
            emptyLedger("order").also { it.client.migrate() }.mappingDifferences().shouldBeEmpty()
        }

        test("a Kotlin name is the SQL name in camel case") {
            for (table in LedgerTables(SchemaName.DEFAULT).all) {
                val getters = table.javaClass.methods.map { it.name }
                for (column in table.columns) {
                    val camelCase = column.name.split('_').joinToString("") { word -> word.replaceFirstChar(Char::uppercase) }
                    val expected = if (column.name.startsWith(
                            "is_",
                        )
                    ) {
                        camelCase.replaceFirstChar(Char::lowercase)
                    } else {
                        "get$camelCase"
                    }
                    getters shouldContain expected
                }
            }
        }

        test("the comparison sees what it is there for") {
            val changes = mapOf(
                "ALTER TABLE runledger.job_replays RENAME COLUMN reason TO why" to "job_replays.reason does not exist",
                "ALTER TABLE runledger.job_logs ALTER COLUMN message TYPE varchar(20)" to
                    "job_logs.message is character varying(20), mapped as text",
                "DROP INDEX runledger.idx_job_logs_job" to "job_logs has no index (idx_job_logs_job, false, [job_id, id])",
                "ALTER TABLE runledger.job_logs ALTER COLUMN message DROP NOT NULL" to
                    "job_logs.message is mapped with the wrong nullability",
                "ALTER TABLE runledger.job_logs ALTER COLUMN run_number DROP DEFAULT" to
                    "job_logs.run_number is mapped with the wrong default",
                "ALTER TABLE runledger.job_logs DROP CONSTRAINT job_logs_pkey" to
                    "job_logs has the key null, mapped as (job_logs_pkey, [id])",
                "ALTER TABLE runledger.job_logs ADD COLUMN tag text" to "job_logs.tag is not mapped",
                "CREATE TABLE runledger.notes (id int)" to "notes is not mapped",
            )
            for ((change, difference) in changes) {
                freshLedger().also { it.run(change) }.mappingDifferences().first() shouldBe difference
            }
        }
    })
