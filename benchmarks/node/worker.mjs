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

/**
 * A worker process: takes commands line by line until its input ends. `start(onJob, waitMillis)` starts a worker whose jobs call
 * `onJob` when they begin and then wait, if that is not zero; it answers with a function that stops the worker and waits for its end.
 */
export async function serve (start) {
  let stop = async () => {}
  tell('READY')
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, waitMillis, told] = line.split(' ')
    if (word === 'start') {
      stop = await start(jobTeller(told === 'each'), Number(waitMillis))
      tell('STARTED')
    } else if (word === 'stop') {
      await stop()
      tell('STOPPED')
    } else if (word === 'heap') {
      tell(`HEAP ${usedHeap()}`)
    }
  }
  process.exit(0)
}
