/**
 * The log: one JSON object a line in production, readable in a terminal otherwise. No secret reaches it: whatever carries
 * one is named here and taken out, and URLs lose their query.
 */
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

const secretFields = [
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

export function openLog(config: Pick<Config, 'production' | 'logLevel'>): Logger {
  const options = {
    level: config.logLevel,
    base: null,
    redact: { paths: [...secretFields, ...secretFields.map((field) => `*.${field}`)], censor: '[hidden]' },
    serializers: {
      err: (error: unknown) => hideQueries(pino.stdSerializers.err(error as Error)),
      // Of a request only what tells which one it was: its address without the query, where signatures stand.
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

/** An error as it is logged: with its stack, without the parameters of a query and without queries of URLs. */
function hideQueries(error: unknown): unknown {
  if (error === null || typeof error !== 'object') return error
  const { type, message, stack, code } = error as Record<string, unknown>
  const clean = (text: unknown) =>
    typeof text === 'string' ? text.replace(/(https?:\/\/[^\s?"']+)\?[^\s"']*/g, '$1?[hidden]') : text
  return { type, message: clean(message), code, stack: clean(stack) }
}
