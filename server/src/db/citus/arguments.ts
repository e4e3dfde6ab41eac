/** The arguments of commands that concern a distributed database: `migrate --distributed [--shards N]` and `worker --node URL`. */

import { databaseUrlProblems } from '../../config/setting-kinds.ts'
import { readArguments, UsageError } from '../../process/command-arguments.ts'

/** The most nodes that there may be. Fewer shards have larger sets, whose requests share what a call costs. */
const SHARDS = 8

/**
 * @returns `shards`: into how many the tables are to be distributed, null: not; `node`: the address of the database node whose videos the
 *   worker claims, null: of all
 * @throws UsageError
 */
export function readDistributedArgs(command: string, args: string[]): { shards: number | null; node: string | null } {
  if (command === 'migrate') {
    const { values } = readArguments(command, {
      args,
      options: { distributed: { type: 'boolean' }, shards: { type: 'string' } },
    })
    if (values.distributed !== true) {
      if (values.shards !== undefined) throw new UsageError('kinora migrate: --shards needs --distributed.')
      return { shards: null, node: null }
    }
    const shards = values.shards === undefined ? SHARDS : Number(values.shards)
    if (!(Number.isInteger(shards) && shards >= 1 && shards <= 1024)) {
      throw new UsageError('kinora migrate: --shards must be a whole number from 1 to 1024.')
    }
    return { shards, node: null }
  }
  if (command === 'worker') {
    const { node } = readArguments(command, { args, options: { node: { type: 'string' } } }).values
    const [problem] = node === undefined ? [] : databaseUrlProblems(node)
    if (problem !== undefined) throw new UsageError(`kinora worker: --node ${problem}.`)
    return { shards: null, node: node ?? null }
  }
  return { shards: null, node: null }
}
