package io.runledger.dsl

import io.runledger.model.workflow.Input
import kotlin.reflect.javaType
import kotlin.reflect.typeOf

/**
 * Declares an input of a step. The workflow and the handler share the declaration.
 *
 * `val receipt = input<Receipt>("receipt")`, then `uses(charged, receipt)` in the workflow and `job.input(receipt)` in
 * the handler.
 */
@OptIn(ExperimentalStdlibApi::class)
public inline fun <reified T : Any> input(name: String): Input<T> = Input.of(name, typeOf<T>().javaType)
