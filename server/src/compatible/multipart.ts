/**
 * multipart/form-data (RFC 7578) as an object: `name[sub]` becomes a nested field, a part with a file name a Buffer. A
 * body that is in memory as a whole needs no streaming parser: large-bodies.ts limits how many there are.
 */
import { AppError } from '../errors.ts'

const PARTS_MAX = 100
const LINE_END = Buffer.from('\r\n')
const HEADER_END = Buffer.from('\r\n\r\n')

export type FormValue = string | Buffer | { [name: string]: string | Buffer }

/** @throws AppError INVALID_REQUEST */
export function parseMultipart(body: Buffer, contentType: string): Record<string, FormValue> {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw unreadable('it has no boundary')
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter may be at the beginning, without a line end before it.
  let at = body.indexOf(delimiter.subarray(2))
  if (at < 0) throw unreadable('it has no part')
  at += delimiter.length - 2
  // A name is the client's: without a prototype `__proto__` is a field like any other.
  const form: Record<string, FormValue> = Object.create(null)
  for (let parts = 0; parts <= PARTS_MAX; parts += 1) {
    if (body.subarray(at, at + 2).toString('latin1') === '--') return form
    const headerStart = body.indexOf(LINE_END, at) + 2
    const headerEnd = body.indexOf(HEADER_END, headerStart - 2)
    const end = body.indexOf(delimiter, headerEnd)
    if (headerStart < 2 || headerEnd < 0 || end < 0) throw unreadable('a part has no end')
    const { name, isFile } = readDisposition(body.subarray(headerStart, headerEnd).toString('utf8'))
    const content = body.subarray(headerEnd + 4, Math.max(end, headerEnd + 4))
    setField(form, name, isFile ? content : content.toString('utf8'))
    at = end + delimiter.length
  }
  throw unreadable(`it has more than ${PARTS_MAX} parts`)
}

function readDisposition(header: string): { name: string; isFile: boolean } {
  const disposition = /^content-disposition:\s*form-data\b(.*)$/im.exec(header)?.[1] ?? ''
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1] ?? /;\s*name=([^\s;"]+)/i.exec(disposition)?.[1]
  if (name === undefined) throw unreadable('a part has no name')
  return { name, isFile: /;\s*filename\*?=/i.test(disposition) }
}

function setField(form: Record<string, FormValue>, name: string, value: string | Buffer): void {
  const [, outer, inner] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? []
  if (outer === undefined || inner === undefined) {
    form[name] = value
    return
  }
  const before = form[outer]
  const fields: { [name: string]: string | Buffer } =
    typeof before === 'object' && !Buffer.isBuffer(before) ? before : Object.create(null)
  fields[inner] = value
  form[outer] = fields
}

const unreadable = (reason: string) =>
  new AppError('INVALID_REQUEST', `The body is not multipart/form-data that can be read: ${reason}.`)
