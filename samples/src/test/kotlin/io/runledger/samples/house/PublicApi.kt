package io.runledger.samples.house

import java.io.File
import java.lang.reflect.Member
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.util.jar.JarFile
import kotlin.reflect.KVisibility
import kotlin.reflect.jvm.kotlinFunction

/** The API of the module that [witness] is from, read from its compiled classes. */
internal class PublicApi(private val witness: Class<*>) {
    private val compiled: List<Class<*>> = classNames().map { Class.forName(it, false, witness.classLoader) }

    /** The classes that Java code can use, without Kotlin's `internal` classes and those that the compiler generates. */
    val classes: List<Class<*>> = compiled.filter { isPublic(it) && !it.isSynthetic && (!isFacade(it) || seen(it).isNotEmpty()) }

    /** The members of [type] that Java code can use, without synthetic ones and Kotlin's `internal` top-level functions. */
    fun seen(type: Class<*>): List<Member> = (
        type.declaredMethods.filter {
            !it.isBridge && !isEntries(it)
        } + type.declaredConstructors + type.declaredFields
        ).filter {
        (it.modifiers and (Modifier.PUBLIC or Modifier.PROTECTED)) != 0 && !it.isSynthetic &&
            !(isFacade(type) && isInternal(it))
    }

    /** Functions that Kotlin code can call and Java code does not see, as `class.function`. */
    val hidden: Set<String> = compiled.filter(::isPublic).flatMap { type ->
        type.declaredMethods
            .filter { it.isSynthetic || type.isSynthetic }
            .filter { Modifier.isPublic(it.modifiers) && it.kotlinFunction?.visibility == KVisibility.PUBLIC }
            .map { "${type.name}.${it.name}" }
    }.toSet()

    private fun isPublic(type: Class<*>): Boolean = generateSequence(type) { it.enclosingClass }.all {
        (it.modifiers and (Modifier.PUBLIC or Modifier.PROTECTED)) != 0 &&
            !it.isAnonymousClass &&
            !it.isLocalClass &&
            (!isKotlinClass(it) || it.kotlin.visibility in listOf(KVisibility.PUBLIC, KVisibility.PROTECTED))
    }

    private fun isInternal(member: Member) = member is Method && member.kotlinFunction?.visibility == KVisibility.INTERNAL

    // Every enum compiled by Kotlin has it; values() is what Java uses.
    private fun isEntries(method: Method) = method.declaringClass.isEnum && method.name == "getEntries"

    private fun isKotlinClass(type: Class<*>) = type.getAnnotation(Metadata::class.java)?.kind == CLASS

    private fun isFacade(type: Class<*>) = type.getAnnotation(Metadata::class.java)?.let { it.kind != CLASS } ?: false

    private fun classNames(): List<String> {
        val place = File(witness.protectionDomain.codeSource.location.toURI())
        val files = when {
            place.isDirectory -> place.walk().filter { it.isFile }.map { it.toRelativeString(place) }.toList()
            else -> JarFile(place).use { jar -> jar.stream().map { it.name }.toList() }
        }
        return files.filter { it.endsWith(".class") && !it.startsWith("META-INF") && !it.endsWith("-info.class") }
            .map { it.removeSuffix(".class").replace(File.separatorChar, '.').replace('/', '.') }
    }

    private companion object {
        const val CLASS = 1
    }
}
