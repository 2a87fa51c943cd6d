package io.runledger.coroutines.run

import io.runledger.model.spec.JobType
import java.lang.reflect.Modifier
import java.lang.reflect.ParameterizedType
import java.lang.reflect.Type

/** The classes a machine's step can be: all that its sealed type permits, and no other. */
internal class StepFamily private constructor(private val machine: String, private val classes: List<Class<*>>) {
    /** Each class with its function: its own, or else that of the nearest type it belongs to. */
    fun <F : Any> dealt(functions: Map<Class<*>, F>): Map<Class<*>, F> {
        val dealt = classes.mapNotNull { step -> nearest(step, functions.keys)?.let { step to functions.getValue(it) } }.toMap()
        val missing = classes.filterNot { it in dealt }.map { it.simpleName }
        require(missing.isEmpty()) { "The machine '$machine' does not say what to do at ${missing.joinToString(" and ")}." }
        return dealt
    }

    private fun nearest(step: Class<*>, types: Set<Class<*>>): Class<*>? =
        types.filter { it.isAssignableFrom(step) }.reduceOrNull { near, next -> if (near.isAssignableFrom(next)) next else near }

    companion object {
        fun of(type: JobType<*>): StepFamily {
            val root = rawClass(type.payloadType())
            require(root != null && root.isSealed) {
                "The payload of '${type.name()}' is ${type.payloadType().typeName}, which is not sealed: the steps of a " +
                    "machine are the classes of a sealed type."
            }
            return StepFamily(type.name(), leavesOf(root).distinct())
        }

        private fun rawClass(type: Type): Class<*>? = type as? Class<*> ?: (type as? ParameterizedType)?.rawType as? Class<*>

        private fun leavesOf(type: Class<*>): List<Class<*>> {
            if (type.isSealed) return type.permittedSubclasses.flatMap(::leavesOf)
            require(!type.isInterface && !Modifier.isAbstract(type.modifiers)) {
                "${type.name} is open to classes that nobody knows yet: seal it, so that every step is known."
            }
            return listOf(type)
        }
    }
}
