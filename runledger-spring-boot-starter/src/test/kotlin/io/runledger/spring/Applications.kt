package io.runledger.spring

import io.kotest.core.spec.Spec
import io.runledger.exposed.RunledgerClient
import io.runledger.postgres.TestDatabase
import io.runledger.postgres.TestPostgres
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import java.time.Duration
import java.util.concurrent.locks.LockSupport
import kotlin.reflect.KClass

/** A Spring Boot application without beans of its own. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class PlainApplication

/** A database of the spec, without a ledger. */
fun Spec.freshDatabase(): TestDatabase = autoClose(TestPostgres.shared().freshDatabase())

/** Runs a Spring Boot application with [beans] on [database]. */
fun application(
    database: TestDatabase?,
    vararg properties: String,
    beans: List<KClass<*>> = emptyList(),
): ConfigurableApplicationContext {
    val sources = (listOf(PlainApplication::class) + beans).map { it.java }.toTypedArray()
    val ownProperties = listOfNotNull(
        database?.let { "spring.datasource.url=${it.url}" },
        "spring.main.banner-mode=off",
        "spring.flyway.enabled=false",
        "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
    )
    return SpringApplicationBuilder(
        *sources,
    ).web(WebApplicationType.NONE).properties(*(ownProperties + properties).toTypedArray())
        .run()
}

/** The address with user and password. */
val TestDatabase.url: String get() = "$jdbcUrl${if ('?' in jdbcUrl) '&' else '?'}user=$user&password=$password"

inline fun <reified T : Any> ConfigurableApplicationContext.bean(): T = getBean(T::class.java)

val ConfigurableApplicationContext.client: RunledgerClient get() = bean()

fun TestDatabase.rows(sql: String): List<String> = connect().use { connection ->
    connection.createStatement().executeQuery(sql).use { rows ->
        buildList {
            while (rows.next()) add((1..rows.metaData.columnCount).joinToString("|") { rows.getString(it) ?: "" })
        }
    }
}

fun TestDatabase.value(sql: String): String = rows(sql).single()

fun TestDatabase.run(sql: String) = connect().use { connection -> connection.createStatement().use { it.execute(sql) } }

/** The number of jobs of the ledger. */
fun TestDatabase.jobs(): Int = value("SELECT count(*) FROM runledger.job_queue").toInt()

/** Returns as soon as [condition] holds; a test that waits in vain fails and says for [what], instead of hanging the build. */
fun until(what: String, condition: () -> Boolean) {
    val start = System.nanoTime()
    while (!condition()) {
        if (System.nanoTime() - start > LIMIT.toNanos()) throw AssertionError("Waited in vain until $what.")
        LockSupport.parkNanos(LOOK_AGAIN_NANOS)
    }
}

private val LIMIT = Duration.ofMinutes(2)
private const val LOOK_AGAIN_NANOS = 500_000L
