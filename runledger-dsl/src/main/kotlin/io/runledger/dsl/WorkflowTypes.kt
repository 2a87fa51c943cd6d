package io.runledger.dsl

import io.runledger.model.workflow.WorkflowParameter
import io.runledger.model.workflow.WorkflowParameters
import io.runledger.model.workflow.WorkflowType

/** Declares a required parameter: `val region = parameter<String>("region")`. */
public inline fun <reified T : Any> parameter(name: String): WorkflowParameter<T> =
    WorkflowParameter.required(name, T::class.javaObjectType)

/** Declares a parameter with a default: `val days = parameter("days", default = 7)`. */
public inline fun <reified T : Any> parameter(name: String, default: T): WorkflowParameter<T> =
    WorkflowParameter.optional(name, T::class.javaObjectType, default)

/**
 * Declares a workflow type with named, typed parameters. `type.request(region.of("north"))` validates the values and
 * returns a workflow to enqueue or to schedule.
 */
@JvmSynthetic
public fun workflowType(
    name: String,
    vararg parameters: WorkflowParameter<*>,
    block: WorkflowScope.(values: WorkflowParameters) -> Unit,
): WorkflowType = WorkflowType.of(name, parameters.asList()) { values, builder -> WorkflowScope(builder).block(values) }
