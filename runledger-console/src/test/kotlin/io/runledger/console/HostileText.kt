package io.runledger.console

import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.visit.PathPart

/** A name with everything that has a meaning in addresses or in HTML. */
const val HOSTILE: String = "a/b c?d#e%2F&<img src=x onerror=alert(1)>\"'‮ü"

/** How the name stands in a path. */
val HOSTILE_IN_PATH: String = PathPart.of(HOSTILE)

/** The name is on the page as text, and nothing of it became a part of the page. */
fun String.shouldShowAsText() {
    shouldContain("a/b c?d#e%2F&amp;&lt;img src=x onerror=alert(1)&gt;")
    shouldNotContain("<img")
    // The sign that reverses the direction of text is written as its code.
    shouldNotContain("‮")
    shouldContain("⟨U+202E⟩")
}
