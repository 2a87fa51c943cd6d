import com.diffplug.gradle.spotless.SpotlessExtension
import io.gitlab.arturbosch.detekt.Detekt
import io.gitlab.arturbosch.detekt.extensions.DetektExtension
import org.jetbrains.dokka.gradle.DokkaExtension
import org.jetbrains.kotlin.gradle.dsl.JvmTarget
import org.jetbrains.kotlin.gradle.dsl.KotlinJvmProjectExtension
import org.jetbrains.kotlin.gradle.dsl.KotlinVersion

plugins {
    alias(libs.plugins.detekt) apply false
    alias(libs.plugins.dokka.javadoc) apply false
    alias(libs.plugins.kotlin.jvm) apply false
    alias(libs.plugins.spotless) apply false
}

// A module says what it is by its plugins; what that means is said once, here. Precompiled convention plugins would say the
// same, but need the kotlin-dsl plugin, whose version belongs to Gradle and is not on Maven Central for each of them.
subprojects {
    pluginManager.withPlugin("java-library") {
        apply(plugin = "com.diffplug.spotless")

        // Versions that hold while we build and test. What is published names only a module's own dependencies.
        val pins = configurations.create("pins") {
            isCanBeConsumed = false
            isCanBeResolved = false
        }
        listOf("compileClasspath", "runtimeClasspath", "testCompileClasspath", "testRuntimeClasspath").forEach { classpath ->
            configurations.named(classpath) { extendsFrom(pins) }
        }
        // What is optional for a consumer is there in our own tests, as in Maven.
        configurations.named("testImplementation") { extendsFrom(configurations["compileOnly"]) }

        dependencies {
            "pins"(platform(libs.kotlin.bom))
            "pins"(platform(libs.junit.bom))
            constraints {
                "pins"(libs.pin.commons.io)
                "pins"(libs.pin.commons.codec)
                "pins"(libs.pin.commons.lang3)
                "pins"(libs.pin.annotations)
            }
            "testRuntimeOnly"(libs.junit.launcher)
        }

        configure<JavaPluginExtension> {
            withSourcesJar()
        }

        tasks.withType<JavaCompile>().configureEach {
            options.release = libs.versions.java.get().toInt()
            options.encoding = "UTF-8"
            options.compilerArgs.addAll(listOf("-parameters", "-Xlint:all,-processing,-classfile", "-Werror"))
        }

        tasks.withType<Test>().configureEach {
            useJUnitPlatform()
            jvmArgs("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Duser.timezone=Pacific/Chatham", "-Dfile.encoding=UTF-8")
            systemProperty("runledger.root", rootDir.path)
            systemProperty("kotest.framework.classpath.scanning.autoscan.disable", "true")
        }

        tasks.named<Jar>("jar") {
            manifest.attributes(
                "Automatic-Module-Name" to "io.runledger." + project.name.removePrefix("runledger-").removeSuffix("-boot-starter"),
                "Implementation-Version" to project.version,
            )
        }

        configure<SpotlessExtension> {
            kotlin {
                target("src/*/kotlin/**/*.kt")
                ktlint(libs.versions.ktlint.get())
            }
            java {
                target("src/*/java/**/*.java")
                palantirJavaFormat(libs.versions.palantir.get())
                removeUnusedImports()
            }
        }
    }

    pluginManager.withPlugin("org.jetbrains.kotlin.jvm") {
        configure<KotlinJvmProjectExtension> {
            compilerOptions {
                jvmTarget = JvmTarget.fromTarget(libs.versions.java.get())
                languageVersion = KotlinVersion.fromVersion(libs.versions.kotlin.language.get())
                apiVersion = KotlinVersion.fromVersion(libs.versions.kotlin.language.get())
                allWarningsAsErrors = true
                javaParameters = true
                freeCompilerArgs.addAll("-Xjdk-release=" + libs.versions.java.get(), "-Xjsr305=strict")
            }
            pluginManager.withPlugin("maven-publish") { explicitApi() }
            // Tests act as workers.
            if (name in setOf("runledger-exposed", "runledger-coroutines", "runledger-test", "runledger-console", "samples")) {
                target.compilations.named("test") {
                    compileTaskProvider.configure { compilerOptions.optIn.add("io.runledger.exposed.worker.WorkerApi") }
                }
            }
        }
    }

    pluginManager.withPlugin("io.gitlab.arturbosch.detekt") {
        configure<DetektExtension> {
            source.setFrom("src/main/kotlin")
            config.setFrom(rootProject.file("config/detekt.yml"))
            buildUponDefaultConfig = true
        }
        tasks.withType<Detekt>().configureEach { jvmTarget = libs.versions.java.get() }
    }

    // The API documentation of Java and Kotlin modules alike is Dokka's; the JDK's own task would see only half of it.
    pluginManager.withPlugin("org.jetbrains.dokka-javadoc") {
        configure<JavaPluginExtension> {
            withJavadocJar()
        }
        configure<DokkaExtension> {
            dokkaPublications.configureEach {
                offlineMode = true
                failOnWarning = true
            }
            dokkaSourceSets.configureEach {
                jdkVersion = libs.versions.java.get().toInt()
            }
        }
        tasks.named("javadoc") { enabled = false }
        tasks.named<Jar>("javadocJar") { from(tasks.named("dokkaGeneratePublicationJavadoc")) }
    }

    pluginManager.withPlugin("maven-publish") {
        configure<PublishingExtension> {
            publications.register<MavenPublication>("maven") {
                from(components[if (pluginManager.hasPlugin("java-platform")) "javaPlatform" else "java"])
                pom {
                    description = provider { project.description }
                    licenses {
                        license {
                            name = "Apache-2.0"
                            url = "https://www.apache.org/licenses/LICENSE-2.0.txt"
                            distribution = "repo"
                        }
                    }
                }
            }
        }
    }

    // The same sources give the same bytes.
    tasks.withType<AbstractArchiveTask>().configureEach {
        isPreserveFileTimestamps = false
        isReproducibleFileOrder = true
    }
}
