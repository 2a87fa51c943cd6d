package io.runledger.spring

import io.kotest.core.spec.Spec
import io.runledger.exposed.RunledgerClient
import io.runledger.postgres.PostgresDatabase
import io.runledger.postgres.TestDatabase
import io.runledger.postgres.TestPostgres
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
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
    web: WebApplicationType = WebApplicationType.NONE,
): ConfigurableApplicationContext {
    val sources = (listOf(PlainApplication::class) + beans).map { it.java }.toTypedArray()
    val ownProperties = listOfNotNull(
        database?.let { "spring.datasource.url=${it.url}" },
        "spring.main.banner-mode=off",
        "spring.flyway.enabled=false",
        "spring.autoconfigure.exclude=$HIBERNATE,$SECURITY",
    )
    return SpringApplicationBuilder(*sources).web(web)
        .properties(*(ownProperties + properties).toTypedArray()).run()
}

/** Not every application that the specs start has entities. */
const val HIBERNATE = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"

/** Only some applications that the specs start require a sign-in. */
const val SECURITY = "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration," +
    "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration," +
    "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration," +
    "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"

/** The address with user and password. */
val PostgresDatabase.url: String get() = "$jdbcUrl${if ('?' in jdbcUrl) '&' else '?'}user=$user&password=$password"

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

/** Calls the web application on its own port. */
fun ConfigurableApplicationContext.get(path: String): HttpResponse<String> {
    val port = environment.getRequiredProperty("local.server.port")
    val request = HttpRequest.newBuilder(URI("http://127.0.0.1:$port$path")).timeout(Duration.ofMinutes(1)).build()
    return http.send(request, HttpResponse.BodyHandlers.ofString())
}

private val http = HttpClient.newHttpClient()
