package io.runledger.spring.beans;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.spring.RunledgerWorkerCustomizer;
import io.runledger.spring.RunledgerWorkerLifecycle;
import io.runledger.spring.SpringTransaction;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

public final class MoreBeans {
    private MoreBeans() {}

    public static final JobType<String> INVOICE = JobType.of("invoice", String.class);
    public static final JobType<String> COLLECT = JobType.of("collect", String.class);
    public static final JobType<String> RECORD = JobType.of("record", String.class);

    @Configuration(proxyBeanMethods = false)
    public static class ListedHandlers {
        @Bean
        Handlers invoices() {
            return Handlers.builder()
                    .blocking(INVOICE, job -> JobOutcome.succeeded("invoice of " + job.payload()))
                    .async(COLLECT, job -> CompletableFuture.supplyAsync(JobOutcome::succeeded))
                    .build();
        }

        @Bean
        RunledgerWorkerCustomizer alarm() {
            return worker -> worker.onDeadLetter("alarm", letter -> System.err.println(letter));
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class AuditLedger {
        @Bean(defaultCandidate = false)
        @Qualifier("audit")
        RunledgerClient auditLedger(DataSource dataSource) {
            var ledger = RunledgerClient.builder(dataSource)
                    .schema("audit")
                    .joinCurrentTransaction(new SpringTransaction(dataSource))
                    .build();
            ledger.migrate();
            return ledger;
        }

        @Bean
        RunledgerWorkerLifecycle auditWorker(@Qualifier("audit") RunledgerClient ledger) {
            var handlers = Handlers.builder()
                    .blocking(RECORD, job -> JobOutcome.succeeded(job.payload()))
                    .build();
            return new RunledgerWorkerLifecycle(() -> {
                ledger.definitions().sync(handlers.jobTypes());
                return RunledgerWorker.builder(ledger).handlers(handlers);
            });
        }
    }
}
