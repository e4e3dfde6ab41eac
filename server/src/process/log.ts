/**
 * The log: JSON lines in production, readable text otherwise. Secrets are redacted: the fields that may contain one are
 * listed here, and URLs are logged without their query.
 */
import { type Logger, type LoggerOptions, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from '../config/config.ts'

const redactedFields = [
  'password',
  'token',
  'secret',
  'apiKey',
  'authorization',
  'cookie',
  'headers.authorization',
  'headers.cookie',
  'headers["x-api-key"]',
  'headers["x-callback-secret"]',
]

/** @param isKnown whether an error has been logged: a line with it is one of `debug` then, without its stack */
export function openLog(
  config: Pick<Config, 'production' | 'logLevel'>,
  isKnown: (error: unknown) => boolean = () => false,
): Logger {
  const options: LoggerOptions = {
    level: config.logLevel,
    base: null,
    hooks: {
      logMethod(line, method) {
        const [fields, message] = line as [unknown, string?]
        if (!(fields instanceof Object) || !('err' in fields) || !isKnown(fields.err)) return method.apply(this, line)
        const { err, ...rest } = fields
        this.debug({ ...rest, reason: (err as Error).message }, message)
      },
    },
    redact: { paths: [...redactedFields, ...redactedFields.map((field) => `*.${field}`)], censor: '[hidden]' },
    serializers: {
      err: (error: unknown) => redactQueries(pino.stdSerializers.err(error as Error)),
      // Only what identifies the request. Its URL is logged without the query, which may contain a signature.
      req: (request: { id: string; method: string; url: string }) => ({
        id: request.id,
        method: request.method,
        url: request.url.split('?')[0],
      }),
    },
  }
  if (config.production) return pino(options)
  return pino(
    options,
    pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }),
  )
}

/**
 * An error for the log: with its stack, but without other fields, such as the parameters of an SQL query, and without
 * the queries of URLs.
 */
function redactQueries(error: unknown): unknown {
  if (error === null || typeof error !== 'object') return error
  const { type, message, stack, code } = error as Record<string, unknown>
  const clean = (text: unknown) =>
    typeof text === 'string' ? text.replace(/(https?:\/\/[^\s?"']+)\?[^\s"']*/g, '$1?[hidden]') : text
  return { type, message: clean(message), code, stack: clean(stack) }
}
