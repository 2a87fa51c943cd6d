package io.runledger.exposed.sql

import io.runledger.model.ledger.Scope

/**
 * The statement [name] for [scope]. A statement contains `{scope q}` where the `organization_id` of its table alias `q` must
 * be in the caller's scope. Each kind of scope has its own text and plan, because a condition with the kind as a parameter
 * could not use an index. [Binder.scope] binds the parameter.
 */
internal fun Statements.scoped(name: String, scope: Scope): String = this[name].inScope(scope)

internal fun String.inScope(scope: Scope): String = placeholder.replace(this) { place ->
    when (scope.kind()) {
        Scope.Kind.GLOBAL -> "${place.groupValues[1]}.organization_id IS NULL"
        Scope.Kind.ORGANIZATION -> "${place.groupValues[1]}.organization_id = :organization"
        Scope.Kind.EVERYTHING -> "true"
    }
}

/** Sets the parameter of `{scope …}`, if the scope has one. */
internal fun Binder.scope(scope: Scope) {
    if (scope.kind() == Scope.Kind.ORGANIZATION) uuid("organization", scope.organizationId())
}

private val placeholder = Regex("""\{scope (\w+)}""")
