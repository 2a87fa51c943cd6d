package io.runledger.console.screen.fleet

import io.runledger.console.content.inWords
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.visit.Visit
import io.runledger.model.definition.DefinitionSetting
import io.runledger.model.definition.JobDefaults
import io.runledger.model.definition.JobDefinition
import io.runledger.model.error.RunledgerException
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.ul

/** The settings of a type: what applies, what the code declares, and what an operator has changed. */
internal fun FlowContent.typeSettings(visit: Visit, type: JobDefinition) = section {
    h2 { +"Settings" }
    p("note") { +"Declared by code with version ${type.version()}. A change by an operator stays until it is reset." }
    listing("Settings", DefinitionSetting.entries, "None.") {
        column("Setting") { +it.inWords() }
        column("In effect") { ledgerText(type.effective().shown(it)) }
        column("Declared") { ledgerText(type.declared().shown(it)) }
        column("Changed by an operator") { if (it in type.overrides()) span("override") { +"changed" } }
    }
    h3 { +"Retries" }
    retries(visit, type)
}

private fun FlowContent.retries(visit: Visit, type: JobDefinition) {
    val sentences = try {
        retryWords(visit.reads.definitions.retryPolicyOf(type), type.effective().maxAttempts())
    } catch (invalid: RunledgerException) {
        p("problem") { ledgerText(invalid.message) }
        return
    }
    ul { sentences.forEach { sentence -> li { ledgerText(sentence) } } }
}

private fun JobDefaults.shown(setting: DefinitionSetting): String = when (setting) {
    DefinitionSetting.MAX_ATTEMPTS -> maxAttempts().toString()
    DefinitionSetting.TIMEOUT -> timeout().inWords()
    DefinitionSetting.PRIORITY -> priority().toString()
    DefinitionSetting.RETRY_POLICY -> if (retryPolicy() == null) "standard" else "own"
    DefinitionSetting.ENABLED -> if (enabled()) "accepts new jobs" else "refuses new jobs"
}
