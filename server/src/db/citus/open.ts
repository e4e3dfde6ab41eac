/**
 * A distributed database (Citus) as processes use it. A statement about one user goes to the node that has the user's
 * shard, with the names of the shard's tables and functions; every other one goes to the coordinator. So the code that
 * writes statements is the same as for one PostgreSQL, and a statement about a user costs what it costs there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { packageUrl } from '../../config/package-dir.ts'
import { AppError } from '../../errors.ts'
import type { Sql } from '../db.ts'
import type { Division } from '../division.ts'
import type { RemoveOldRows } from '../parts.ts'
import { readSource, type SchemaSource } from '../schema.ts'
import { type Nodes, openNodes } from './nodes.ts'
import { SHARD_MOVED } from './own-functions.ts'
import { openPlacements, type Placement, type Placements, type Shard, shardOf } from './placement.ts'
import { isInPlace, ownNames } from './shard-functions.ts'
import { forCoordinator, forShard, namesShards } from './shard-text.ts'
import { build, flatten, lazyStatement, type Rewrite, rewriteParts, type Template } from './statement.ts'
import { usersOf } from './statement-user.ts'

/**
 * SQLSTATEs of the trigger `shard_is_here`, and undefined_table, undefined_function, invalid_schema_name and
 * undefined_object: the shard was moved away, and nothing was done.
 */
const MOVED = [SHARD_MOVED, '42P01', '42883', '3F000', '42704']
/** Where a statement was that waited too long for the lock of a move: in the trigger, or in a change through Citus. */
const WAITED_FOR_MOVE = /lock_shard_metadata|kinora\.shard_user/
/** A wait takes lock_timeout (db.ts); a shard may be moved again before the process has followed. */
const ATTEMPTS = 4
const PREPARED_POLL_MS = 100
/** Citus ends what a dead node has left once a minute. */
const PREPARED_MAX_MS = 150_000

/** A shard, by number; the coordinator; 'user': the shard of the user that a statement names, else the coordinator. */
type Destination = number | 'coordinator' | 'user'

export const open: Division['open'] = async (coordinator, databaseUrl, options, migrate) => {
  const { division, directUrl = databaseUrl, ...ofPools } = options
  const placements = await openPlacements(coordinator)
  if (placements === null) return null
  const nodes = openNodes(databaseUrl, ofPools)
  const scope = division?.node ? await nodes.open(division.node) : null
  const follow = openFollower(nodes, (isDone) => migrate(directUrl, { isDone }))
  const send = openRouter(coordinator, placements, nodes, follow, await readSource(packageUrl))
  const { shards } = placements.current()
  const ofShards = shards.map(({ number }) => send(number))
  const [sql, ofCoordinator] = [send('user'), send('coordinator')]
  let first = Math.floor(Math.random() * shards.length)
  const parts = (): Sql[] => {
    first += 1
    placements.look()
    const { shards } = placements.current()
    return shards.flatMap((_, i) => {
      const shard = shards[(i + first) % shards.length] as Shard
      return (scope === null || shard.node === scope) && nodes.isUp(shard.node) ? (ofShards[shard.number] as Sql) : []
    })
  }
  return {
    sql,
    parts,
    allParts: ofShards,
    everywhere: () => [ofCoordinator, ...parts()],
    partOf: (userId) => String(shardOf(placements.current(), userId).number),
    clock: () => (scope === null ? sql : (parts()[0] ?? sql)),
    checkNodes: () => checkNodes(placements, nodes),
    payments: { sql: ofCoordinator, transactionsEnded: (signal) => endOfPrepared(ofCoordinator, signal) },
    removeOldKeys: removeAdministratorKeys,
    close: async () => {
      await nodes.close()
      await coordinator.end({ timeout: 1 })
    },
  }
}

/** Resolves when the shard has functions where it is, and nowhere else. */
type Follow = (shard: Shard) => Promise<void>

/** A shard is another object when the placement was read again, which is when a statement did not find it. */
function openFollower(nodes: Nodes, migrate: (isDone: () => Promise<boolean>) => Promise<unknown>): Follow {
  const followed = new WeakMap<Shard, Promise<void>>()
  const start = async (shard: Shard) => {
    const isDone = () => isInPlace(nodes.poolOf(shard.node), shard)
    // Of the processes that find it out one makes the functions, and the others wait for it.
    if (!(await isDone())) await migrate(isDone)
  }
  return (shard) => {
    let done = followed.get(shard)
    if (!done) {
      done = start(shard)
      followed.set(shard, done)
      done.catch(() => followed.delete(shard))
    }
    return done
  }
}

