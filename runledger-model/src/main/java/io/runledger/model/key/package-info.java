/** Keys of jobs: what an enqueue does if an earlier job has the same key. */
@NullMarked
package io.runledger.model.key;

import org.jspecify.annotations.NullMarked;
