package io.runledger.console.page

import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.nav

/** Links to the views of a page. [tabs] are values of [parameter] with their labels; other parameters are not kept. */
internal fun FlowContent.tabs(visit: Visit, path: String, parameter: String, current: String, tabs: List<Pair<String, String>>) =
    nav("tabs") {
        attributes["aria-label"] = "Views"
        tabs.forEach { (value, label) ->
            a(href = visit.link(path, parameter to value)) {
                if (value == current) attributes["aria-current"] = "page"
                +label
            }
        }
    }
