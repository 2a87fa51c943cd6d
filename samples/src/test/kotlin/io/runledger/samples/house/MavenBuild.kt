package io.runledger.samples.house

import org.w3c.dom.Element

/** The build as the POMs have it. [read] gives a file's text by its path from the repository's root. */
internal class MavenBuild(private val read: (String) -> String) : Build {
    private val parent = Pom("pom.xml", read("pom.xml"))

    private val management = parent.at("dependencyManagement", "dependencies", "dependency").onEach(parent::refuseUnknown)

    override val platforms: List<Dependency> =
        management.filter { it.text("scope") == "import" }.map { parent.managed(it) }

    private val managed: List<Dependency> =
        management.filter { it.text("scope") != "import" }.map { parent.managed(it) }

    override val modules: List<Module> = parent.at("modules", "module").map { module(it.textContent.trim()) }

    override val pins: List<Dependency> =
        modules.flatMap { it.dependencies }.map { it.id }.toSet().let { used ->
            managed.filterNot { it.id in used || it.id.startsWith("${parent.groupId}:") }
        }

    override val sharedFile: String get() = parent.file

    override val settings: Map<String, Setting> get() = parent.settings()

    override fun wording(dependency: Dependency): String = when (dependency.scope) {
        Scope.COMPILE -> "a <dependency> on ${dependency.id}"
        Scope.OPTIONAL -> "a <dependency> on ${dependency.id} with <optional>true</optional>"
        Scope.RUNTIME, Scope.TEST -> "a <dependency> on ${dependency.id} with <scope>${dependency.scope.name.lowercase()}</scope>"
        Scope.MANAGED -> "a <dependency> on ${dependency.id} with version ${dependency.version} under <dependencyManagement>"
    }

    private fun module(directory: String): Module {
        val file = "$directory/pom.xml"
        val pom = Pom(file, read(file)).let { own ->
            if (own.text("parent") ==
                null
            ) {
                own
            } else {
                Pom(file, read(file), parent.properties)
            }
        }
        check(pom.at("profiles", "profile", "dependencies").isEmpty()) {
            "$file: Gradle has no profiles; move their <dependencies> out"
        }
        return Module(
            name = directory,
            file = file,
            version = pom.version,
            published = pom.properties["maven.deploy.skip"] != "true",
            dependencies =
            pom.at("dependencies", "dependency").onEach(pom::refuseUnknown).map { pom.own(it) } +
                pom.at("dependencyManagement", "dependencies", "dependency").onEach(pom::refuseUnknown).map {
                    pom.managed(it)
                },
        )
    }

    private fun Pom.own(element: Element): Dependency {
        val id = id(element)
        val scope =
            when (val written = element.text("scope") ?: "compile") {
                "compile" -> if (element.text("optional") == "true") Scope.OPTIONAL else Scope.COMPILE
                "provided" -> Scope.OPTIONAL
                "runtime" -> Scope.RUNTIME
                "test" -> Scope.TEST
                else -> error("$file: $id has scope '$written'; use compile, provided, runtime or test")
            }
        val version =
            element.text("version")?.let(::filled)
                ?: managed.find { it.id == id }?.version
                ?: versionFrom(platforms, id)
                ?: error("$file: $id has no version; manage one in pom.xml")
        return Dependency(id, scope, version)
    }

    private fun Pom.managed(element: Element): Dependency = Dependency(
        id(element),
        Scope.MANAGED,
        filled(element.text("version") ?: error("$file: ${id(element)} is managed without a <version>")),
    )
}

private val understood = setOf("groupId", "artifactId", "version", "type", "scope", "optional")

/** Exclusions, classifiers and the like would be lost in the comparison, so they are no part of these builds. */
private fun Pom.refuseUnknown(dependency: Element) {
    val unknown = dependency.children().map { it.tagName } - understood
    check(unknown.isEmpty()) { "$file: ${id(dependency)} uses <${unknown.first()}>, which this test cannot compare; teach it to" }
}

private fun Pom.id(dependency: Element): String = filled("${dependency.text("groupId")}:${dependency.text("artifactId")}")
