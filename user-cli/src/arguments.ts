/** Reads the arguments of a command. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { usageError } from './exit.ts'

export type CommandName =
  | ('login' | 'logout' | 'models' | 'generate' | 'list')
  | ('get' | 'download' | 'cancel' | 'balance' | 'history')
  | `project ${'list' | 'new' | 'show' | 'quote' | 'generate' | 'render' | 'archive' | 'delete'}`

/** The options of all commands, and those of each. */
const text = { type: 'string' } as const
const shared = {
  json: { type: 'boolean' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  team: text,
} as const
const flag = { type: 'boolean' } as const
const output = { type: 'string', short: 'o' } as const
const texts = { type: 'string', multiple: true } as const
export const options: Record<CommandName, ParseArgsOptionsConfig> = {
  login: { url: text, 'with-key': flag },
  logout: {},
  models: {},
  generate: {
    ...{ model: text, output, duration: text, 'aspect-ratio': text },
    ...{
      quality: text,
      seed: text,
      n: text,
      extend: text,
      mode: text,
      upscale: text,
      'no-wait': flag,
      'idempotency-key': text,
    },
    ...{
      image: text,
      'end-image': text,
      reference: texts,
      input: texts,
      'negative-prompt': text,
      sound: flag,
      'no-sound': flag,
      option: texts,
      metadata: texts,
    },
  },
  list: { status: text, search: text, limit: text },
  get: { wait: flag, output },
  download: { output },
  cancel: {},
  balance: {},
  history: { csv: flag, limit: text },
  'project list': { limit: text },
  'project new': {
    ...{ from: text, 'aspect-ratio': text, crop: flag },
    ...{ model: text, duration: text, quality: text },
  },
  'project show': { csv: flag },
  'project quote': { shot: texts },
  'project generate': { shot: texts, yes: flag, 'no-wait': flag, 'idempotency-key': text },
  'project render': { output, 'no-wait': flag, 'idempotency-key': text },
  'project archive': { output },
  'project delete': {},
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>
/** `operand`: what stands beside the options, such as a prompt or an id. */
export type Arguments = { values: Values; operand: string | null }

/** @throws CommandError for an unknown option, a missing or a superfluous operand */
export function parseArguments(name: CommandName, args: string[], operandName: string | null): Arguments {
  let parsed: { values: Values; positionals: string[] }
  try {
    parsed = parseArgs({ args, options: { ...shared, ...options[name] }, allowPositionals: true, strict: true })
  } catch (error) {
    const [message = ''] = String((error as Error).message).split('. ')
    throw usageError(`${message.replace(/\.$/, '')}. "kinora help" lists the options.`)
  }
  const { values, positionals } = parsed
  const [operand = null, ...more] = positionals
  if (values.help) return { values, operand }
  if (operandName === null && operand !== null) throw usageError(`kinora ${name} takes no "${operand}".`)
  // A larger copy has the prompt of its film.
  const isNeeded = operandName !== null && values.upscale === undefined && values.input === undefined
  if (isNeeded && !operand?.trim()) throw usageError(`kinora ${name} needs ${operandName}.`)
  if (more.length > 0) throw usageError(`kinora ${name} takes ${operandName} only; put quotation marks around it.`)
  return { values, operand }
}

export const textsOf = (value: Values[string]): string[] => (Array.isArray(value) ? value.map(String) : [])
export const textOf = (value: Values[string]): string | undefined => (typeof value === 'string' ? value : undefined)

/** @throws CommandError when it is no whole number of the range */
export function numberOf(name: string, value: Values[string], max: number, min = 1): number | undefined {
  if (typeof value !== 'string') return undefined
  const number = /^\d{1,10}$/.test(value) ? Number(value) : -1
  if (number < min || number > max) throw usageError(`--${name} is a whole number from ${min} to ${max}.`)
  return number
}
