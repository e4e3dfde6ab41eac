/** Loaded into every test process by bin/judge.mjs: sends the requests to a service of this machine through prism, and notes its verdict. */
import { appendFileSync } from 'node:fs'

const { JUDGE_URL: judge, JUDGE_FILE: file } = process.env
const direct = globalThis.fetch

if (judge && file) {
  globalThis.fetch = async (input, init) => {
    const url = new URL(typeof input === 'object' && 'url' in input ? input.url : String(input))
    // Streams and hostile URLs stay as they are: a request is judged only if its path is what the URL parser makes of it.
    const isJudged =
      url.hostname === '127.0.0.1' &&
      url.pathname.startsWith('/api/') &&
      String(input).endsWith(url.pathname + url.search)
    if (!isJudged || url.pathname.endsWith('/events')) return direct(input, init)
    const headers = new Headers(init?.headers)
    headers.set('x-kinora-upstream', url.origin)
    const response = await direct(judge + url.pathname + url.search, { ...init, headers })
    const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]')
    const route = url.pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')
    const line = { method: init?.method ?? 'GET', route, status: response.status, violations }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    return response
  }
}
