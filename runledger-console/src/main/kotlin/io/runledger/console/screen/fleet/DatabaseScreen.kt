package io.runledger.console.screen.fleet

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.from
import io.runledger.console.content.inBytes
import io.runledger.console.content.inWords
import io.runledger.console.content.of
import io.runledger.console.page.facts
import io.runledger.console.page.ledgerText
import io.runledger.console.page.live
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.ledger.DatabaseReport
import io.runledger.model.ledger.Health
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.ul
import java.time.Instant

/** The database of the ledger: what it holds, and what hinders it. */
internal class DatabaseScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/database") { fleetOnly(it, Section.DATABASE, ::database) }
    }

    private fun database(visit: Visit): Page {
        val report = visit.snapshot("database") { visit.reads.database() }
        val health = visit.snapshot("health") { visit.reads.health() }
        return Page("Database", Section.DATABASE, Topic.Ledger) {
            live("database", visit) {
                concerns(health)
                server(visit, report)
                retention(report)
                tableSizes(report)
            }
        }
    }

    private fun FlowContent.concerns(health: Health) = section {
        h2 { +"Health" }
        val concerns = health.concerns()
        if (concerns.isEmpty()) {
            p("good") {
                +"Nothing needs attention."
            }
        } else {
            ul("concerns") { concerns.forEach { li { ledgerText(it) } } }
        }
        facts {
            fact("Longest wait of a due job", health.longestWait()?.inWords() ?: "no job is due")
            fact("Expired leases not yet taken over", health.expiredLeases().toString())
            fact("Oldest open transaction", health.snapshotAge()?.inWords() ?: "none, or not visible to this role")
            fact("Transactions since the oldest snapshot", health.snapshotTransactions().toString())
        }
    }

    private fun FlowContent.server(visit: Visit, report: DatabaseReport) = section {
        h2 { +"Server" }
        facts {
            fact("PostgreSQL", report.serverVersion())
            fact("Database", report.databaseName())
            fact("Schema", visit.reads.schema)
            fact("Size of the database", report.databaseBytes().inBytes())
            fact("Size of the ledger", report.ledgerBytes().inBytes())
            fact("Connections", "${report.connections()} of at most ${report.maxConnections()}")
        }
    }

    private fun FlowContent.retention(report: DatabaseReport) = section {
        h2 { +"Retention" }
        val oldest = report.oldestEndAt()
        if (oldest == null) {
            p("empty") { +"No ended job is kept." }
        } else {
            p { +"The oldest ended job ended ${oldest.from(Instant.now())}. Retention of any shorter age would delete it." }
        }
        val dead = report.tables().sumOf { it.deadRows() }
        p("note") { +"Deleted and replaced rows that vacuum has not removed yet: about ${dead.of("row")}." }
    }
}
