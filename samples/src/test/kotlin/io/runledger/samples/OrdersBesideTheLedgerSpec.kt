package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.runledger.test.freshLedger
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager
import org.jetbrains.exposed.v1.jdbc.transactions.transaction

class OrdersBesideTheLedgerSpec :
    FunSpec({
        test("a service joins the ledger with its own table") {
            val ledger = freshLedger()
            ledger.dataSource.connection.use { connection ->
                connection.createStatement().use {
                    it.execute(
                        """
                    CREATE TABLE orders (number text PRIMARY KEY, job_id uuid NOT NULL);
                    INSERT INTO runledger.job_definitions (job_type) VALUES ('orders.ship');
                    WITH jobs AS (
                        INSERT INTO runledger.job_queue (job_type, max_attempts, status, finished_at)
                        VALUES ('orders.ship', 1, 'DEAD_LETTERED', now()), ('orders.ship', 1, 'SUCCEEDED', now())
                        RETURNING id, status
                    )
                    INSERT INTO orders SELECT CASE status WHEN 'DEAD_LETTERED' THEN 'A-1' ELSE 'A-2' END, id FROM jobs;
                    """,
                    )
                }
            }
            val database = Database.connect(ledger.dataSource)

            try {
                transaction(database) { ordersInTrouble(ledger.client.tables) } shouldContainExactly listOf("A-1")
            } finally {
                TransactionManager.closeAndUnregister(database)
            }
        }
    })
