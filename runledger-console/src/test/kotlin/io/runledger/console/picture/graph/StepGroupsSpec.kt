package io.runledger.console.picture.graph

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.console.picture.randomRun
import io.runledger.model.workflow.ReleaseMode
import kotlin.random.Random

private const val LIMIT = 12

/** A shape from lines such as `pick-1 < charge`, where a step waits for the steps after the sign. */
private fun shape(vararg lines: String, kind: (String) -> String = { "JOB work" }): RunShape {
    val keys = lines.map { it.substringBefore(" < ") }
    val waits = lines.flatMapIndexed { place, line ->
        line.substringAfter(" < ", "").split(' ').filter {
            it.isNotEmpty()
        }.map { Wait(keys.indexOf(it), place, ReleaseMode.ON_SUCCESS, null) }
    }
    return RunShape(keys, keys.map(kind), waits)
}

private fun RunShape.groups(limit: Int = LIMIT): List<List<Int>> = StepGroups(this, limit).find().filter { it.size > 1 }

private fun names(prefix: String, count: Int) = (1..count).map { "$prefix$it" }

class StepGroupsSpec :
    FunSpec({
        test("similar steps with the same neighbors are one group if there are more than the limit") {
            val picks = names("pick-", 13)
            fun fan(count: Int) = shape(
                "charge",
                *picks.take(count).map { "$it < charge" }.toTypedArray(),
                "ship < " + picks.take(count).joinToString(" "),
            )

            fan(12).groups().shouldHaveSize(0)
            fan(13).groups() shouldContainExactly listOf((1..13).toList())
            fan(13).groups(limit = 20).shouldHaveSize(0)
        }

        test("another job type, stem or neighbor parts steps") {
            val picks = names("pick-", 26)
            val byType = shape(*picks.toTypedArray()) { if (it.substringAfter('-').toInt() <= 13) "JOB a" else "JOB b" }
            byType.groups().map { it.size } shouldContainExactly listOf(13, 13)

            val byStem = shape(*(names("pick-", 13) + names("pack-", 13)).toTypedArray())
            byStem.groups().map { it.size } shouldContainExactly listOf(13, 13)

            val byPrerequisite = shape(
                "left",
                "right",
                *picks.mapIndexed { place, it ->
                    "$it < " +
                        if (place < 13) "left" else "right"
                }.toTypedArray(),
            )
            byPrerequisite.groups().map { it.size } shouldContainExactly listOf(13, 13)

            val byDependent = shape(*picks.toTypedArray(), "join < " + picks.take(13).joinToString(" "))
            byDependent.groups().map { it.size } shouldContainExactly listOf(13, 13)
        }

        test("another release mode parts steps") {
            val fan = shape("first", *names("pick-", 26).map { "$it < first" }.toTypedArray())
            val mixed = RunShape(
                fan.keys,
                fan.kinds,
                fan.waits.mapIndexed { place, wait ->
                    if (place <
                        13
                    ) {
                        wait.copy(mode = ReleaseMode.ON_FAILURE)
                    } else {
                        wait
                    }
                },
            )

            mixed.groups().map { it.size } shouldContainExactly listOf(13, 13)
        }

        test("a fan-out of chains is a chain of groups") {
            val fetches = names("fetch-", 100)
            val parses = (1..100).map { "parse-$it < fetch-$it" }
            val run = shape(
                "list",
                *fetches.map { "$it < list" }.toTypedArray(),
                *parses.toTypedArray(),
                "join < " + names("parse-", 100).joinToString(" "),
            )

            run.groups().map { it.size } shouldContainExactly listOf(100, 100)
        }

        test("a step with a neighbor that is shown alone is not hidden among steps without it") {
            val heads = listOf("head-1", "head-2")
            val run =
                shape(
                    *heads.toTypedArray(),
                    *names("pick-", 20).mapIndexed { place, it ->
                        "$it < head-${place % 2 + 1}"
                    }.toTypedArray(),
                )

            run.groups().shouldHaveSize(0)
            run.groups(limit = 9).map { it.size } shouldContainExactly listOf(10, 10)
        }

        test("a chain has no groups, however long and similar its steps are") {
            val chain = shape("s-1", *(2..2_000).map { "s-$it < s-${it - 1}" }.toTypedArray())

            StepGroups(chain, LIMIT, mostShown = 3_000).find() shouldHaveSize 2_000
        }

        test("every run has few enough boxes, and every step is in exactly one") {
            val chain = shape("s-1", *(2..10_000).map { "s-$it < s-${it - 1}" }.toTypedArray())
            val loose = shape(*(1..5_000).map { "step ${it.toString(36)}x" }.toTypedArray()) { "JOB ${it.hashCode() % 3_000}" }
            for (run in listOf(chain, loose)) {
                val found = StepGroups(run, LIMIT).find()

                found.size shouldBeLessThanOrEqual StepGroups.MOST_SHOWN
                found.flatten().sorted() shouldContainExactly run.keys.indices.toList()
            }
        }

        val seed = System.getProperty("runledger.seed")?.toLong() ?: Random.nextLong()
        test("the members of a group have the same neighbors, counting groups as one (seed $seed)") {
            val random = Random(seed)
            repeat(200) {
                val run = RunShape.of(randomRun(random))
                val found = StepGroups(run, 2).find()
                val group = IntArray(run.keys.size)
                found.forEachIndexed { number, members -> members.forEach { group[it] = number } }

                found.flatten().sorted() shouldContainExactly run.keys.indices.toList()
                for (members in found.filter { it.size > 1 }) {
                    withClue(members.map { run.keys[it] }) {
                        members.map { step ->
                            run.prerequisites[step].map { it.mode to group[it.from] }.toSet()
                        }.distinct().size shouldBe
                            1
                        members.map { step ->
                            run.dependents[step].map { it.mode to group[it.to] }.toSet()
                        }.distinct().size shouldBe
                            1
                        members.map { run.kinds[it] }.distinct().size shouldBe 1
                    }
                }
            }
        }

        test("a stem is what stands before a number or the last separator") {
            listOf(
                "pick-1",
                "pick-lamp",
                "step12",
                "site-3f2a1b00-aaaa",
                "crawl-2026-08-01",
                "charge",
                "17",
                "a.b.c",
            ).map(::stemOf) shouldContainExactly
                listOf("pick-", "pick-", "step", "site-", "crawl-", "charge", "", "a.b.")
        }

        test("a group is named by what its keys have in common") {
            commonName(listOf("pick-1", "pick-100")) shouldBe "pick-*"
            commonName(listOf("pick-10", "pick-11")) shouldBe "pick-*"
            commonName(listOf("a1x", "a2x")) shouldBe "a*x"
            commonName(listOf("crawl-2026-08-01", "crawl-2026-08-02")) shouldBe "crawl-2026-08-*"
            commonName(listOf("left", "right")) shouldBe "*t"
            commonName(listOf("1", "2")) shouldBe null
        }
    })
