package io.runledger.console.picture

import io.runledger.console.picture.svg.StyleSheet

/** The style sheet of the pictures: light and dark, as the reader prefers or as `data-theme` says. */
public object PictureStyles {
    /** The style sheet for a page with pictures. Serve it as a file: a strict content security policy allows no inline styles. */
    @JvmStatic
    public fun css(): String = StyleSheet.text
}
