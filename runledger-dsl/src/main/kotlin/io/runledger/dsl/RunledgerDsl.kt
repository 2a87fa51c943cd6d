package io.runledger.dsl

/** Separates the scopes: inside a `job { }` block no other `job` can be declared. */
@DslMarker
@Target(AnnotationTarget.CLASS)
public annotation class RunledgerDsl
