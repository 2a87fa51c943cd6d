import { EventEmitter, once } from 'node:events'
import { serve, wait } from './worker.mjs'

// Read when the library is loaded: a line in the log for every finished job would be measured with it.
process.env.NO_LOG_SUCCESS = '1'
const { Logger, run, runMigrations } = await import('graphile-worker')

const CONCURRENCY = 24
const LOCAL_QUEUE = 500
const WAITING_CONCURRENCY = 10_000

const logger = new Logger(() => (level, message) => {
  if (level === 'error') console.error(message)
})

const [role, connectionString, batchDelay] = process.argv.slice(2)

async function start (onJob, waitMillis) {
  const events = new EventEmitter()
  const listening = once(events, 'pool:listen:success')
  const runner = await run({
    events,
    logger,
    noHandleSignals: true,
    parsedCronItems: [],
    taskList: {
      noop: waitMillis > 0
        ? async () => {
          onJob()
          await wait(waitMillis)
        }
        : async () => onJob()
    },
    preset: {
      worker: {
        connectionString,
        // The library's performance page: the concurrency, the pool and the local queue behind its figures. Where many jobs wait,
        // the local queue holds one more than run at once.
        concurrentJobs: waitMillis > 0 ? WAITING_CONCURRENCY : CONCURRENCY,
        maxPoolSize: CONCURRENCY + 1,
        localQueue: { size: waitMillis > 0 ? WAITING_CONCURRENCY + 1 : LOCAL_QUEUE },
        completeJobBatchDelay: Number(batchDelay),
        failJobBatchDelay: Number(batchDelay)
      }
    }
  })
  await listening
  return {
    stop: () => runner.stop(),
    enqueue: payload => runner.addJob('noop', payload)
  }
}

if (role === 'install') await runMigrations({ connectionString, logger })
else await serve(start)
