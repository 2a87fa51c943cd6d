package io.runledger.postgres

fun PostgresDatabase.execute(vararg statements: String) = connect().use { session -> statements.forEach { session.run(it) } }

fun PostgresDatabase.text(sql: String): String? = connect().use { it.textOf(sql) }

fun PostgresServer.text(sql: String): String? = database(maintenanceDatabase).text(sql)
