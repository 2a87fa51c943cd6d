package io.runledger.console.app

import io.runledger.console.page.Assets
import kotlinx.html.FormMethod
import kotlinx.html.body
import kotlinx.html.button
import kotlinx.html.form
import kotlinx.html.h1
import kotlinx.html.head
import kotlinx.html.html
import kotlinx.html.lang
import kotlinx.html.link
import kotlinx.html.main
import kotlinx.html.meta
import kotlinx.html.stream.appendHTML
import kotlinx.html.title

private val styleVersion = checkNotNull(Assets().find("console.css")).version

/** Asks whether to sign out: an address alone changes nothing. */
internal fun signOutPage(): String = buildString {
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false).html {
        lang = "en"
        head {
            meta(charset = "utf-8")
            meta("viewport", "width=device-width, initial-scale=1")
            title { +"Sign out · Runledger" }
            link(rel = "stylesheet", href = "/asset/console.css?v=$styleVersion")
        }
        body {
            main {
                h1 { +"Sign out of this console?" }
                form(action = SignIn.OUT, method = FormMethod.post) { button { +"Sign out" } }
            }
        }
    }
}
