import { PgBoss } from 'pg-boss'
import { serve, wait } from './worker.mjs'

const QUEUE = 'bench'
const BATCH = 1_000
const WORKERS = 4
const WAITING_WORKERS = 10_000 / BATCH

const [role, connectionString] = process.argv.slice(2)

async function open () {
  const boss = new PgBoss({ connectionString, useListenNotify: true, schedule: false })
  boss.on('error', console.error)
  boss.on('warning', warning => console.error(warning.message))
  return await boss.start()
}

async function install () {
  const boss = await open()
  await boss.createQueue(QUEUE, { partition: true, notify: true })
  await boss.stop()
}

/** The statements of `send()` and `insert()`, told by the library itself to the `db` that its callers may bring. */
async function statements () {
  const boss = await open()
  const texts = []
  const db = {
    executeSql: async text => {
      texts.push(encodeURIComponent(text))
      return { rows: [{ id: '' }] }
    }
  }
  await boss.send(QUEUE, {}, { db })
  await boss.insert(QUEUE, [{ data: {} }], { db })
  await boss.stop()
  console.log(texts.join('\n'))
}

async function start (onJob, waitMillis) {
  const boss = await open()
  const options = {
    batchSize: BATCH,
    burstWhenBatchFull: true,
    localConcurrency: waitMillis > 0 ? WAITING_WORKERS : WORKERS,
    pollingIntervalSeconds: 0.5
  }
  await boss.work(QUEUE, options, waitMillis > 0
    ? async jobs => {
      for (const _ of jobs) onJob()
      await wait(waitMillis)
    }
    : async jobs => {
      for (const _ of jobs) onJob()
    })
  return () => boss.stop()
}

if (role === 'install') await install()
else if (role === 'statements') await statements()
else await serve(start)
