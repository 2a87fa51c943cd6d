/** Workers: their state, and orders to them. */
@NullMarked
package io.runledger.model.fleet;

import org.jspecify.annotations.NullMarked;
