/** Identifiers, UUIDs of version 7, and the limits of values that a row can hold. */
@NullMarked
package io.runledger.model.value;

import org.jspecify.annotations.NullMarked;
