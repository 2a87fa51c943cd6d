package io.runledger.spring.beans;

import io.runledger.console.Console;
import io.runledger.console.access.ConsoleAccess;
import io.runledger.console.access.ConsoleRole;
import io.runledger.console.access.ConsoleUser;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.ledger.Scope;
import io.runledger.spring.console.RunledgerConsoleCustomizer;
import io.runledger.spring.console.RunledgerConsoleRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

public final class ConsoleBeans {
    private ConsoleBeans() {}

    @Configuration(proxyBeanMethods = false)
    public static class Security {
        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/runledger/**"))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class Tenants {
        @Bean
        ConsoleAccess consoleAccess() {
            return request -> {
                var tenant = ((HttpServletRequest) request.hostRequest()).getUserPrincipal();
                if (tenant == null) {
                    return null;
                }
                return new ConsoleUser(
                        tenant.getName(), ConsoleRole.OPERATOR, Scope.organization(organizationOf(tenant)));
            };
        }

        private static UUID organizationOf(java.security.Principal tenant) {
            return UUID.nameUUIDFromBytes(tenant.getName().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class Replica {
        @Bean
        RunledgerConsoleCustomizer readFromReplica(@Qualifier("replica") DataSource replica) {
            return console -> console.readWith(RunledgerClient.create(replica)).signOutAt("/logout");
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class AuditConsole {
        @Bean
        RunledgerConsoleRegistration auditConsole(@Qualifier("audit") RunledgerClient ledger, ConsoleAccess access) {
            return new RunledgerConsoleRegistration(
                    Console.builder(ledger).access(access).build(), "/audit");
        }
    }
}
