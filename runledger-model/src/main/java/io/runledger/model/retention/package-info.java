/** Requests to delete old rows, and reports of what was deleted. */
@NullMarked
package io.runledger.model.retention;

import org.jspecify.annotations.NullMarked;
