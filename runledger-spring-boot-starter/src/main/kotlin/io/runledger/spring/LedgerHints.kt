package io.runledger.spring

import org.springframework.aot.hint.ExecutableMode
import org.springframework.aot.hint.RuntimeHints
import org.springframework.aot.hint.RuntimeHintsRegistrar

/** What a native image must contain beside the classes: the statements, the migrations, and the method called by reflection. */
internal class LedgerHints : RuntimeHintsRegistrar {
    override fun registerHints(hints: RuntimeHints, classLoader: ClassLoader?) {
        listOf("statement/**", "migration/*.sql", "catalog.txt", "roles.sql").forEach {
            hints.resources().registerPattern("io/runledger/exposed/$it")
        }
        hints.reflection().registerMethod(isTransactionActive, ExecutableMode.INVOKE)
    }
}
