package io.runledger.exposed.json

import com.fasterxml.jackson.annotation.JsonTypeInfo
import tools.jackson.core.Version
import tools.jackson.databind.AnnotationIntrospector
import tools.jackson.databind.cfg.MapperConfig
import tools.jackson.databind.introspect.Annotated
import tools.jackson.databind.introspect.AnnotatedClass
import tools.jackson.databind.introspect.AnnotationIntrospectorPair
import tools.jackson.databind.json.JsonMapper

/**
 * This mapper for values of the sealed type [root]. Their JSON includes the name of the class, unless annotations define the
 * form.
 */
internal fun JsonMapper.taggingClassesOf(root: Class<*>): JsonMapper {
    val names = leavesOf(root).groupBy(::nameOf)
    val shared = names.values.firstOrNull { it.size > 1 }
    require(shared == null) {
        "${shared?.joinToString(" and ") { it.name }} have the same name in JSON. Give each of them its own @JsonTypeName."
    }
    val builder = rebuild()
    return builder.annotationIntrospector(AnnotationIntrospectorPair(builder.annotationIntrospector(), TypeTag(root))).build()
}

/** The name of [type] in JSON among the classes of its sealed type. */
internal fun JsonMapper.nameOf(type: Class<*>): String {
    val config = serializationConfig()
    val annotated = config.classIntrospectorInstance().introspectClassAnnotations(config.constructType(type))
    return config.annotationIntrospector.findTypeName(config, annotated) ?: type.simpleName
}

private fun leavesOf(type: Class<*>): List<Class<*>> =
    if (type.isSealed) type.permittedSubclasses.flatMap(::leavesOf).distinct() else listOf(type)

/** Used only if the annotations of the classes do not define a form. */
private class TypeTag(private val root: Class<*>) : AnnotationIntrospector() {
    override fun version(): Version = Version.unknownVersion()

    override fun findPolymorphicTypeInfo(config: MapperConfig<*>, ann: Annotated): JsonTypeInfo.Value? =
        if (ann is AnnotatedClass && root.isAssignableFrom(ann.rawType)) tag else null

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "@type")
    private object Tagged

    private companion object {
        val tag: JsonTypeInfo.Value? = JsonTypeInfo.Value.from(Tagged::class.java.getAnnotation(JsonTypeInfo::class.java))
    }
}
