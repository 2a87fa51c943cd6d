/** For workers: claims, leases, and settlements of attempts. */
@NullMarked
package io.runledger.model.lease;

import org.jspecify.annotations.NullMarked;
