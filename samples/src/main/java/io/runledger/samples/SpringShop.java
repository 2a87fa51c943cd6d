package io.runledger.samples;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.job.JobType;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** A Spring service whose {@code @Transactional} methods enqueue jobs. If Spring rolls back, the job is not enqueued. */
@Configuration
@EnableTransactionManagement
public class SpringShop {
    public record Shipment(String order) {}

    public static final JobType<Shipment> SHIP = JobType.of("shop.ship", Shipment.class);

    @Bean
    RunledgerClient ledger(DataSource dataSource) {
        return RunledgerClient.create(dataSource);
    }

    @Bean
    JdbcTransactionManager transactions(DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }

    @Bean
    Shop shop(DataSource dataSource, RunledgerClient ledger) {
        return new Shop(new JdbcTemplate(dataSource), ledger);
    }

    public static class Shop {
        private final JdbcTemplate jdbc;
        private final RunledgerClient ledger;

        Shop(JdbcTemplate jdbc, RunledgerClient ledger) {
            this.jdbc = jdbc;
            this.ledger = ledger;
        }

        @Transactional
        public UUID order(String number) {
            var job = enqueue(SHIP, new Shipment(number));
            jdbc.update("INSERT INTO shop_orders (number) VALUES (?)", number);
            return job;
        }

        /** Spring returns the connection of the transaction. Outside a transaction, the ledger refuses the connection. */
        <P> UUID enqueue(JobType<P> type, P payload) {
            return jdbc.execute((ConnectionCallback<UUID>) connection ->
                    ledger.within(connection).jobs().enqueue(type, payload).id());
        }
    }
}
