/** Workflow definitions: requests, builders, parameters, validation, and the states of runs and steps. */
@NullMarked
package io.runledger.model.workflow;

import org.jspecify.annotations.NullMarked;
