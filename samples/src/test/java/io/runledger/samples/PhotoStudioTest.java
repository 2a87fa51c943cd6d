package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.test.LedgerExtension;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@SuppressWarnings("try") // The worker is only closed.
class PhotoStudioTest {
    private PhotoStudio studio;

    @BeforeEach
    void build(DataSource dataSource) throws Exception {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE photos (name text PRIMARY KEY)");
        }
        studio = new PhotoStudio(dataSource);
    }

    @Test
    void aPhotoIsPublishedOnceItsSubjectConsents() throws Exception {
        try (var worker = studio.open()) {
            var run = studio.take(new PhotoStudio.Photo("bridge"));
            studio.consent(run);
            studio.consent(run);

            assertEquals("published: bridge, retouched", studio.published(run).get(1, TimeUnit.MINUTES));
            var story = studio.story(run);
            assertTrue(
                    story.containsAll(List.of("retouch SUCCEEDED", "consent SUCCEEDED", "publish SUCCEEDED")),
                    story::toString);
        }
    }
}
