/** Checks and formatting of texts; depends on no other package of the model. */
@NullMarked
package io.runledger.model.text;

import org.jspecify.annotations.NullMarked;
