/** JSON as text, and the codec that turns values into it and back. */
@NullMarked
package io.runledger.model.json;

import org.jspecify.annotations.NullMarked;
