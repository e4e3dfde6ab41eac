/**
 * The load generator, a process of its own: keeps connections busy with requests that are built in advance, so that it
 * takes as little CPU time as possible from the server that it measures.
 */
import { keepConnectionsBusy } from './connections.ts'
import { quantile } from './table.ts'
import { generateBody, tokenOf, USERS, videoIdOf } from './users.ts'

/** `users`: how many of them send requests, round robin; for this `team`, if there is one. `body`: of generate. */
export type Job = {
  kind: 'generate' | 'task' | 'list' | 'history'
  port: number
  connections: number
  seconds: number
  users?: number
  team?: string
  body?: object
}
/** `cpuUs`: this process's CPU time per request. `example`: the first response with another status than 200. */
export type LoadResult = {
  perSecond: number
  requests: number
  cpuUs: number
  refused: number
  example: string
  /** Latencies in ms. */
  p50: number
  p99: number
}

process.once('message', async (job: Job) => {
  const requests = Array.from({ length: job.users ?? USERS }, (_, index) => buildRequest(job, index + 1))
  process.send?.(await load(job, requests))
})

/** Cycles through the users (round robin), so that none exceeds a rate limit; each run starts with a random one. */
async function load({ port, connections, seconds }: Job, requests: Buffer[]): Promise<LoadResult> {
  let next = Math.floor(Math.random() * requests.length)
  let done = 0
  let refused = 0
  let example = ''
  const latencies: number[] = []
  const startCpu = process.cpuUsage()
  const elapsedSeconds = await keepConnectionsBusy({
    port,
    connections,
    seconds,
    nextRequest: () => {
      next = (next + 1) % requests.length
      return requests[next] ?? ''
    },
    onResponse: (response, latencyMs) => {
      done += 1
      latencies.push(latencyMs)
      if (response.startsWith('HTTP/1.1 200')) return
      refused += 1
      example ||= response
    },
  })
  const { user, system } = process.cpuUsage(startCpu)
  return {
    perSecond: done / elapsedSeconds,
    requests: done,
    cpuUs: (user + system) / done,
    refused,
    example,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

function buildRequest({ kind, team, body: generate = generateBody }: Job, n: number): Buffer {
  const head = ['host: localhost', `authorization: Bearer ${tokenOf(n)}`, 'accept: application/json']
  if (team) head.push(`x-team: ${team}`)
  const paths = {
    task: `/api/v1/video/task?uuid=${videoIdOf(n)}`,
    list: '/api/v1/video/list?page=1&pageSize=20',
    history: '/api/v1/credit/history?page=1&pageSize=20',
  }
  if (kind !== 'generate') return Buffer.from(`GET ${paths[kind]} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  const body = JSON.stringify(generate)
  head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`POST /api/v1/video/generate HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}
