/** Conditions of steps, on how other steps ended and on their outputs. */
@NullMarked
package io.runledger.model.condition;

import org.jspecify.annotations.NullMarked;
