/** JSON text, and the codec that converts values to JSON and back. */
@NullMarked
package io.runledger.model.json;

import org.jspecify.annotations.NullMarked;
