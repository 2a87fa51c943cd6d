package io.runledger.console.access

/** What a user of the console may do. Each role includes those before it. */
public enum class ConsoleRole {
    /** Reads the pages, with payloads redacted. */
    VIEWER,

    /** Also changes jobs, runs, gates and schedules in the user's scope. */
    OPERATOR,

    /** Also changes what all organizations share: workers and job types. */
    ADMINISTRATOR,
}
