package io.runledger.coroutines

import io.runledger.model.job.JobType
import java.lang.reflect.Modifier
import java.lang.reflect.ParameterizedType
import java.lang.reflect.Type

/** The classes of a machine's steps: all concrete classes that its sealed type permits. */
internal class StepFamily private constructor(private val machine: String, private val classes: List<Class<*>>) {
    /** Assigns a function to each class: its own, or else the function of its nearest supertype. */
    fun <F : Any> assigned(functions: Map<Class<*>, F>): Map<Class<*>, F> {
        val found = classes.mapNotNull { step -> nearest(step, functions.keys)?.let { step to functions.getValue(it) } }.toMap()
        val missing = classes.filterNot { it in found }.map { it.simpleName }
        require(missing.isEmpty()) { "The machine '$machine' has no function for ${missing.joinToString(" and ")}: add one." }
        return found
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
                "${type.name} is not sealed and can have unknown subclasses: seal it, so that every step is known."
            }
            return listOf(type)
        }
    }
}
