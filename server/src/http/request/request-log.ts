/**
 * The logger of a request, opened at its first line: few requests log one, and a child of pino with its redaction costs
 * more than the routing of the request.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { ChildLoggerOptions } from 'pino'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type Line = [object, string]
type RequestLog = {
  logger: FastifyBaseLogger
  bindings: Bindings
  options: ChildLoggerOptions
  opened: FastifyBaseLogger | null
}

/** Fastify's `childLoggerFactory`. */
export function openRequestLog(
  logger: FastifyBaseLogger,
  bindings: Bindings,
  options: ChildLoggerOptions,
): FastifyBaseLogger {
  const own: RequestLog = Object.create(methods)
  own.logger = logger
  own.bindings = bindings
  own.options = options
  own.opened = null
  return own as unknown as FastifyBaseLogger
}

function open(log: RequestLog): FastifyBaseLogger {
  log.opened ??= log.logger.child(log.bindings, log.options)
  return log.opened
}

/** Stands on the prototype, so that a request makes no function. */
const methods = {
  get level() {
    return (this as unknown as RequestLog).logger.level
  },
  fatal(this: RequestLog, ...line: Line) {
    open(this).fatal(...line)
  },
  error(this: RequestLog, ...line: Line) {
    open(this).error(...line)
  },
  warn(this: RequestLog, ...line: Line) {
    open(this).warn(...line)
  },
  info(this: RequestLog, ...line: Line) {
    open(this).info(...line)
  },
  debug(this: RequestLog, ...line: Line) {
    open(this).debug(...line)
  },
  trace(this: RequestLog, ...line: Line) {
    open(this).trace(...line)
  },
  silent() {},
  child(this: RequestLog, ...given: Parameters<FastifyBaseLogger['child']>) {
    return open(this).child(...given)
  },
}
