/** What the simulated processes of the current run reach: the scheduler, the fault injector, other hosts. */

import type { FaultInjector } from './fault-injector.ts'
import { currentProcess, type Process, type Scheduler, sleepIn } from './scheduler.ts'

/** `delayMs`: how long the host works on it. */
export type Response = { status: number; headers?: Record<string, string>; body: unknown; delayMs?: number }
export type Request = { method: string; url: URL; headers: Record<string, string>; body: string }

export type Services = {
  scheduler: Scheduler
  injector: FaultInjector
  /** The other side of a request; `silence`: no response. */
  host: (request: Request) => Response | 'silence' | Promise<Response | 'silence'>
}

let services: Services | null = null
export function useServices(next: Services): void {
  services = next
}

export function currentServices() {
  const process = currentProcess.getStore() as Process
  if (!services || !process) throw new Error('this code runs in simulated processes only')
  const { scheduler } = services
  return { ...services, process, settle: (ms: number, signal?: AbortSignal) => sleepIn(scheduler, process, ms, signal) }
}
