package io.runledger.spring.console

import org.springframework.aot.hint.RuntimeHints
import org.springframework.aot.hint.RuntimeHintsRegistrar

/** The files that the console reads, for a native image. */
internal class ConsoleHints : RuntimeHintsRegistrar {
    override fun registerHints(hints: RuntimeHints, classLoader: ClassLoader?) {
        listOf(
            "io/runledger/console/asset/*",
            "META-INF/resources/webjars/htmx.org/**",
            "META-INF/maven/org.webjars.npm/htmx.org/pom.properties",
        ).forEach { hints.resources().registerPattern(it) }
    }
}
