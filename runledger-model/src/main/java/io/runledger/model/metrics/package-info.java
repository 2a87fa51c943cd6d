/** Numbers about ended attempts: throughput, failures and durations. */
@NullMarked
package io.runledger.model.metrics;

import org.jspecify.annotations.NullMarked;
