package io.runledger.console.screen.deadletter

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.grouped
import io.runledger.console.page.live
import io.runledger.console.page.pager
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.nav
import kotlinx.html.p
import java.time.Instant

/** The jobs that gave up and wait for an operator: grouped by cause, or one by one. */
internal class DeadLetterScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/dead-letters", page = ::causes)
        routes.page("/dead-letters/all", page = ::letters)
    }

    private fun causes(visit: Visit): Page {
        val causes = visit.snapshot("dead letter causes") { visit.reads.jobs.deadLetterCauses(visit.scope, MOST_CAUSES) }
        val now = Instant.now()
        return Page("Dead letters", Section.DEAD_LETTERS, Topic.Ledger) {
            tabs(visit, "/dead-letters")
            live("causes", visit) {
                if (causes.causes().isEmpty()) {
                    p("good") { +"No job waits for an operator." }
                } else {
                    causes.causes().forEach { cause(visit, it, now) }
                }
                if (!causes.isComplete) {
                    p("note") {
                        +"The newest ${causes.read().grouped()} dead letters were read, and the most frequent causes are shown: "
                        +"there can be more, and the counts are of what was read."
                    }
                }
            }
        }
    }

    private fun letters(visit: Visit): Page {
        val after = visit.query["after"]
        val letters = visit.snapshot("dead letters $after") { visit.reads.jobs.openDeadLetters(visit.scope, PAGE, after) }
        val now = Instant.now()
        return Page("Dead letters", Section.DEAD_LETTERS, Topic.Ledger) {
            tabs(visit, "/dead-letters/all")
            live("letters", visit) {
                letterTable(visit, letters.items(), now)
                pager(visit, letters)
            }
        }
    }

    private fun FlowContent.tabs(visit: Visit, current: String) = nav("tabs") {
        attributes["aria-label"] = "How dead letters are shown"
        listOf("/dead-letters" to "By cause", "/dead-letters/all" to "One by one").forEach { (path, label) ->
            a(href = visit.link(path)) {
                if (path == current) attributes["aria-current"] = "page"
                +label
            }
        }
    }

    private companion object {
        const val MOST_CAUSES = 100

        /** A dead letter is read with its payload. */
        const val PAGE = 25
    }
}
