import { createInterface } from 'node:readline'

const STRIDE = 500

const tell = line => process.stdout.write(`${line}\n`)

/** Says that a job begins, in the words of WorkerProcess. */
function jobTeller (isEachTold) {
  let ran = 0
  return () => {
    const now = process.hrtime.bigint()
    ran += 1
    if (isEachTold) tell(`AT ${now}`)
    else if (ran === 1) tell(`FIRST ${now}`)
    if (ran % STRIDE === 0) tell('RAN')
  }
}

function usedHeap () {
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

export const wait = millis => new Promise(resolve => setTimeout(resolve, millis))

/** Keeps so many runs in flight for some time. Answers with their number and the nanoseconds they took. */
async function runsInFlight (run, inFlight, millis) {
  const begin = process.hrtime.bigint()
  const limit = begin + BigInt(millis) * 1_000_000n
  let runs = 0
  await Promise.all(Array.from({ length: inFlight }, async () => {
    do {
      await run()
      runs += 1
    } while (process.hrtime.bigint() < limit)
  }))
  return `${runs} ${process.hrtime.bigint() - begin}`
}

/**
 * A worker process: takes the commands of WorkerProcess until its input ends. `start(onJob, waitMillis)` starts a worker whose jobs call
 * `onJob` when they begin and then wait, if that is not zero. It answers with the worker: `stop()` waits for its end, `enqueue(payload)`
 * enqueues one job, and `fan(width)` and `chain(length)`, if it has workflows, run one to its end.
 */
export async function serve (start) {
  let worker
  tell('READY')
  for await (const line of createInterface({ input: process.stdin })) {
    const now = process.hrtime.bigint()
    const [word, ...words] = line.split(' ')
    if (word === 'start') {
      const [waitMillis, told] = words
      worker = await start(jobTeller(told === 'each'), Number(waitMillis))
      tell(`STARTED ${now}`)
    } else if (word === 'stop') {
      await worker.stop()
      tell('STOPPED')
    } else if (word === 'heap') {
      tell(`HEAP ${usedHeap()}`)
    } else if (word === 'enqueue') {
      await worker.enqueue(JSON.parse(line.slice(word.length + 1)))
      tell(`ENQUEUED ${now}`)
    } else if (word === 'runs') {
      const [shape, size, inFlight, millis] = words
      tell(`RUNS ${await runsInFlight(() => worker[shape](Number(size)), Number(inFlight), Number(millis))}`)
    }
  }
  process.exit(0)
}
