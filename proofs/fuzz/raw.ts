/** HTTP as no library sends it: over a socket, byte by byte. */
import net from 'node:net'
import fc from 'fast-check'

const get = 'GET /api/v1/config/models HTTP/1.1\r\nHost: x\r\n'
const post = 'POST /api/v1/video/quote HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
/** What a smuggled request would ask for. */
const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/** Bytes, and how many responses they may have; a second response to one of these is a smuggled request. */
export const shapes: [name: string, bytes: string, responsesMax: number][] = [
  [
    'Content-Length and Transfer-Encoding',
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    1,
  ],
  [
    'Transfer-Encoding and Content-Length',
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 44\r\n\r\n0\r\n\r\n${smuggled}`,
    1,
  ],
  ['two Content-Lengths', `${post}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`, 1],
  ['a list of Content-Lengths', `${post}Content-Length: 2, 2\r\n\r\n{}${smuggled}`, 1],
  ['a signed Content-Length', `${post}Content-Length: +2\r\n\r\n{}${smuggled}`, 1],
  ['a negative Content-Length', `${post}Content-Length: -1\r\n\r\n{}${smuggled}`, 1],
  ['a hexadecimal Content-Length', `${post}Content-Length: 0x2\r\n\r\n{}${smuggled}`, 1],
  ['an endless Content-Length', `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`, 1],
  ['a disguised Transfer-Encoding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`, 1],
  ['chunked, not last', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`, 1],
  ['a tab before chunked', `${post}Transfer-Encoding:\tchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${smuggled}`, 1],
  ['a space before the colon', `${post}Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}${smuggled}`, 1],
  ['a folded header', `${post}X: a\r\n Transfer-Encoding: chunked\r\n\r\n`, 1],
  ['a line feed without carriage return', `${post}Content-Length: 2\nTransfer-Encoding: chunked\r\n\r\n{}`, 1],
  ['a carriage return in a value', `${get}X: a\rTransfer-Encoding: chunked\r\n\r\n`, 1],
  ['a null character in a value', `${get}X: a\0b\r\n\r\n`, 1],
  ['a bad chunk size', `${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`, 1],
  ['a huge chunk size', `${post}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`, 1],
  ['a chunk longer than its size', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n${smuggled}`, 1],
  [
    'chunk extensions without end',
    `${post}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`,
    1,
  ],
  ['trailers that set headers', `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: x\r\n\r\n`, 1],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 1],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 1],
  ['an absolute target', 'GET http://evil.example/api/v1/config/models HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['an authority', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\n\r\n', 1],
  ['an unknown method', 'FOO /api/v1/config/models HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['a method in lower case', 'get / HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['HTTP/0.9', 'GET /\r\n', 1],
  ['HTTP/1.0 with keep-alive', 'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', 1],
  ['HTTP/2 in clear text', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 1],
  ['an upgrade to a web socket', `${get}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n`, 1],
  ['an upgrade to h2c', `${get}Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x\r\n\r\n`, 1],
  ['TLS to a clear text port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 1],
  ['a header of 100 kB', `${get}X: ${'x'.repeat(100_000)}\r\n\r\n`, 1],
  ['5,000 headers', `${get}${'X: y\r\n'.repeat(5000)}\r\n`, 1],
  ['a target of 100 kB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 1],
  ['a target with spaces', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['a target of other bytes', 'GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['a bad escape', 'GET /files/%zz HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ['an Expect that is unknown', `${post}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`, 1],
  ['a header without a name', `${get}: x\r\n\r\n`, 1],
  ['a header without a colon', `${get}x\r\n\r\n`, 1],
  ['cookies without end', `${get}Cookie: ${'a=b; '.repeat(3000)}\r\n\r\n`, 1],
  ['a cookie of control characters', `${get}Cookie: better-auth.session_token=\x01\x7f\r\n\r\n`, 1],
  ['ten requests at once', smuggled.repeat(10), 10],
]

/** A shape with some of its bytes changed. */
export const mutatedShape = fc
  .tuple(
    fc.constantFrom(...shapes.filter(([, bytes]) => bytes.length < 2000)),
    fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255), fc.constantFrom('set', 'insert', 'delete')),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([[name, bytes], changes]) => {
    const changed = changes.reduce((text, [share, byte, how]) => {
      const at = Math.floor(share * text.length)
      return (
        text.slice(0, at) +
        (how === 'delete' ? '' : String.fromCharCode(byte)) +
        text.slice(how === 'insert' ? at : at + 1)
      )
    }, bytes)
    return { name: `${name}, changed`, bytes: changed }
  })

/** Sends bytes and reads until the server closes, or is silent for `silenceMs`. Returns what it sent. */
export function exchange(url: string, bytes: string, silenceMs: number): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port: Number(port) })
    let received = ''
    const end = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(silenceMs, end)
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    socket.on('error', end)
    socket.on('close', end)
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}
