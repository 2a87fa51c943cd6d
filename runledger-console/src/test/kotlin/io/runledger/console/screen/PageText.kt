package io.runledger.console.screen

import java.net.http.HttpResponse

/** What a person reads on a page: without tags, with single blanks. */
val HttpResponse<String>.readText: String
    get() = body().substringAfter("<main").substringAfter(">").substringBefore("</main>")
        .replace(Regex("<title>.*?</title>|<desc>.*?</desc>", RegexOption.DOT_MATCHES_ALL), " ")
        .replace(Regex("</?(?:b|i|a|bdi|span|time|h1|h2|h3)(?: [^>]*)?>"), "").replace(Regex("<[^>]*>"), " ")
        .replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
        .replace(Regex("\\s+"), " ").trim()

/** The body of the page without its frame. */
val HttpResponse<String>.mainHtml: String get() = body().substringAfter("<main").substringBefore("</main>")
