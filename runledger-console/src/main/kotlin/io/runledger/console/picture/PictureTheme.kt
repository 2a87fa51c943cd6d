package io.runledger.console.picture

/** The colors of a standalone picture. A picture in a page has the colors of the page. */
public enum class PictureTheme {
    /** Light or dark, as the viewer prefers. */
    AUTO,

    /** Dark text on a light background. */
    LIGHT,

    /** Light text on a dark background. */
    DARK,
}
