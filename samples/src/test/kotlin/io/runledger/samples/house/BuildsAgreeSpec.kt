package io.runledger.samples.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly

/** Maven and Gradle describe the same modules; this says where they do not. */
class BuildsAgreeSpec :
    FunSpec({
        test("the POMs and the Gradle files say the same") {
            disagreements(MavenBuild(::onDisk), GradleBuild(::onDisk)).shouldBeEmpty()
        }

        test("what Gradle adds to every module is only the launcher that Surefire brings by itself") {
            val everywhere = GradleBuild(::onDisk).everywhere.map { (configuration, dependency) ->
                "$configuration ${dependency.id}"
            }

            everywhere shouldContainExactly listOf("testRuntimeOnly org.junit.platform:junit-platform-launcher")
        }

        test("nothing in the version catalog is left over") {
            GradleBuild(::onDisk).unused.shouldBeEmpty()
        }
    })
