/** Workflows as pictures: a definition or a run as Mermaid, DOT or a plain-text tree. */
@NullMarked
package io.runledger.model.render;

import org.jspecify.annotations.NullMarked;
