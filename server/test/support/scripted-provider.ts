/**
 * Both providers over real HTTP, with every response scripted by the test: for timing that no sentinel in a prompt can
 * produce, such as a callback during a submit. By default they accept every task, report it as running, and serve a
 * small grey film.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { greyFilm } from './films.ts'

export type ProviderName = 'provider-a' | 'provider-b'
/** `reset`: the connection is reset. `silence`: no response. */
export type Reply = { status: number; body: unknown; headers?: Record<string, string> } | 'reset' | 'silence'
export type Submit = {
  provider: ProviderName
  callbackUrl: string
  body: Record<string, unknown>
  headers: IncomingMessage['headers']
}

export type Scripted = {
  /** Environment variables that point Kinora to these servers. */
  env: Record<string, string>
  filmUrl: string
  submits: Submit[]
  /** How often the film was requested. */
  fetches: number
  onSubmit: (submit: Submit) => Reply | Promise<Reply>
  onAsk: (provider: ProviderName, taskId: string) => Reply | Promise<Reply>
  /** The film's bytes, or a status without a body. `query`: that of the link, such as `?2`. */
  onFilm: (query?: string, headers?: IncomingMessage['headers']) => Film | Promise<Film>
  /** Sends a callback for a submit in its provider's format. @returns the response status */
  callBack: (submit: Submit | undefined, report: Report) => Promise<number>
  /** Resets all scripts before the next test. */
  reset: () => void
  close: () => void
}
type Film = Buffer | { status: number }
type Report = { taskId?: string; videoUrl: string } | { taskId?: string; error: string } | { taskId?: string }

export const taskIdOf = (submit: Submit): string =>
  `task-${new URL(submit.callbackUrl).searchParams.get('ref')?.slice(-12)}`

export const accepted = ({ provider }: Submit, taskId: string): Reply => ({
  status: 200,
  body: provider === 'provider-a' ? { id: taskId, status: 'pending' } : { code: 200, data: { taskId } },
})
export const refusal = (status: number, headers = {}): Reply => ({
  status,
  body: { error: { message: 'No.' } },
  headers,
})
export const running = (taskId: string, progress = 0): Reply => ({
  status: 200,
  body: { id: taskId, status: 'processing', progress },
})

export async function startScriptedProvider(): Promise<Scripted> {
  const film = await greyFilm(640, 360, 2)
  const initial = {
    onSubmit: (submit: Submit) => accepted(submit, taskIdOf(submit)),
    onAsk: (_provider: ProviderName, taskId: string) => running(taskId),
    onFilm: (): Film | Promise<Film> => film,
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const scripted: Scripted = {
    env: {
      PROVIDER_A_URL: `http://${host}/provider-a`,
      PROVIDER_B_URL: `http://${host}/provider-b`,
      FETCH_ALLOW: host,
    },
    filmUrl: `http://${host}/film.mp4`,
    submits: [],
    fetches: 0,
    ...initial,
    callBack: async (submit, report) => {
      if (!submit) throw new Error('there was no submit to call back for')
      const body = submit.provider === 'provider-a' ? bodyOfA(report) : bodyOfB(report)
      const response = await fetch(submit.callbackUrl, { method: 'POST', body: JSON.stringify(body) })
      await response.body?.cancel()
      return response.status
    },
    reset: () => Object.assign(scripted, initial, { submits: [], fetches: 0 }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(request.url ?? '', 'http://provider')
    if (pathname === '/film.mp4') {
      scripted.fetches++
      const sent = await scripted.onFilm(search, request.headers)
      const bytes = Buffer.isBuffer(sent) ? sent : Buffer.from('There is no film.')
      const status = Buffer.isBuffer(sent) ? 200 : sent.status
      response.writeHead(status, { 'content-type': 'video/mp4', 'content-length': bytes.length }).end(bytes)
      return
    }
    const provider = pathname.startsWith('/provider-a/') ? 'provider-a' : 'provider-b'
    const body = JSON.parse(await textOf(request))
    if (request.method === 'POST') {
      const { headers } = request
      const submit = { provider, callbackUrl: body.callback_url ?? body.callBackUrl, body, headers } as const
      scripted.submits.push(submit)
      return send(response, await scripted.onSubmit(submit))
    }
    const taskId = searchParams.get('taskId') ?? pathname.split('/').at(-1) ?? ''
    return send(response, await scripted.onAsk(provider, taskId))
  }
  return scripted
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return
  if (reply === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
  response.end(JSON.stringify(reply.body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8') || '{}'
}

function bodyOfA(report: Report) {
  if ('videoUrl' in report) return { status: 'completed', ...report }
  return 'error' in report ? { status: 'failed', ...report } : { status: 'processing', progress: 40, ...report }
}

function bodyOfB({ taskId, ...report }: Report) {
  if ('videoUrl' in report) {
    const resultJson = JSON.stringify({ resultUrls: [report.videoUrl] })
    return { code: 200, data: { taskId, state: 'success', resultJson } }
  }
  return {
    code: 200,
    data: { taskId, ...('error' in report ? { state: 'fail', failMsg: report.error } : { state: 'generating' }) },
  }
}
