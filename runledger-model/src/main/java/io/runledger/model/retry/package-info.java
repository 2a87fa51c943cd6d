/** Retry policies: delays, jitter and rules. */
@NullMarked
package io.runledger.model.retry;

import org.jspecify.annotations.NullMarked;
