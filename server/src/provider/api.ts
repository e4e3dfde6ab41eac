/** Calls of a vendor's API. URLs are the account's own, and never one that a response names. */
import { type CallResult, type HttpClient, type HttpMethod, openHttpClient } from '../net/http-client.ts'
import type { Account, CallOptions, UploadedFile } from './provider.ts'

type Request = {
  /** An object is sent as JSON; FormData as multipart. */
  body?: object | FormData
  headers?: Record<string, string>
  /** Seconds, for a call that lasts longer than others. */
  timeoutS?: number
  bytesMax?: number
}

export type Api = {
  call: (method: HttpMethod, path: string, options?: CallOptions, request?: Request) => Promise<CallResult>
  close: HttpClient['close']
}

/**
 * @param account `url`: without a slash at the end
 * @param auth headers of every call
 */
export function openApi({ url, timeoutS }: Account, auth: Record<string, string>): Api {
  const client = openHttpClient(timeoutS)
  return {
    call: (method, path, { signal, headers, maySend } = {}, { body, headers: own, ...limits } = {}) =>
      client.call(method, `${url}${path}`, {
        headers: { ...auth, ...own, ...headers },
        signal,
        maySend,
        ...limits,
        ...encoded(body),
      }),
    close: client.close,
  }
}

const encoded = (body: Request['body']) =>
  body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }

/** A form with an image in `field`. */
export function imageForm(
  { file, contentType, name }: UploadedFile,
  field: string,
  others: Record<string, string> = {},
): FormData {
  const form = new FormData()
  form.set(field, new File([file], name, { type: contentType }))
  for (const [other, value] of Object.entries(others)) form.set(other, value)
  return form
}

/** A segment of a path, from an id that came from outside. */
export const segment = (id: string): string => encodeURIComponent(id)

/** Another host of a vendor: an account's own URL stands in for all. @param main the adapter's public address */
export const hostOf = ({ url }: Account, main: string, host: string): string => (url === main ? host : url)
