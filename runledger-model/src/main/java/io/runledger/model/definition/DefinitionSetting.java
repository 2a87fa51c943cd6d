package io.runledger.model.definition;

/** A setting of a job type that code declares and an operator can override. */
public enum DefinitionSetting {
    /** Default number of attempts. */
    MAX_ATTEMPTS,
    /** Default timeout. */
    TIMEOUT,
    /** Default priority. */
    PRIORITY,
    /** Retry policy. */
    RETRY_POLICY,
    /** Whether new jobs are accepted. */
    ENABLED
}
