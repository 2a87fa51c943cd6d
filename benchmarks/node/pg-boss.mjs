import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { serve, wait } from './worker.mjs'

const QUEUE = 'bench'
const WAITING_BATCH = 1_000
const WAITING_WORKERS = 10_000 / WAITING_BATCH

const [role, connectionString, batchSize, workers, pollMillis] = process.argv.slice(2)

async function open () {
  const boss = new PgBoss({ connectionString, useListenNotify: true, schedule: false, flowIntervalSeconds: 1 })
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

/** Runs of dependent jobs. A run counts as ended when its last job begins, since nothing tells that the job is stored as completed. */
class Flows {
  #boss
  #ends = new Map()

  constructor (boss) {
    this.#boss = boss
  }

  async run (jobs) {
    const id = randomUUID()
    const end = new Promise(resolve => this.#ends.set(id, resolve))
    jobs.at(-1).data = { end: id }
    await this.#boss.flow(jobs.map(job => ({ name: QUEUE, data: {}, ...job })))
    await end
  }

  began (job) {
    const end = job.data.end
    if (end === undefined) return
    this.#ends.get(end)()
    this.#ends.delete(end)
  }
}

function fan (width) {
  const middle = Array.from({ length: width }, (_, n) => `middle-${n}`)
  return [{ ref: 'first' }, ...middle.map(ref => ({ ref, dependsOn: ['first'] })), { ref: 'last', dependsOn: middle }]
}

function chain (length) {
  return Array.from({ length }, (_, n) => ({ ref: `link-${n}`, dependsOn: n === 0 ? [] : [`link-${n - 1}`] }))
}

async function start (onJob, waitMillis) {
  const boss = await open()
  const flows = new Flows(boss)
  const options = {
    batchSize: waitMillis > 0 ? WAITING_BATCH : Number(batchSize),
    burstWhenBatchFull: true,
    localConcurrency: waitMillis > 0 ? WAITING_WORKERS : Number(workers),
    pollingIntervalSeconds: 0.5,
    notifyPollingIntervalSeconds: Number(pollMillis) / 1_000
  }
  await boss.work(QUEUE, options, waitMillis > 0
    ? async jobs => {
      for (const _ of jobs) onJob()
      await wait(waitMillis)
    }
    : async jobs => {
      for (const job of jobs) {
        onJob()
        flows.began(job)
      }
    })
  return {
    stop: () => boss.stop(),
    enqueue: payload => boss.send(QUEUE, payload),
    fan: width => flows.run(fan(width)),
    chain: length => flows.run(chain(length))
  }
}

if (role === 'install') await install()
else if (role === 'statements') await statements()
else await serve(start)
