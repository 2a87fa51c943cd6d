package io.runledger.console.picture

/**
 * Similar steps that a picture shows as one.
 *
 * @property id the key of its first step; stays the same when steps are appended
 * @property name what the keys have in common, for example `pick-*`
 * @property size number of steps
 * @property isExpanded whether the steps are shown one by one
 */
public class StepGroup internal constructor(
    @get:JvmName("id") public val id: String,
    @get:JvmName("name") public val name: String,
    @get:JvmName("size") public val size: Int,
    @get:JvmName("isExpanded") public val isExpanded: Boolean,
) {
    override fun toString(): String = "$name ($size steps)"
}