/** @returns for each destination an `sql` tag, whose statements are sent there when they are awaited */
function openRouter(coordinator: Sql, placements: Placements, nodes: Nodes, follow: Follow, source: SchemaSource) {
  const own = ownNames(source)
  const takesUserFirst = functionsOfUser(source)
  const texts = openTexts(own)

  const find = (template: Template, destination: Destination): Shard | null => {
    const placement = placements.current()
    if (destination === 'coordinator') return null
    if (destination !== 'user') return placement.shards[destination] as Shard
    const flat = flatten(template)
    if (!namesShards(flat.text, own)) return null
    const users = usersOf(flat, takesUserFirst)
    if (users === null) return null
    const shards = new Set(users.map((userId) => shardOf(placement, userId)))
    return shards.size === 1 ? ([...shards][0] as Shard) : null
  }

  const sendTo = async (template: Template, shard: Shard | null): Promise<unknown> => {
    if (shard === null) return await build(template, coordinator, texts.forCoordinator(placements.current()))
    await follow(shard)
    return await build(template, nodes.poolOf(shard.node), texts.forShard(placements.current(), shard))
  }

  const send = async (template: Template, destination: Destination): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      const used = placements.current()
      const shard = find(template, destination)
      try {
        return await sendTo(template, shard)
      } catch (thrown) {
        const error = thrown as Failure
        if (shard === null) throw error
        // Its standby may have another address.
        if (nodes.noteFailure(shard.node, error)) void placements.refresh(used).catch(() => {})
        const isWait = isWaitForMove(error)
        // What is sent to each shard goes on with the next one.
        if (isWait ? destination !== 'user' : !isMoved(error)) throw error
        if (attempt === ATTEMPTS) throw isWait || codeOf(error) === SHARD_MOVED ? beingMoved() : error
        if (!isWait) await placements.refresh(used)
      }
    }
  }

  return (destination: Destination): Sql => {
    const tag = (strings: TemplateStringsArray, ...values: never[]) => {
      const query = coordinator(strings, ...values)
      if (!Array.isArray(strings.raw)) return query
      return lazyStatement(query, { strings, values }, () => send({ strings, values }, destination))
    }
    const unsafe: Sql['unsafe'] = (text, ...rest) => {
      const placement = placements.current()
      const shard = typeof destination === 'number' ? (placement.shards[destination] as Shard) : null
      return shard === null
        ? coordinator.unsafe(forCoordinator(text, placement), ...rest)
        : nodes.poolOf(shard.node).unsafe(forShard(text, shard, placement, own), ...rest)
    }
    return new Proxy(tag as unknown as Sql, {
      get: (_, name) => (name === 'unsafe' ? unsafe : Reflect.get(coordinator, name)) as unknown,
    })
  }
}

type Failure = Error & { code?: string; where?: string }

/** The functions of a shard are not made, either, when it is moved meanwhile: `cause` says so. */
const codeOf = ({ code, cause }: Failure): string => code ?? (cause as { code?: string } | undefined)?.code ?? ''
const isMoved = (error: Failure): boolean => MOVED.includes(codeOf(error))

/** SQLSTATE lock_not_available: nothing was done. */
const isWaitForMove = ({ code, where = '' }: Failure): boolean => code === '55P03' && WAITED_FOR_MOVE.test(where)

const beingMoved = () =>
  new AppError('UNAVAILABLE', 'This account is being moved to another database node; try again shortly.', {
    retryAfterS: 1,
  })

/** The functions whose first parameter is the user id. */
const functionsOfUser = ({ functions }: SchemaSource): Set<string> =>
  new Set(
    functions.flatMap(({ text }) =>
      [...text.matchAll(/^create or replace function kinora\.(\w+)\(\s*p_user_id\b/gm)].map(([, name = '']) => name),
    ),
  )

/** The texts of statements, rewritten once for each server. A shard is another object when it was moved. */
function openTexts(own: ReadonlySet<string>) {
  const ofShards = new WeakMap<Shard, WeakMap<TemplateStringsArray, TemplateStringsArray>>()
  const ofCoordinator = new WeakMap<TemplateStringsArray, TemplateStringsArray>()
  const once = (
    texts: WeakMap<TemplateStringsArray, TemplateStringsArray>,
    rewrite: (text: string) => string,
  ): Rewrite => {
    return (strings) => {
      const rewritten = texts.get(strings) ?? rewriteParts(strings, rewrite)
      texts.set(strings, rewritten)
      return rewritten
    }
  }
  return {
    forCoordinator: (placement: Placement): Rewrite => once(ofCoordinator, (text) => forCoordinator(text, placement)),
    forShard: (placement: Placement, shard: Shard): Rewrite => {
      const texts = ofShards.get(shard) ?? new WeakMap<TemplateStringsArray, TemplateStringsArray>()
      ofShards.set(shard, texts)
      return once(texts, (text) => forShard(text, shard, placement, own))
    },
  }
}

const checkNodes = (placements: Placements, nodes: Nodes) => {
  const placement = placements.current()
  return Promise.all(
    [...new Set(placement.shards.map(({ node }) => node))].map(async (node) => {
      const error = await nodes.check(node)
      if (error !== null) void placements.refresh(placement).catch(() => {})
      return { node, error }
    }),
  )
}

/** Waits for the end of each transaction that a payment has prepared on the coordinator: its shard has committed. */
async function endOfPrepared(coordinator: Sql, signal?: AbortSignal): Promise<void> {
  const read = () => coordinator<{ gid: string }[]>`
    select gid from pg_prepared_xacts where database = current_database() and starts_with(gid, 'citus_')
  `
  const endMs = performance.now() + PREPARED_MAX_MS
  const before = new Set((await read()).map(({ gid }) => gid))
  while (before.size > 0 && !signal?.aborted && performance.now() < endMs) {
    await sleep(PREPARED_POLL_MS)
    const left = new Set((await read()).map(({ gid }) => gid))
    for (const gid of before) if (!left.has(gid)) before.delete(gid)
  }
}

export const removeAdministratorKeys: RemoveOldRows = (coordinator, before, limit) => coordinator`
  delete from kinora.administrator_key
  where ctid = any(array(select ctid from kinora.administrator_key where created_at < ${before} limit ${limit}))
`
