package io.runledger.spring

import io.runledger.model.job.JobStatus
import io.runledger.model.workflow.WorkflowRunStatus
import org.springframework.boot.context.properties.bind.BindException
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException
import org.springframework.boot.context.properties.source.ConfigurationPropertyName
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer
import org.springframework.boot.diagnostics.FailureAnalysis
import org.springframework.core.Ordered
import org.springframework.core.annotation.Order
import org.springframework.core.convert.ConversionFailedException
import org.springframework.util.unit.DataSize
import java.time.Duration

/**
 * Reports a property of the ledger that does not exist, or whose value has the wrong kind, with what is allowed. Spring Boot's
 * own reports of these failures name the property, and not what to write instead.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
internal class PropertyFailureAnalyzer : AbstractFailureAnalyzer<BindException>() {
    override fun analyze(rootFailure: Throwable, cause: BindException): FailureAnalysis? {
        if (cause.name != prefix && !prefix.isAncestorOf(cause.name)) return null
        val causes = generateSequence<Throwable>(cause) { it.cause }
        val unbound = causes.filterIsInstance<UnboundConfigurationPropertiesException>().firstOrNull()
        return if (unbound != null) unknown(unbound, cause) else wrongKind(causes, cause)
    }

    private fun unknown(unbound: UnboundConfigurationPropertiesException, cause: BindException): FailureAnalysis {
        val properties = unbound.unboundProperties.sortedBy { it.name }
        val description = properties.joinToString("\n") { "There is no property '${it.name}'${it.origin.place()}." }
        val action = properties.joinToString("\n") { property ->
            val name = property.name.toString()
            val group = name.substringBeforeLast('.')
            val similar = PropertyNames.closest(name)?.let { "Did you mean '$it'? " }.orEmpty()
            "${similar}The properties of '$group' are ${PropertyNames.below(group).joinToString()}."
        }
        return FailureAnalysis(description, action, cause)
    }

    private fun wrongKind(causes: Sequence<Throwable>, cause: BindException): FailureAnalysis? {
        val conversion = causes.filterIsInstance<ConversionFailedException>().lastOrNull()
        val type = conversion?.targetType?.type ?: cause.target.type.resolve() ?: return null
        val allowed = allowed(type) ?: return null
        val property = cause.property
        val description = if (property != null) {
            "The value '${property.value}' of the property '${property.name}'${property.origin.place()} is not allowed."
        } else {
            // The name of a member of a group, such as a status.
            "There is no property '${cause.name}.${conversion?.value}': '${conversion?.value}' is not allowed."
        }
        return FailureAnalysis(description, "Give $allowed.", cause)
    }

    private fun allowed(type: Class<*>): String? = when {
        type == Duration::class.java -> "a duration with its unit, such as 500ms, 30s, 10m, 12h or 7d"
        type == DataSize::class.java -> "a size with its unit, such as 64KB or 1MB"
        type == Int::class.javaObjectType -> "a whole number, such as 16"
        type == Boolean::class.javaObjectType || type == Boolean::class.javaPrimitiveType -> "true or false"
        type == JobStatus::class.java -> oneOf(JobStatus.entries.filter { it.isTerminal })
        type == WorkflowRunStatus::class.java -> oneOf(WorkflowRunStatus.entries.filter { it.isTerminal })
        type.isEnum -> oneOf(type.enumConstants.toList())
        else -> null
    }

    private fun oneOf(values: List<Any>) = "one of " + values.joinToString { "$it".lowercase().replace('_', '-') }

    private fun Any?.place(): String = if (this == null) "" else " ($this)"

    private companion object {
        val prefix: ConfigurationPropertyName = ConfigurationPropertyName.of(RunledgerProperties.PREFIX)
    }
}
