/** Event streams that are held open: each is opened again when it ends, as a browser does. */
import { request } from 'node:http'

const AGAIN_MS = 500

/** @returns how to close them all; it returns how many events they have brought */
export function openStreams(url: string, tokens: string[]): { close: () => number } {
  let events = 0
  let isClosed = false
  const open = new Set<() => void>()
  const follow = (token: string) => {
    if (isClosed) return
    const sent = request(`${url}/api/v1/video/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      agent: false,
    })
    const close = () => sent.destroy()
    open.add(close)
    const again = () => {
      if (open.delete(close)) setTimeout(follow, AGAIN_MS, token)
    }
    sent.on('response', (response) => {
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        events += text.match(/^data:/gm)?.length ?? 0
      })
      response.on('close', again)
    })
    sent.on('error', again)
    sent.end()
  }
  for (const token of tokens) follow(token)
  return {
    close: () => {
      isClosed = true
      for (const close of open) close()
      return events
    },
  }
}
