/** Workflow runs: queries, operator actions, gates, and the records that the client returns. */
@NullMarked
package io.runledger.model.run;

import org.jspecify.annotations.NullMarked;
