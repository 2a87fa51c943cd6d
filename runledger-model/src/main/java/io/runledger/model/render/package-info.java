/** Diagrams of workflow definitions and runs: Mermaid, DOT and plain-text trees. */
@NullMarked
package io.runledger.model.render;

import org.jspecify.annotations.NullMarked;
