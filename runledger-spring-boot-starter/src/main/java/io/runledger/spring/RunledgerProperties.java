package io.runledger.spring;

import io.runledger.model.job.JobStatus;
import io.runledger.model.workflow.WorkflowRunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code runledger.*}. An unknown property is refused at the start of the application. A value that is
 * null leaves the setting at the default of {@code RunledgerClient.Builder} or {@code WorkerConfig}.
 *
 * @param enabled whether there is a client and a worker
 * @param schema the schema of the ledger
 * @param migrate what to do with the schema at the start
 * @param dataSource the name of the bean with the ledger's data source, if there are several and none is primary
 * @param listenDataSource the name of the bean with the data source of the listener connection
 * @param joinTransactions whether the client joins Spring's current transaction
 * @param notifications whether the client sends and receives notifications
 */
@ConfigurationProperties(prefix = RunledgerProperties.PREFIX, ignoreUnknownFields = false)
public record RunledgerProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String schema,
        @DefaultValue("on") Migrate migrate,
        @Nullable String dataSource,
        @Nullable String listenDataSource,
        @DefaultValue("true") boolean joinTransactions,
        @Nullable Boolean notifications,
        @DefaultValue Limits limits,
        @DefaultValue Worker worker,
        @DefaultValue Console console) {
    static final String PREFIX = "runledger";

    /** What to do with the schema of the ledger at the start. */
    public enum Migrate {
        /** Creates the ledger or migrates it. Also {@code true}. */
        ON,
        /** Checks that this build can work with the schema, and changes nothing. */
        CHECK,
        /** Does nothing. Also {@code false}. */
        OFF
    }

    /** The size limits of the client; see {@code RunledgerClient.Builder}. */
    public record Limits(
            @Nullable DataSize payload,
            @Nullable DataSize output,
            @Nullable DataSize checkpoint,
            @Nullable DataSize context,
            @Nullable DataSize facts,
            @Nullable Integer logLines) {}

    /**
     * The settings of the worker. Those that are not described here have the names and meanings of
     * {@code WorkerConfig}.
     *
     * @param enabled whether the worker starts; by default if there is a handler
     * @param declareTypes whether the worker declares the job types of its handlers before it starts
     * @param readiness whether the application refuses traffic while the worker cannot work
     */
    public record Worker(
            @Nullable Boolean enabled,
            @DefaultValue("true") boolean declareTypes,
            @DefaultValue("true") boolean readiness,
            @Nullable String workerId,
            @Nullable List<String> labels,
            @Nullable List<String> queues,
            @Nullable String applicationVersion,
            @Nullable Integer maxConcurrency,
            @DefaultValue Map<String, Integer> typeLimits,
            @Nullable Integer claimBatchSize,
            @Nullable Duration lease,
            @Nullable Duration pollInterval,
            @Nullable Duration maxPollInterval,
            @Nullable Duration shutdownGrace,
            @Nullable Duration stopGrace,
            @Nullable Boolean scheduler,
            @Nullable Duration schedulerInterval,
            @Nullable Boolean reaper,
            @Nullable Duration reaperInterval,
            @Nullable Duration reaperRetryDelay,
            @Nullable Duration hookTimeout,
            @Nullable Duration triggerTimeout,
            @DefaultValue("false") boolean keepEverything,
            @DefaultValue Map<JobStatus, Duration> retention,
            @DefaultValue Map<WorkflowRunStatus, Duration> runRetention,
            @Nullable Duration fireRetention,
            @Nullable Duration pollRetention,
            @Nullable Duration workerRetention,
            @Nullable Duration janitorInterval,
            @Nullable Duration beatInterval) {}

    /**
     * The console in the browser. It needs {@code runledger-console} and a servlet container.
     *
     * @param enabled whether there is a console
     * @param path where it is mounted, below the path of the application
     * @param access how its users are found if there is no bean {@code ConsoleAccess}
     * @param roles the roles of the application that may use it
     */
    public record Console(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("/runledger") String path,
            @DefaultValue("roles") Access access,
            @DefaultValue Roles roles) {
        /** How the users of the console are found. */
        public enum Access {
            /** The signed-in user of a request, with the roles of {@link Roles}. */
            ROLES,
            /** Any program on the same machine, as an administrator. For development only. */
            LOCAL
        }

        /** The roles of the application that may use the console, by what they may do there. */
        public record Roles(
                @DefaultValue("RUNLEDGER_VIEWER") List<String> viewer,
                @DefaultValue("RUNLEDGER_OPERATOR") List<String> operator,
                @DefaultValue("RUNLEDGER_ADMINISTRATOR") List<String> administrator) {}
    }
}
