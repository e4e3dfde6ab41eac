/** The arguments of the operator's commands. A mistake is one sentence that names the command and what it takes. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A mistake in the arguments of a command: it exits with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @throws UsageError */
export function readArguments<const T extends ParseArgsConfig>(command: string, config: T) {
  try {
    return parseArgs<T>(config)
  } catch (error) {
    // What follows is a hint about `--` or `=`.
    const [problem = ''] = (error as Error).message.split(/\.\s/, 1)
    throw new UsageError(`kinora ${command}: ${problem}. ${optionsOf(config)}`)
  }
}

/** @param option as it is typed: `--days` @throws UsageError */
export function readWholeNumber(command: string, option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`kinora ${command}: ${option} must be a whole number from ${min} to ${max}.`)
}

function optionsOf({ options = {} }: ParseArgsConfig): string {
  const names = Object.entries(options).map(([name, { type }]) =>
    type === 'string' ? `--${name} <value>` : `--${name}`,
  )
  return names.length === 0 ? 'It takes no options.' : `Its options are ${names.join(', ')}.`
}
