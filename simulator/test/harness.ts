/**
 * Starts the real simulator as a child process on a free port, and a receiver of its callbacks. What a test
 * starts stops with the test; what the file starts stops with the file.
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
export type ListedInput = {
  role: string
  kind: string
  url: string
  width: number | null
  height: number | null
  seconds: number | null
  sha256: string
}
export type ListedTask = {
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
  inputs: ListedInput[]
  width: number
  height: number
  durationS: number
  callbacks: { at: string; kind: string; status: number | null }[]
}

const cleanUps: (() => unknown)[] = []

/** Runs the step when the test ends, or the file if it was called outside a test; last registered, first run. */
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

/** @param env settings; by default SIMULATOR_PACE is 0 and SIMULATOR_DATA_DIR a new directory */
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

/** An HTTP server on a free local port. */
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

/** Polls until `poll` returns a value; fails after WAIT_MS_MAX. */
export async function waitFor<Found>(
  what: string,
  poll: () => Promise<Found | false | null | undefined> | Found | false | null | undefined,
): Promise<Found> {
  const deadline = Date.now() + WAIT_MS_MAX
  while (Date.now() < deadline) {
    const found = await poll()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  throw new Error(`timed out waiting for ${what}`)
}

export type SubmitRequest = {
  ref: string
  prompt?: string
  model?: string
  duration?: number
  aspectRatio?: string
  quality?: string
  imageUrls?: string[]
  inputs?: { role: string; kind?: string; url: string }[]
  /** What is left out here is left to an input. */
  follows?: boolean
  key?: string
  signal?: AbortSignal
  receiver?: { base: string }
}

export function submitA(simulator: Simulator, request: SubmitRequest): Promise<Response> {
  return fetch(`${simulator.url}/provider-a/v1/videos/generations`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': request.ref,
      ...(request.key ? { authorization: `Bearer ${request.key}` } : {}),
    },
    body: JSON.stringify({
      model: request.model ?? 'alpha-2',
      callback_url: callbackUrl(request, 'provider-a'),
      ...input(request),
    }),
    signal: request.signal ?? null,
  })
}

export function submitB(simulator: Simulator, request: SubmitRequest): Promise<Response> {
  return fetch(`${simulator.url}/provider-b/api/v1/jobs/createTask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(request.key ? { authorization: `Bearer ${request.key}` } : {}) },
    body: JSON.stringify({
      model: request.model ?? 'alpha-2',
      callBackUrl: callbackUrl(request, 'provider-b'),
      input: input(request),
    }),
    signal: request.signal ?? null,
  })
}

export async function listTasks(simulator: Simulator): Promise<ListedTask[]> {
  return (await (await fetch(`${simulator.url}/simulator/tasks`)).json()) as ListedTask[]
}

export async function listedTask(simulator: Simulator, taskId: string): Promise<ListedTask> {
  const task = (await listTasks(simulator)).find((shown) => shown.taskId === taskId)
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

export async function bodyA(response: Response): Promise<AnswerA> {
  return (await response.json()) as AnswerA
}

export async function bodyB(response: Response): Promise<AnswerB> {
  return (await response.json()) as AnswerB
}

export async function pollA(simulator: Simulator, id: string): Promise<AnswerA> {
  return bodyA(await fetch(`${simulator.url}/provider-a/v1/tasks/${id}`))
}

export async function pollB(simulator: Simulator, taskId: string): Promise<AnswerB> {
  return bodyB(await fetch(`${simulator.url}/provider-b/api/v1/jobs/recordInfo?taskId=${taskId}`))
}

function input(request: SubmitRequest) {
  return {
    prompt: request.prompt ?? 'A crane over the marsh',
    ...(request.follows ? {} : { aspect_ratio: '16:9', duration: 1, quality: '480p' }),
    ...(request.aspectRatio && { aspect_ratio: request.aspectRatio }),
    ...(request.duration !== undefined && { duration: request.duration }),
    ...(request.quality && { quality: request.quality }),
    ...(request.inputs && { inputs: request.inputs }),
    ...(request.imageUrls ? { image_urls: request.imageUrls } : {}),
  }
}

function callbackUrl(request: SubmitRequest, provider: string): string | undefined {
  return request.receiver && `${request.receiver.base}/callback/${provider}?ref=${request.ref}&sig=secret-signature`
}
