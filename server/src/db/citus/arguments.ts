/** The arguments of commands that concern a distributed database: `migrate --distributed [--shards N]` and `worker --node URL`. */
import { parseArgs } from 'node:util'
import { ConfigError } from '../../config.ts'

/** The most nodes that there may be. Fewer shards have larger sets, whose requests share what a call costs. */
const SHARDS = 8

/**
 * @returns `shards`: into how many the tables are to be distributed, null: not; `node`: the address of the database node whose videos the
 *   worker claims, null: of all
 * @throws ConfigError for an argument that the command does not take
 */
export function readDistributedArgs(command: string, args: string[]): { shards: number | null; node: string | null } {
  if (command === 'migrate') {
    const values = parse(command, args, { distributed: { type: 'boolean' }, shards: { type: 'string' } })
    if (values.distributed !== true) return { shards: null, node: null }
    const shards = values.shards === undefined ? SHARDS : Number(values.shards)
    if (!(Number.isInteger(shards) && shards >= 1 && shards <= 1024)) {
      throw new ConfigError(['migrate: --shards must be a whole number from 1 to 1024'])
    }
    return { shards, node: null }
  }
  if (command === 'worker') {
    const { node } = parse(command, args, { node: { type: 'string' } })
    if (node !== undefined && !URL.canParse(String(node)))
      throw new ConfigError(['worker: --node must be a postgres:// URL'])
    return { shards: null, node: node === undefined ? null : String(node) }
  }
  return { shards: null, node: null }
}

function parse(command: string, args: string[], options: Record<string, { type: 'boolean' | 'string' }>) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new ConfigError([`${command}: ${(error as Error).message}`])
  }
}
