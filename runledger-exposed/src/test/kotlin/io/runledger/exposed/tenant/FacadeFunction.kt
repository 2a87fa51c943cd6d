package io.runledger.exposed.tenant

import io.runledger.exposed.Ledger
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.signal.Signals
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.ledger.Scope
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.lang.reflect.ParameterizedType
import java.lang.reflect.Type
import java.lang.reflect.WildcardType
import java.util.UUID

/** A public function of the client or of one of its facades, by the name a caller writes. */
class FacadeFunction(val name: String, private val method: Method) {
    /** Whether a parameter, or a member of it, names the tenant of the call. */
    val isScoped: Boolean get() = method.genericParameterTypes.any { namesTenant(it, emptySet()) }

    private fun namesTenant(type: Type, seen: Set<Type>): Boolean = when {
        type in seen -> false

        type == Scope::class.java -> true

        type is ParameterizedType -> type.actualTypeArguments.any { namesTenant(it, seen + type) }

        type is WildcardType -> type.upperBounds.any { namesTenant(it, seen + type) }

        type is Class<*> && type.isRecord && requests.matches(type.name) -> type.recordComponents.any {
            (it.name == "organizationId" && it.type == UUID::class.java) || namesTenant(it.genericType, seen + type)
        }

        else -> false
    }

    override fun toString(): String = name

    companion object {
        private val requests = Regex("""io\.runledger\.model\..*(Request|Query|Selection|Completion|PollResult)(\$\w+)?""")

        /** All functions by name: of every facade of a ledger, of its signals, and of the client. */
        fun all(): List<FacadeFunction> = unsorted().sortedBy { it.name }

        // Reflection gives methods in an order that differs from one JVM to the next.
        private fun unsorted(): List<FacadeFunction> {
            val ofFacades = facadesOf(Ledger::class.java, "") + facadesOf(WorkerLedger::class.java, "worker.")
            return ofFacades + functions("signals", Signals::class.java) +
                functions("client", RunledgerClient::class.java).filter {
                    it.method.declaringClass == RunledgerClient::class.java
                }
        }

        private fun facadesOf(ledger: Class<*>, prefix: String) = ledger.methods
            .filter {
                it.parameterCount == 0 && it.declaringClass == ledger && !Modifier.isStatic(it.modifiers) && '$' !in it.name
            }
            .flatMap { facade -> functions(prefix + facade.name, facade.returnType) }

        private fun functions(facade: String, type: Class<*>): List<FacadeFunction> = type.methods
            .filter { it.declaringClass != Any::class.java && !it.isSynthetic && !it.name.contains('$') }
            .map { FacadeFunction("$facade.${it.name}", it) }
    }
}
