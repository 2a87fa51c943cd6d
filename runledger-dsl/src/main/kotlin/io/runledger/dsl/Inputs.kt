package io.runledger.dsl

import io.runledger.model.spec.Input
import kotlin.reflect.javaType
import kotlin.reflect.typeOf

/**
 * Declares a value that a step gets from an earlier one; workflow and handler share the declaration.
 *
 * `val receipt = input<Receipt>("receipt")`, then `uses(charged, receipt)` in the workflow and `job.input(receipt)` in the
 * handler.
 */
@OptIn(ExperimentalStdlibApi::class)
public inline fun <reified T : Any> input(name: String): Input<T> = Input.of(name, typeOf<T>().javaType)
