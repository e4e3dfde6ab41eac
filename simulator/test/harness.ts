/**
 * The real simulator as a process of its own on a free port, and a real receiver of its callbacks. What a test starts here
 * ends with the test; what a file starts ends with the file.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const WAIT_MS_MAX = 30_000

export type Received = { url: URL; headers: Record<string, unknown>; body: string }
export type Simulator = { url: string; child: ChildProcess; dataDir: string; log: string[] }
export type Shown = {
  taskId: string
  state: string
  prompt: string
  submits: number
  acceptedAt: number
  startsAt: number
  finishesAt: number
  endedAt: number | null
  progress: number
  callbacksLeft: number
  callbackUrl: string | null
  callbacks: { at: string; kind: string; status: number | null }[]
}

const cleanUps: (() => unknown)[] = []

/** Runs the step when the test ends, or the file when it was called outside every test; the last one registered runs first. */
function cleanUpLater(step: () => unknown): void {
  if (cleanUps.length === 0) {
    after(async () => {
      for (const each of cleanUps.splice(0).reverse()) await each()
    })
  }
  cleanUps.push(step)
}

export function newDataDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'kinora-simulator-'))
  cleanUpLater(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}

/** @param env settings; without SIMULATOR_PACE nothing waits, without SIMULATOR_DATA_DIR a fresh folder is used */
export async function startSimulator(env: Record<string, string> = {}): Promise<Simulator> {
  const dataDir = env.SIMULATOR_DATA_DIR ?? newDataDir()
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SIMULATOR_PORT: '0',
      SIMULATOR_PACE: '0',
      SIMULATOR_DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanUpLater(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const log: string[] = []
  const lines = createInterface({ input: child.stdout })
  const [first] = await Promise.race([
    once(lines, 'line') as Promise<[string]>,
    once(child, 'exit').then(() => Promise.reject(new Error('The simulator ended before it listened.'))),
  ])
  lines.on('line', (line) => log.push(line))
  return { url: (JSON.parse(first) as { listening: string }).listening, child, dataDir, log }
}

/** A server on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<{ base: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  cleanUpLater(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** @param answer the status for the n-th callback of a video, counted from 0 */
export async function startReceiver(answer: (n: number) => number = () => 200) {
  const received: Received[] = []
  const { base } = await listen(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const url = new URL(request.url ?? '', 'http://receiver')
    const earlier = received.filter((other) => other.url.search === url.search).length
    received.push({ url, headers: request.headers, body })
    response.writeHead(answer(earlier)).end()
  })
  const of = (ref: string): Received[] => received.filter(({ url }) => url.searchParams.get('ref') === ref)
  return { base, of }
}

/** Asks again and again until the answer is there; fails when it never comes. */
export async function waitFor<Found>(
  what: string,
  look: () => Promise<Found | false | null | undefined> | Found | false | null | undefined,
): Promise<Found> {
  const deadline = Date.now() + WAIT_MS_MAX
  while (Date.now() < deadline) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  throw new Error(`This never came about: ${what}`)
}

export type Order = {
  ref: string
  prompt?: string
  model?: string
  duration?: number
  aspectRatio?: string
  quality?: string
  imageUrls?: string[]
  key?: string
  signal?: AbortSignal
  receiver?: { base: string }
}

export function submitA(simulator: Simulator, order: Order): Promise<Response> {
  return fetch(`${simulator.url}/provider-a/v1/videos/generations`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': order.ref,
      ...(order.key ? { authorization: `Bearer ${order.key}` } : {}),
    },
    body: JSON.stringify({
      model: order.model ?? 'alpha-2',
      callback_url: callbackUrl(order, 'provider-a'),
      ...input(order),
    }),
    signal: order.signal ?? null,
  })
}

export function submitB(simulator: Simulator, order: Order): Promise<Response> {
  return fetch(`${simulator.url}/provider-b/api/v1/jobs/createTask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(order.key ? { authorization: `Bearer ${order.key}` } : {}) },
    body: JSON.stringify({
      model: order.model ?? 'alpha-2',
      callBackUrl: callbackUrl(order, 'provider-b'),
      input: input(order),
    }),
    signal: order.signal ?? null,
  })
}

export async function shownTasks(simulator: Simulator): Promise<Shown[]> {
  return (await (await fetch(`${simulator.url}/simulator/tasks`)).json()) as Shown[]
}

export async function shownTask(simulator: Simulator, taskId: string): Promise<Shown> {
  const task = (await shownTasks(simulator)).find((shown) => shown.taskId === taskId)
  if (!task) throw new Error(`The simulator does not know ${taskId}.`)
  return task
}

export type AnswerA = {
  id: string
  object: string
  status: string
  progress: number
  task_info: { estimated_time: number }
  results?: string[]
  error: { code: string; message: string; type?: string }
}

export type AnswerB = {
  code: number
  msg: string
  data: {
    taskId: string
    state: string
    resultJson: string
    failMsg: string | null
    createTime: number
    completeTime: number
    costTime: number
  }
}

export async function readA(response: Response): Promise<AnswerA> {
  return (await response.json()) as AnswerA
}

export async function readB(response: Response): Promise<AnswerB> {
  return (await response.json()) as AnswerB
}

export async function askA(simulator: Simulator, id: string): Promise<AnswerA> {
  return readA(await fetch(`${simulator.url}/provider-a/v1/tasks/${id}`))
}

export async function askB(simulator: Simulator, taskId: string): Promise<AnswerB> {
  return readB(await fetch(`${simulator.url}/provider-b/api/v1/jobs/recordInfo?taskId=${taskId}`))
}

function input(order: Order) {
  return {
    prompt: order.prompt ?? 'A crane over the marsh',
    aspect_ratio: order.aspectRatio ?? '16:9',
    duration: order.duration ?? 1,
    quality: order.quality ?? '480p',
    ...(order.imageUrls ? { image_urls: order.imageUrls } : {}),
  }
}

function callbackUrl(order: Order, provider: string): string | undefined {
  return order.receiver && `${order.receiver.base}/callback/${provider}?ref=${order.ref}&sig=secret-signature`
}
