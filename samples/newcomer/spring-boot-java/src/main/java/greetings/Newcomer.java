package greetings;

import io.runledger.coroutines.Handlers;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.postgres.EmbeddedPostgres;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class Newcomer {
    static final JobType<String> GREET = JobType.of("greet", String.class), SHOUT = JobType.of("shout", String.class);
    @Bean DataSource database() {
        return EmbeddedPostgres.start().database("postgres").dataSource();
    }
    @Bean Handlers handlers() {
        return Handlers.builder().blocking(GREET, job -> {
            System.out.println("Hello, " + job.payload() + "!");
            return JobOutcome.succeeded("Hello, " + job.payload() + "!");
        }).blocking(SHOUT, job -> JobOutcome.succeeded(job.output("greet", String.class).orElseThrow().toUpperCase())).build();
    }

    public static void main(String[] args) {
        try (var app = SpringApplication.run(Newcomer.class)) {
            var client = app.getBean(RunledgerClient.class);
            client.jobs().enqueue(GREET, "Ada");
            var loud = WorkflowRequest.builder("greet-loudly");
            var hello = loud.job("greet", GREET, "Grace");
            var shouted = loud.job("shout", job -> job.runs(SHOUT, "Grace").after(hello));
            var run = client.workflows().enqueue(loud.result(shouted).build()).runId();
            System.out.println(client.workflows().awaitResult(Scope.global(), run, String.class).join());
        }
    }
}
