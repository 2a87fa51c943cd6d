package io.runledger.model.ledger;

import java.util.Map;
import java.util.UUID;

/**
 * Texts that differ from those of an earlier read if something has changed since. They have no other meaning.
 *
 * @param ledger differs if any row of the ledger has changed, also by a heartbeat of a worker; changes of the last second may be
 *     missing
 * @param jobs of the jobs that exist
 * @param runs of the runs that exist; differs also if a job of the run has changed
 */
public record ChangeMarks(String ledger, Map<UUID, String> jobs, Map<UUID, String> runs) {
    public ChangeMarks {
        jobs = Map.copyOf(jobs);
        runs = Map.copyOf(runs);
    }
}
