/** What is asked for: job, workflow, append and schedule requests, their builders and their validation. */
@NullMarked
package io.runledger.model.spec;

import org.jspecify.annotations.NullMarked;
