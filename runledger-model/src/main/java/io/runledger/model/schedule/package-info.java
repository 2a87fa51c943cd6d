/** Schedules: requests, fires, polls of triggers, and the records that the client returns. */
@NullMarked
package io.runledger.model.schedule;

import org.jspecify.annotations.NullMarked;
