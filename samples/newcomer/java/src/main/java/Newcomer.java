import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.workflow.WorkflowRequest;
import io.runledger.model.ledger.Scope;
import io.runledger.postgres.EmbeddedPostgres;

public class Newcomer {
    record Greeting(String name) {}

    static final JobType<Greeting> GREET = JobType.of("greet", Greeting.class);
    static final JobType<Greeting> SHOUT = JobType.of("shout", Greeting.class);

    public static void main(String[] args) {
        try (var server = EmbeddedPostgres.start()) {
            var client = RunledgerClient.create(server.database("postgres").dataSource());
            client.migrate();
            var handlers = Handlers.builder()
                    .blocking(GREET, job -> {
                        System.out.println("Hello, " + job.payload().name() + "!");
                        return JobOutcome.succeeded("Hello, " + job.payload().name() + "!");
                    })
                    .blocking(SHOUT, job -> JobOutcome.succeeded(job.output("greet", String.class).orElseThrow().toUpperCase()))
                    .build();
            client.definitions().sync(handlers.jobTypes());
            try (var worker = RunledgerWorker.builder(client).handlers(handlers).start()) {
                client.jobs().enqueue(GREET, new Greeting("Ada"));
                var loud = WorkflowRequest.builder("greet-loudly");
                var greeted = loud.job("greet", GREET, new Greeting("Grace"));
                var shouted = loud.job("shout", job -> job.runs(SHOUT, new Greeting("Grace")).after(greeted));
                var run = client.workflows().enqueue(loud.result(shouted).build()).runId();
                System.out.println(client.workflows().awaitResult(Scope.global(), run, String.class).join());
            }
        }
    }
}
