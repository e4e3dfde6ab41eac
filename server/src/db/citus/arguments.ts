/** The arguments of commands that concern a distributed database: `migrate --distributed [--shards N]` and `worker --node URL`. */

import { type Config, ConfigError } from '../../config/config.ts'
import { databaseUrlProblems } from '../../config/setting-kinds.ts'
import { readArguments, readWholeNumber, UsageError } from '../../process/command-arguments.ts'

/** The most nodes that there may be. Fewer shards have larger sets, whose requests share what a call costs. */
const SHARDS = 8

/** `parts`: into how many the tables are to be divided; null: not. `node`: of the database node whose videos the worker claims; null: of all. */
type Arguments = { parts: number | null; node: string | null }

/** @throws UsageError */
export function readDivisionArgs(command: string, args: string[]): Arguments {
  if (command === 'migrate') {
    const { values } = readArguments(command, {
      args,
      options: { distributed: { type: 'boolean' }, shards: { type: 'string' } },
    })
    if (values.distributed !== true) {
      if (values.shards !== undefined) throw new UsageError('kinora migrate: --shards needs --distributed.')
      return { parts: null, node: null }
    }
    const parts = values.shards === undefined ? SHARDS : readWholeNumber(command, '--shards', values.shards, 1, 1024)
    return { parts, node: null }
  }
  if (command === 'worker') {
    const { node } = readArguments(command, { args, options: { node: { type: 'string' } } }).values
    const [problem] = node === undefined ? [] : databaseUrlProblems(node)
    if (problem !== undefined) throw new UsageError(`kinora worker: --node ${problem}.`)
    return { parts: null, node: node ?? null }
  }
  return { parts: null, node: null }
}

/** @throws ConfigError for a node of a database that has none */
export function divisionOf(isDivided: boolean, node: string | null): Config['division'] {
  if (isDivided) return { node }
  if (node === null) return null
  throw new ConfigError(['worker: --node needs a distributed database: see docs/distributed.md'])
}
