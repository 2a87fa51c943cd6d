/** When a step runs, as data: conditions on how steps ended and on values they left. */
@NullMarked
package io.runledger.model.condition;

import org.jspecify.annotations.NullMarked;
