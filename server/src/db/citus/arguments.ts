/** Arguments of commands on a distributed database: `migrate --distributed [--shards N]` and `worker --node URL`. */

import { ConfigError } from '../../config/config.ts'
import { databaseUrlProblems } from '../../config/setting-kinds.ts'
import { readArguments as read, readWholeNumber, UsageError } from '../../process/command-arguments.ts'
import type { Division } from '../division.ts'

/** The most nodes that there may be. Fewer shards have larger sets, whose requests share what a call costs. */
const SHARDS = 8

export const readArguments: Division['readArguments'] = (command, args) => {
  if (command === 'migrate') {
    const { values } = read(command, {
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
    const { node } = read(command, { args, options: { node: { type: 'string' } } }).values
    const [problem] = node === undefined ? [] : databaseUrlProblems(node)
    if (problem !== undefined) throw new UsageError(`kinora worker: --node ${problem}.`)
    return { parts: null, node: node ?? null }
  }
  return { parts: null, node: null }
}

export const scopeOf: Division['scopeOf'] = (isDivided, node) => {
  if (isDivided) return { node }
  if (node === null) return null
  throw new ConfigError(['worker: --node needs a distributed database: see docs/distributed.md'])
}
