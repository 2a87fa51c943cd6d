/** Actions of operators: who did what to which rows, and why. */
@NullMarked
package io.runledger.model.operator;

import org.jspecify.annotations.NullMarked;
