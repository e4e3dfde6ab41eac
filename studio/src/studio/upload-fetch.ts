/** The fetch of the client that uploads: an XMLHttpRequest, as fetch does not say how much of a file was sent. */
import { addTeam } from '../chosen-team.ts'

/** @param onProgress receives the percentage that was sent */
export function sendFile(request: Request, file: Blob, onProgress?: (percentage: number) => void): Promise<Response> {
  addTeam(request)
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open(request.method, request.url)
    for (const [name, value] of request.headers) sending.setRequestHeader(name, value)
    sending.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? (100 * loaded) / total : 0)
    sending.onload = () => {
      const retryAfter = sending.getResponseHeader('retry-after')
      resolve(
        new Response(sending.responseText, {
          status: sending.status,
          headers: { 'content-type': 'application/json', ...(retryAfter !== null && { 'retry-after': retryAfter }) },
        }),
      )
    }
    sending.onerror = () => reject(new TypeError('The file could not be sent.'))
    sending.onabort = () => reject(request.signal.reason)
    request.signal.addEventListener('abort', () => sending.abort())
    sending.send(file)
  })
}
