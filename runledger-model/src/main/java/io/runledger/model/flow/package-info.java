/** Limits, rates, order, fair shares and queues: what jobs and job types declare, and what is in force. */
@NullMarked
package io.runledger.model.flow;

import org.jspecify.annotations.NullMarked;
