package io.runledger.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.console.access.AccessRefusedException;
import io.runledger.console.access.ConsoleAccess;
import io.runledger.console.access.ConsoleRole;
import io.runledger.console.access.ConsoleUser;
import io.runledger.console.content.Redaction;
import io.runledger.console.http.ConsoleRequest;
import io.runledger.console.jdk.ConsoleServer;
import io.runledger.console.servlet.ConsoleServlet;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.test.TestLedger;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The console from Java. */
class ConsoleTest {
    private static final JobType<String> MAIL = JobType.of("mail", String.class);

    @Test
    void aConsoleRunsOnTheServerOfTheJdk() throws Exception {
        try (var ledger = TestLedger.fresh();
                var console = Console.builder(ledger.client())
                        .readWith(ledger.client())
                        .access(request -> {
                            var name = request.header("User");
                            if (name == null) {
                                throw new AccessRefusedException("Sign in first.", false);
                            }
                            return new ConsoleUser(name, ConsoleRole.OPERATOR, Scope.organization(UUID.randomUUID()));
                        })
                        .redaction(Redaction.USUAL.also("birthday"))
                        .jobTypes(List.of(MAIL))
                        .signOutAt("/logout")
                        .refreshInterval(Duration.ofSeconds(1))
                        .build();
                var server = ConsoleServer.start(console, new InetSocketAddress("127.0.0.1", 0), "/ops")) {
            assertEquals(200, status(server.address(), "ada"));
            assertEquals(401, status(server.address(), null));
            console.endStreams();
        }
    }

    @Test
    void aConsoleIsAServlet() {
        try (var ledger = TestLedger.fresh();
                var console = Console.builder(ledger.client())
                        .access(ConsoleAccess.always(
                                new ConsoleUser("ada", ConsoleRole.ADMINISTRATOR, Scope.everything())))
                        .build()) {
            var servlet = new ConsoleServlet(console);

            assertTrue(servlet.getServletInfo().isEmpty());
        }
    }

    /** The code on the page docs/console.md. */
    @Test
    void aConsoleTakesAFreePort() throws Exception {
        try (var ledger = TestLedger.fresh()) {
            var client = ledger.client();
            var console = Console.builder(client)
                    .access(request -> new ConsoleUser(nameOf(request), ConsoleRole.OPERATOR, Scope.everything()))
                    .build();
            var server = ConsoleServer.start(console);

            assertEquals(200, status(server.address(), "ada"));
            server.close();
            console.close();
        }
    }

    private static String nameOf(ConsoleRequest request) {
        return request.header("User");
    }

    @Test
    void theRolesAreOrdered() {
        var user = new ConsoleUser("ada", ConsoleRole.OPERATOR, Scope.global());

        assertTrue(user.may(ConsoleRole.VIEWER));
        assertSame(ConsoleRole.OPERATOR, user.role());
        assertThrows(IllegalArgumentException.class, () -> new ConsoleUser(" ", ConsoleRole.VIEWER, Scope.global()));
    }

    private static int status(URI address, String user) throws Exception {
        var request = HttpRequest.newBuilder(address);
        if (user != null) {
            request.header("User", user);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.discarding())
                .statusCode();
    }
}
