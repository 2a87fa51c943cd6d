/** Handlers of jobs and steps, their context, and the outcomes they return. */
@NullMarked
package io.runledger.model.handler;

import org.jspecify.annotations.NullMarked;
