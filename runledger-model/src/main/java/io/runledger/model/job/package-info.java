/** Jobs: types, requests, queries, operator actions, and the records that the client returns. */
@NullMarked
package io.runledger.model.job;

import org.jspecify.annotations.NullMarked;
