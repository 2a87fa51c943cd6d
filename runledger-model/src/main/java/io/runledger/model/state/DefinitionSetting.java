package io.runledger.model.state;

/** What code declares about a job type and an operator can change. */
public enum DefinitionSetting {
    /** Attempts of a job that names none. */
    MAX_ATTEMPTS,
    /** Timeout of a job that names none. */
    TIMEOUT,
    /** Priority of a job that names none. */
    PRIORITY,
    /** How failures are retried. */
    RETRY_POLICY,
    /** Whether new jobs are accepted. */
    ENABLED
}
