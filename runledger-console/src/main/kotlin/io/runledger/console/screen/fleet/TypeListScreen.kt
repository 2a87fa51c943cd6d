package io.runledger.console.screen.fleet

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.page.filterForm
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.mono
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.definition.JobDefinition
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.p
import kotlinx.html.span

/** The job types with their settings and their load. */
internal class TypeListScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/types", page = ::types)
    }

    private fun types(visit: Visit): Page {
        val containing = visit.query["name"].orEmpty()
        val types = visit.snapshot("types $containing") { visit.reads.definitions.list(containing) }
        val loads = TypeLoad.read(visit)
        return Page("Job types", Section.TYPES, Topic.Ledger) {
            filterForm(visit, "/types", emptyMap()) { text("name", "Name contains") }
            live("types", visit) {
                table(visit, types.take(SHOWN), loads)
                if (types.size > SHOWN) p("note") { +"${types.size.toLong().grouped()} types match: narrow the name." }
            }
        }
    }

    private fun FlowContent.table(visit: Visit, types: List<JobDefinition>, loads: (String) -> TypeLoad) =
        listing("Job types by name", types, "No type matches.") {
            column("Type") { a(href = visit.link(typePath(it.jobType()))) { mono(it.jobType()) } }
            column("State") { typeState(it) }
            number("Waiting") { load(visit, it, "PENDING", loads(it.jobType())) { waiting } }
            number("Running") { load(visit, it, "LEASED", loads(it.jobType())) { running } }
            number("Dead") { load(visit, it, "DEAD_LETTERED", loads(it.jobType())) { dead } }
            number("Attempts") { +it.effective().maxAttempts().toString() }
            column("Timeout") { +it.effective().timeout().inWords() }
            number("Priority") { +it.effective().priority().toString() }
            number("Version") { +it.version().toString() }
            column("Changed by an operator") { +it.overrides().joinToString { setting -> setting.inWords() } }
        }

    private fun FlowContent.load(visit: Visit, type: JobDefinition, status: String, load: TypeLoad, count: TypeLoad.() -> Long) =
        a(href = visit.link("/jobs", "status" to status, "type" to type.jobType())) { +load.shown(load.count()) }

    private companion object {
        const val SHOWN = 500
    }
}

internal fun typePath(type: String): String = "/types/${Visit.encoded(type)}"

/** Whether jobs of the type are claimed, and whether new ones are accepted. */
internal fun FlowContent.typeState(type: JobDefinition) {
    if (!type.paused() && type.enabled()) span("state state-active") { +"active" }
    if (type.paused()) span("state state-paused") { +"paused" }
    if (type.paused() && !type.enabled()) +" "
    if (!type.enabled()) span("state state-disabled") { +"disabled" }
}
