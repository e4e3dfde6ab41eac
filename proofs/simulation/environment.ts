/**
 * Time, timers, random numbers and temporary files of the simulated processes. The product's code calls Node's
 * functions; for code that runs in a simulated process these are replaced, for all other code (the database's driver,
 * the test runner) they are Node's. The async context distinguishes the two.
 */
import crypto from 'node:crypto'
import dns from 'node:dns'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { currentProcess, type Scheduler, sleepIn } from './scheduler.ts'

/** The worker's pause while nothing is due (worker.ts). */
const POLL_MS = 250
/** The worker's pause between sweeps and between reconciliations (worker.ts). */
const SWEEP_EVERY_MS = 60_000

let scheduler: Scheduler | null = null
let sweepStretch = 1

/** @param stretch sweeps are as many times rarer, because each is several statements that mostly find nothing */
export function useScheduler(next: Scheduler, stretch: number): void {
  scheduler = next
  sweepStretch = stretch
}

let draws = 0
/** How often a simulated process has drawn random bytes. */
export const drawsOfBytes = (): number => draws

/** The scheduler, when a simulated process runs. */
const simulated = () => {
  const process = currentProcess.getStore()
  return process && scheduler ? { process, scheduler } : null
}

class SimulatedTimer {
  cancel: () => void = () => {}
  ref = () => this
  unref = () => this
  hasRef = () => true
}

type Callback = (...args: unknown[]) => void

/** Replaces the functions for the life of the program. */
export function installEnvironment(): void {
  replaceTimers()
  replaceClock()
  replaceRandom()
  replaceFiles()
  const { lookup } = dns
  Object.assign(dns, {
    // A call that leaves the simulation takes real time, in which simulated hours pass.
    lookup: (...args: Parameters<typeof lookup>) => {
      if (simulated()) throw new Error('a simulated process uses the real network')
      return lookup(...args)
    },
  })
  // The named imports of these modules read the replaced functions from now on.
  syncBuiltinESMExports()
}

function replaceTimers(): void {
  const real = {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    sleep: timers.setTimeout,
  }
  const fakeTimeout = (callback: Callback, ms = 0, ...args: unknown[]) => {
    const at = simulated()
    if (!at) return real.setTimeout(callback, ms, ...args)
    const timer = new SimulatedTimer()
    const run = () => currentProcess.run(at.process, () => callback(...args))
    const isPoll = at.process.kind === 'worker' && ms === POLL_MS
    timer.cancel = (isPoll ? at.scheduler.afterPoll : at.scheduler.after)(Math.max(1, ms), at.process, run).cancel
    return timer
  }
  const fakeInterval = (callback: Callback, ms = 0, ...args: unknown[]) => {
    const at = simulated()
    if (!at) return real.setInterval(callback, ms, ...args)
    const timer = new SimulatedTimer()
    const arm = () => {
      timer.cancel = at.scheduler.after(Math.max(1, ms), at.process, () => {
        arm()
        currentProcess.run(at.process, () => callback(...args))
      }).cancel
    }
    arm()
    return timer
  }
  const clear = (clearReal: (timer: never) => void) => (timer: unknown) =>
    timer instanceof SimulatedTimer ? timer.cancel() : clearReal(timer as never)
  Object.assign(globalThis, {
    setTimeout: fakeTimeout,
    setInterval: fakeInterval,
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
    setImmediate: (callback: Callback, ...args: unknown[]) => {
      const at = simulated()
      if (!at) return real.setImmediate(callback, ...args)
      at.scheduler.after(0, at.process, () => currentProcess.run(at.process, () => callback(...args)))
    },
  })
  Object.assign(timers, {
    setTimeout: (ms: number, value: unknown, options: { signal?: AbortSignal } = {}) => {
      const at = simulated()
      if (!at) return real.sleep(ms, value, options)
      const delayMs = ms === SWEEP_EVERY_MS ? ms * sweepStretch : ms
      return sleepIn(at.scheduler, at.process, delayMs, options.signal)
    },
  })
}

function replaceClock(): void {
  const realNow = Date.now
  const realPerformanceNow = performance.now.bind(performance)
  Date.now = () => {
    const at = simulated()
    return at ? Math.floor(at.scheduler.nowMs() + at.process.skewMs) : realNow()
  }
  performance.now = () => simulated()?.scheduler.nowMs() ?? realPerformanceNow()
}

function replaceRandom(): void {
  const realRandom = Math.random
  const { randomUUID, randomBytes } = crypto
  Math.random = () => simulated()?.scheduler.random.next() ?? realRandom()
  Object.assign(crypto, {
    randomUUID: () => simulated()?.scheduler.random.uuid() ?? randomUUID(),
    randomBytes: (size: number) => {
      const at = simulated()
      if (at) draws++
      return at?.scheduler.random.bytes(size) ?? randomBytes(size)
    },
  })
}

function replaceFiles(): void {
  const { mkdir, rm, readdir, rmdir, stat } = fs
  Object.assign(fs, {
    mkdir: (...args: Parameters<typeof mkdir>) => (simulated() ? Promise.resolve() : mkdir(...args)),
    rm: async (...args: Parameters<typeof rm>) => {
      const at = simulated()
      if (!at) return await rm(...args)
      for (const path of at.process.files.keys()) {
        if (path.startsWith(String(args[0]))) at.process.files.delete(path)
      }
    },
    readdir: (...args: Parameters<typeof readdir>) => (simulated() ? Promise.resolve([]) : readdir(...args)),
    rmdir: (...args: Parameters<typeof rmdir>) => (simulated() ? Promise.resolve() : rmdir(...args)),
    stat: (...args: Parameters<typeof stat>) =>
      simulated() ? Promise.reject(new Error('no such file')) : stat(...args),
  })
}
