package io.runledger.console.screen.fleet

import io.runledger.console.action.typeActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.definition.JobDefinition
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.p
import kotlinx.html.span

/** One job type: its load, its settings, and how long its attempts take. */
internal class TypeScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/types/{type}", page = ::type)
    }

    private fun type(visit: Visit): Page {
        val name = visit.part("type")
        val type = visit.snapshot("type $name") {
            visit.reads.definitions.find(name) ?: throw NoSuchPageException(visit.request.path)
        }
        return Page(type.jobType(), Section.TYPES, Topic.Ledger) {
            live("type", visit) {
                p { typeState(type) }
                meaning(type)
                load(visit, type, TypeLoad.read(visit)(name))
                typeActions(visit, type)
                typeSettings(visit, type)
            }
            live("durations", visit) { typeDurations(visit, name) }
        }
    }

    private fun FlowContent.meaning(type: JobDefinition) {
        if (type.paused()) p("note") { +"Paused: no job of the type is claimed. New jobs are accepted, and running jobs finish." }
        if (!type.enabled()) p("note") { +"Disabled: new jobs of the type are refused. Queued jobs still run." }
        type.redeclaredAt()?.let { at ->
            p("problem") {
                +"Two builds declare different settings with version ${type.version()}, the last time "
                moment(at)
                +". The build that starts last wins: raise the version with every change."
            }
        }
    }

    private fun FlowContent.load(visit: Visit, type: JobDefinition, load: TypeLoad) = div("tiles") {
        listOf("PENDING" to load.waiting, "LEASED" to load.running, "DEAD_LETTERED" to load.dead).forEach { (status, count) ->
            a(href = visit.link("/jobs", "status" to status, "type" to type.jobType()), classes = "tile") {
                span("figure") { +load.shown(count) }
                span("label") { +labels.getValue(status) }
            }
        }
    }

    private companion object {
        val labels = mapOf("PENDING" to "waiting", "LEASED" to "running", "DEAD_LETTERED" to "dead letters")
    }
}
