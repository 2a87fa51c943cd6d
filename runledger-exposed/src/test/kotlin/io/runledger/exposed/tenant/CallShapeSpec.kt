package io.runledger.exposed.tenant

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.runledger.exposed.Ledger
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import java.util.function.Consumer
import kotlin.reflect.KClass
import kotlin.reflect.KFunction
import kotlin.reflect.KVisibility
import kotlin.reflect.full.declaredMemberProperties
import kotlin.reflect.full.memberFunctions
import kotlin.reflect.full.valueParameters

/** All functions of the facades have the same shape, so that a caller who knows one knows the others. */
class CallShapeSpec :
    FunSpec({
        val functions = listOf(Ledger::class, WorkerLedger::class).flatMap(::facades).flatMap { facade ->
            facade.memberFunctions.filter { it.visibility == KVisibility.PUBLIC && it.name !in ofEveryObject }
        }

        fun breaking(rule: (KFunction<*>) -> Boolean) = functions.filterNot(rule).map { it.toString() }

        test("the facades have functions") {
            functions.size shouldBeGreaterThan 80
        }

        test("a scope is the first parameter, and is not hidden in a request") {
            breaking { function -> function.valueParameters.drop(1).none { it.type.classifier == Scope::class } }.shouldBeEmpty()
            breaking { function ->
                function.valueParameters.none { parameter ->
                    (parameter.type.arguments.mapNotNull { it.type } + parameter.type).any { hasScope(it.classifier) }
                }
            }.shouldBeEmpty()
        }

        test("find may return nothing, get and list always return something") {
            breaking { !it.name.startsWith("find") || it.returnType.isMarkedNullable }.shouldBeEmpty()
            breaking { !it.name.startsWith("get") || !it.returnType.isMarkedNullable }.shouldBeEmpty()
            breaking { !it.name.startsWith("list") || !it.returnType.isMarkedNullable }.shouldBeEmpty()
        }

        test("a page takes a limit and a cursor as its last parameters, or a query that has both, or a block that builds one") {
            breaking { function ->
                val parameters = function.valueParameters
                val isPaged = parameters.takeLast(2).map { it.name } == listOf("limit", "after")
                val isQueried = parameters.lastOrNull()?.name == "query"
                val isBuilt = isQueried && parameters.last().type.classifier == Consumer::class
                function.returnType.classifier != Page::class || isBuilt ||
                    ((isPaged || isQueried) && parameters.last().isOptional)
            }.shouldBeEmpty()
            breaking { function ->
                function.returnType.classifier == Page::class ||
                    function.valueParameters.none { it.name in listOf("after", "before") }
            }.shouldBeEmpty()
        }
    })

private val ofEveryObject = setOf("equals", "hashCode", "toString")

private fun facades(ledger: KClass<*>): List<KClass<*>> = ledger.declaredMemberProperties
    .filter { it.visibility == KVisibility.PUBLIC }
    .map { it.returnType.classifier as KClass<*> }

private fun hasScope(type: Any?) =
    type is KClass<*> && type.java.isRecord && type.java.recordComponents.any { it.type == Scope::class.java }
