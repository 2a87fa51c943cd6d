package io.runledger.samples.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.dsl.WorkflowScope
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobType
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.test.TestLedger
import java.lang.reflect.Constructor
import java.lang.reflect.Field
import java.lang.reflect.Member
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.lang.reflect.Type

/** Java code needs no Kotlin: no Kotlin types in signatures, and no names that only the Kotlin compiler generates. */
class JavaDoorsSpec :
    FunSpec({
        val modules = listOf(
            JobType::class.java,
            WorkflowScope::class.java,
            EmbeddedPostgres::class.java,
            RunledgerClient::class.java,
            RunledgerWorker::class.java,
            TestLedger::class.java,
        ).map(::PublicApi)

        test("what Java sees of the API is said without Kotlin's types and names") {
            val kotlin = modules.flatMap { module ->
                module.classes.filterNot { it.name in kotlinDoors }.flatMap { type ->
                    val parents = (type.genericInterfaces.toList() + listOfNotNull(type.genericSuperclass))
                        .filter(::isKotlin)
                        .map { "${type.name} is a ${it.typeName}" }
                    parents +
                        module.seen(type).filter { isMangled(it.name.removePrefix(type.name)) || it.types().any(::isKotlin) }
                            .map { "$it" }
                }
            }

            kotlin.shouldBeEmpty()
        }

        test("what only Kotlin can call has a twin for Java, and nothing else is hidden") {
            val listed = kotlinDoors.keys.filter { it.substringAfterLast('.').first().isLowerCase() }

            // Kotlin adds a suffix to the name of a function with a value class.
            modules.flatMap { it.hidden }.map { it.substringBefore('-') }
                .filterNot { it.substringBeforeLast('.') in kotlinDoors } shouldContainExactlyInAnyOrder listed
        }

        test("every twin is there and to be seen") {
            kotlinDoors.values.filterNot(::exists).shouldBeEmpty()
        }

        test("what a block of the DSL can say, the builder behind it says in the same words") {
            val scopes = kotlinDoors.filterKeys { it.startsWith("io.runledger.dsl.") && it.endsWith("Scope") }

            scopes.entries.forAll { (scope, builder) ->
                val words = Class.forName(scope).declaredMethods
                    .filter { Modifier.isPublic(it.modifiers) && !it.isSynthetic }
                    .map { it.name.substringBefore('-') }

                Class.forName(builder).methods.map { it.name } shouldContainAll words
            }
        }
    })

private fun isMangled(name: String) = '$' in name || '-' in name

private fun isKotlin(type: Type) = Regex("""\bkotlinx?\.""").containsMatchIn(type.typeName)

private fun Member.types(): List<Type> = when (this) {
    is Method -> genericParameterTypes.toList() + genericReturnType
    is Constructor<*> -> genericParameterTypes.toList()
    is Field -> listOf(genericType)
    else -> emptyList()
}

/** Whether Java finds `package.Class` or `package.Class.method`. */
private fun exists(name: String): Boolean {
    val last = name.substringAfterLast('.')
    if (last.first().isUpperCase()) return runCatching { Class.forName(name) }.isSuccess
    return Class.forName(name.substringBeforeLast('.')).methods.any { it.name == last && !it.isSynthetic }
}
