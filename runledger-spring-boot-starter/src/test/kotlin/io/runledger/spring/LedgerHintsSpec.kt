package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.spring.console.ConsoleHints
import org.springframework.aot.hint.RuntimeHints
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates
import org.springframework.boot.context.properties.bind.Bindable
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar
import org.springframework.context.annotation.ImportRuntimeHints
import org.springframework.core.io.support.PathMatchingResourcePatternResolver

private const val POM_OF_HTMX = "META-INF/maven/org.webjars.npm/htmx.org/pom.properties"

/** A native image needs the resources that the library reads, what it calls by reflection, and the properties. */
class LedgerHintsSpec :
    FunSpec({
        val hints = RuntimeHints().also { LedgerHints().registerHints(it, javaClass.classLoader) }

        test("every resource of the ledger is included") {
            val resources = PathMatchingResourcePatternResolver().getResources("classpath*:io/runledger/exposed/**/*.*")
                .map { "io/runledger/exposed/" + it.url.toString().substringAfterLast("io/runledger/exposed/") }
                .filterNot { it.endsWith(".class") }

            resources.size shouldBeGreaterThan 100
            resources.filterNot { RuntimeHintsPredicates.resource().forResource(it).test(hints) }.shouldBeEmpty()
        }

        test("every file of the console is included") {
            val forConsole = RuntimeHints().also { ConsoleHints().registerHints(it, javaClass.classLoader) }
            val resolver = PathMatchingResourcePatternResolver()
            val files = listOf(
                "io/runledger/console/asset/*.*",
                "META-INF/resources/webjars/htmx.org/*/dist/htmx.min.js",
                POM_OF_HTMX,
            )
                .flatMap { resolver.getResources("classpath*:$it").toList() }
                .map { it.url.toString().substringAfterLast("classes/").substringAfterLast("!/") }

            files.size shouldBeGreaterThan 4
            files.filterNot { RuntimeHintsPredicates.resource().forResource(it).test(forConsole) }.shouldBeEmpty()
        }

        test("the method that is called by reflection is included") {
            RuntimeHintsPredicates.reflection().onMethodInvocation(isTransactionActive).test(hints) shouldBe true
        }

        test("the hints belong to the auto-configuration, and its properties can be bound") {
            RunledgerAutoConfiguration::class.java.getAnnotation(ImportRuntimeHints::class.java).value.toList() shouldBe
                listOf(LedgerHints::class)
            val bound = RuntimeHints()
            BindableRuntimeHintsRegistrar.forBindables(Bindable.of(RunledgerProperties::class.java))
                .registerHints(bound)

            listOf(
                RunledgerProperties::class.java,
                RunledgerProperties.Worker::class.java,
                RunledgerProperties.Limits::class.java,
            )
                .filterNot { RuntimeHintsPredicates.reflection().onType(it).test(bound) }.shouldBeEmpty()
        }
    })
