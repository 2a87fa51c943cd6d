package io.runledger.console.visit

import io.runledger.console.content.Page

/** What a screen returns for a request. */
internal sealed interface Answer

/** Shows a page. */
internal class Show(val page: Page, val status: Int = 200) : Answer

/** Sends the browser to another page, after a form was accepted. [path] is below the console and may have a query. */
internal class GoTo(val path: String) : Answer

/** Sends a document, such as a raw payload or a picture. */
internal class Document(val contentType: String, val text: String, val fileName: String? = null) : Answer
