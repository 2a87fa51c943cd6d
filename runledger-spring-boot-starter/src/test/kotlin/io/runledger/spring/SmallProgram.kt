package io.runledger.spring

import io.runledger.coroutines.Handlers
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.annotation.Bean
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.function.Function

private val small = JobType.of("small", String::class.java)

/** An application that needs the required dependencies of the starter and nothing else. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SmallApplication {
    @Bean
    fun done() = CountDownLatch(1)

    @Bean
    fun handlers(done: CountDownLatch): Handlers = Handlers.builder().blocking(small) {
        done.countDown()
        JobOutcome.succeeded()
    }.build()
}

/** Starts the application on the database at a JDBC URL, runs a job, and returns the names of the library's beans. */
class SmallProgram : Function<String, List<String>> {
    override fun apply(url: String): List<String> =
        SpringApplicationBuilder(SmallApplication::class.java).web(WebApplicationType.NONE)
            .properties("spring.datasource.url=$url", "spring.main.banner-mode=off", "spring.flyway.enabled=false")
            .run().use { app ->
                app.getBean(RunledgerClient::class.java).jobs.enqueue(small, "job")
                check(app.getBean(CountDownLatch::class.java).await(1, TimeUnit.MINUTES)) { "The job has not run." }
                app.beanDefinitionNames.filter { it.startsWith("runledger") }
            }
}
