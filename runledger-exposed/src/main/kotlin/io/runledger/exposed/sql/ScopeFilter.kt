package io.runledger.exposed.sql

import io.runledger.model.state.Scope

/**
 * The statement [name] for [scope]. A statement says `{scope q}` where the `organization_id` of its table alias `q` must lie
 * in the caller's scope. Each kind of scope has a text, and so a plan, of its own: a condition that left the choice to
 * parameters could not use an index. Bind the place with [Binder.scope], once for each time it occurs.
 */
internal fun Statements.scoped(name: String, scope: Scope): String = this[name].inScope(scope)

internal fun String.inScope(scope: Scope): String = placeholder.replace(this) { place ->
    when (scope.kind()) {
        Scope.Kind.GLOBAL -> "${place.groupValues[1]}.organization_id IS NULL"
        Scope.Kind.ORGANIZATION -> "${place.groupValues[1]}.organization_id = ?"
        Scope.Kind.EVERYTHING -> "true"
    }
}

/** Sets the parameter that `{scope …}` became, if it became one. */
internal fun Binder.scope(scope: Scope) {
    if (scope.kind() == Scope.Kind.ORGANIZATION) uuid(scope.organizationId())
}

private val placeholder = Regex("""\{scope (\w+)}""")
