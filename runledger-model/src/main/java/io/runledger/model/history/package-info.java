/** Events, history and lineage of jobs and runs. */
@NullMarked
package io.runledger.model.history;

import org.jspecify.annotations.NullMarked;
