package io.runledger.spring.shop

import io.runledger.coroutines.SuspendingJobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobType
import io.runledger.spring.TypedSuspendingJobHandler
import org.springframework.stereotype.Component

data class Reminder(val order: String)

val remind: JobType<Reminder> = JobType.of("remind", Reminder::class.java)

@Component
class Remind : TypedSuspendingJobHandler<Reminder> {
    override fun jobType() = remind

    override suspend fun handle(job: SuspendingJobContext<Reminder>): JobOutcome {
        job.writeLog(LogLevel.INFO, "Reminding of ${job.payload().order}")
        return JobOutcome.succeeded()
    }
}
