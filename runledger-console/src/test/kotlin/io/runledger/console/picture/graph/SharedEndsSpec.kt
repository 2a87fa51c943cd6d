package io.runledger.console.picture.graph

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.workflow.ReleaseMode

/** The lines that share their starts, and those that share their ends, as sets of `from-to`. */
private fun shared(
    vararg arrows: String,
    mode: (Int) -> ReleaseMode = { ReleaseMode.ON_SUCCESS },
): Pair<Set<Set<String>>, Set<Set<String>>> {
    val names = arrows.toList()
    val ends = SharedEnds(names.mapIndexed { place, name -> Arrow(name[0].code, name[1].code, mode(place)) })
    fun sets(key: (Int) -> Any) =
        names.indices.groupBy(key).values.filter { it.size > 1 }.map { set -> set.map { names[it] }.toSet() }.toSet()
    return sets(ends::start) to sets(ends::end)
}

class SharedEndsSpec :
    FunSpec({
        test("a fan-out shares its start, and a join its end") {
            shared("ab", "ac", "bd", "cd") shouldBe (setOf(setOf("ab", "ac")) to setOf(setOf("bd", "cd")))
        }

        test("lines that could be mistaken for others share one end only") {
            shared("ac", "ad", "bd") shouldBe (setOf(setOf("ac", "ad")) to emptySet())
            shared("ad", "bd", "cd", "ce").let { (starts, ends) ->
                starts shouldBe emptySet()
                ends shouldBe setOf(setOf("ad", "bd", "cd"))
            }
        }

        test("lines from all to all share both ends") {
            shared("ac", "ad", "bc", "bd") shouldBe
                (setOf(setOf("ac", "ad"), setOf("bc", "bd")) to setOf(setOf("ac", "bc"), setOf("ad", "bd")))
        }

        test("lines of different modes share nothing") {
            shared("ab", "ac") { ReleaseMode.entries[it] } shouldBe (emptySet<Set<String>>() to emptySet())
        }
    })
