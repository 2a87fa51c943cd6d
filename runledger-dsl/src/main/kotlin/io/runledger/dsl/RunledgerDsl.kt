package io.runledger.dsl

/** Keeps scopes apart: inside a `job { }` block no other `job` can be declared. */
@DslMarker
@Target(AnnotationTarget.CLASS)
public annotation class RunledgerDsl
