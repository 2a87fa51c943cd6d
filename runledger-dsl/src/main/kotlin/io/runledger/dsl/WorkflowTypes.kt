package io.runledger.dsl

import io.runledger.model.spec.WorkflowParameter
import io.runledger.model.spec.WorkflowParameters
import io.runledger.model.spec.WorkflowType

/** Declares a parameter that must be given: `val region = parameter<String>("region")`. */
public inline fun <reified T : Any> parameter(name: String): WorkflowParameter<T> =
    WorkflowParameter.required(name, T::class.javaObjectType)

/** Declares a parameter that is [default] unless it is given: `val days = parameter("days", default = 7)`. */
public inline fun <reified T : Any> parameter(name: String, default: T): WorkflowParameter<T> =
    WorkflowParameter.optional(name, T::class.javaObjectType, default)

/**
 * Declares a kind of workflow with named, typed parameters. `type.request(region.of("north"))` checks the values, all problems at
 * once, and gives a workflow to enqueue or to schedule.
 */
@JvmSynthetic
public fun workflowType(
    name: String,
    vararg parameters: WorkflowParameter<*>,
    block: WorkflowScope.(values: WorkflowParameters) -> Unit,
): WorkflowType = WorkflowType.of(name, parameters.asList()) { values, builder -> WorkflowScope(builder).block(values) }
