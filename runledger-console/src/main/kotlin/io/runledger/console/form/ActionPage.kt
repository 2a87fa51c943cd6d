package io.runledger.console.form

import io.runledger.console.content.Page
import io.runledger.console.content.shownText
import io.runledger.console.http.Parameters
import io.runledger.console.visit.Guard
import io.runledger.console.visit.Visit
import kotlinx.html.ButtonType
import kotlinx.html.FlowContent
import kotlinx.html.MAIN
import kotlinx.html.a
import kotlinx.html.button
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.role
import kotlinx.html.section

/** The page of an action as one operator sees it. */
internal class ActionPage<T : Any>(
    private val offered: Action<T>,
    private val visit: Visit,
    private val subject: T,
    private val key: String,
    /** What the operator has entered; null on a page that has not been posted yet. */
    private val entered: Parameters? = null,
    /** Why nothing has been done. */
    private val problem: String? = null,
    private val problems: Map<String, String> = emptyMap(),
) {
    fun form(): Page {
        val refusal = offered.refusal(subject)
        val fields = if (refusal == null) offered.fields(visit, subject) + reasons() else emptyList()
        return page {
            problem?.let { problem(it) }
            problems.filterKeys { name -> fields.none { it.name == name } }.values.forEach { problem(it) }
            if (refusal != null) {
                if (refusal != problem) problem(refusal)
                back()
                return@page
            }
            section {
                h2 { +"What will happen" }
                p("consequence") { +shownText(offered.consequence(subject)) }
                offered.preview(this, visit, subject)
            }
            actionForm(visit, offered.address(subject)) {
                hidden(KEY, key)
                hidden(SEEN, offered.seen(subject))
                val parts = FieldParts(entered, problems)
                fields.forEach { parts.show(this, it) }
                div("actions") {
                    submit(if (offered.hasReview) "Show the change" else offered.label)
                    a(href = visit.link(offered.home(subject)), classes = "button") { +"Back, without a change" }
                }
            }
        }
    }

    /** The second page: [review], with all entries of the first in it. */
    fun review(review: Review): Page = page {
        section {
            h2 { +"What will happen" }
            p("consequence") { +shownText(review.sentence) }
            review.content(this)
        }
        actionForm(visit, offered.address(subject)) {
            val all = checkNotNull(entered) { "A review follows a form." }
            all.names.filter { it !in OWN }.forEach { name -> all.all(name).forEach { hidden(name, it) } }
            div("actions") {
                submit(offered.label, CONFIRMED)
                button(type = ButtonType.submit) {
                    name = DECISION
                    value = AGAIN
                    +"Change the entries"
                }
                a(href = visit.link(offered.home(subject)), classes = "button") { +"Back, without a change" }
            }
        }
    }

    private fun page(content: MAIN.() -> Unit) = Page(offered.title(subject), offered.section, content = content)

    private fun reasons(): List<Field> = if (offered.isReasoned) listOf(reason()) else emptyList()

    private fun reason() = TextField(
        REASON,
        "Reason",
        hint = "Recorded with your name, for those who read the history later.",
        isRequired = true,
        suggestions = Recorded.reasons(visit),
    )

    private fun MAIN.problem(sentence: String) = p("problem") {
        role = "alert"
        +shownText(sentence)
    }

    private fun MAIN.back() = p { a(href = visit.link(offered.home(subject)), classes = "button") { +"Back" } }

    private fun FlowContent.submit(label: String, decision: String? = null) =
        button(type = ButtonType.submit, classes = if (offered.isDangerous) "danger" else "primary") {
            if (decision != null) {
                name = DECISION
                value = decision
            }
            +label
        }

    companion object {
        /** Names the request of the operator, so that it is done once. */
        const val KEY = "key"

        /** The state that the page showed. */
        const val SEEN = "seen"
        const val REASON = "reason"

        /** The button of the second page that was pressed. */
        const val DECISION = "decision"
        const val CONFIRMED = "confirmed"
        const val AGAIN = "again"

        /** Fields that a form makes anew. */
        val OWN = setOf(Guard.FIELD, DECISION)
    }
}
