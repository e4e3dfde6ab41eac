/**
 * A distributed database (Citus) as processes use it. A statement about one user goes to the node that has the user's shard, with the
 * names of the shard's tables and functions; every other one goes to the coordinator. So the code that writes statements is the same as
 * for one PostgreSQL, and a statement about a user costs what it costs there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { packageUrl } from '../../config/package-dir.ts'
import { type DbOptions, openDb, type Sql } from '../db.ts'
import { readSource } from '../schema.ts'
import { nodeUrl, type Placement, readPlacement, type Shard, shardOf } from './placement.ts'
import { ownNames } from './shard-functions.ts'
import { forCoordinator, forShard, namesShards } from './shard-text.ts'
import { type Flat, usersOf } from './statement-user.ts'

export type Distributed = {
  /** Sends each statement where its rows are. */
  sql: Sql
  /** Sends each statement to the coordinator, also one that names a user. */
  coordinator: Sql
  /** One for each shard whose node is up, beginning with another one at each call; those of one node with `node`. */
  shards: () => Sql[]
  /** One for each shard, whether or not its node is up. */
  all: readonly Sql[]
  /** The shard of a user, for calls with several users: all of one call are of one shard. */
  shardKeyOf: (userId: string) => string
  /** The nodes, and why one cannot be reached. */
  checkNodes: () => Promise<{ node: string; error: string | null }[]>
  close: () => Promise<void>
}

/** SQLSTATE undefined_table, undefined_function, invalid_schema_name: the shard was moved away, and nothing was done. */
const MOVED = ['42P01', '42883', '3F000']
const REFRESH_PAUSE_MS = 1000
/** The driver's errors without a connection, and the server's when it shuts down. */
const UNREACHABLE = /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENOTFOUND|57P)/
/** For how long nothing is claimed from a node that could not be reached: an attempt may take five seconds. */
const DOWN_MS = 5000
const CHECK_MS = 2000

type Template = { strings: TemplateStringsArray; values: unknown[] }
/** Of a shard, by number; of the coordinator; 'user': of the shard of the user whom a statement names, else of the coordinator. */
type Destination = number | 'coordinator' | 'user'
type Statement = Template & { destination: Destination }

type Options = DbOptions & {
  /** The address of a database node: `shards` has those that it holds. */
  node: string | null
}

export async function openDistributed(coordinator: Sql, databaseUrl: string, options: Options): Promise<Distributed> {
  const first = await readPlacement(coordinator)
  if (first === null) throw new Error('the database is not distributed')
  const source = await readSource(packageUrl)
  const own = ownNames(source)
  const takesUserFirst = new Set(
    source.functions.flatMap(({ text }) =>
      [...text.matchAll(/^create or replace function kinora\.(\w+)\(\s*p_user_id\b/gm)].map(([, name = '']) => name),
    ),
  )
  const pools = new Map<string, Sql>()
  const downUntilMs = new Map<string, number>()
  const isUp = (node: string) => (downUntilMs.get(node) ?? 0) < performance.now()
  /** What a statement that is part of another one was made from. */
  const templates = new WeakMap<object, Template>()
  const fragmentOf = (value: unknown): Template | undefined =>
    typeof value === 'object' && value !== null ? templates.get(value) : undefined
  let placement: Placement = first
  let refreshedMs = performance.now()
  let refreshing: Promise<void> | null = null
  let texts = new WeakMap<TemplateStringsArray, TemplateStringsArray[]>()
  const ownTexts = new WeakMap<TemplateStringsArray, TemplateStringsArray>()
  const scope = options.node ? await nameOfNode(options.node) : null
  let firstShard = Math.floor(Math.random() * placement.shards.length)

  async function nameOfNode(url: string): Promise<string> {
    const sql = openDb(url, { ...options, connections: 1 })
    try {
      const [row] = await sql<{ node: string }[]>`
        select n.nodename || ':' || n.nodeport as node
        from pg_dist_local_group g
        join pg_dist_node n on n.groupid = g.groupid and n.noderole = 'primary'
      `
      if (!row) throw new Error(`${new URL(url).host} is not a node of this database`)
      pools.set(row.node, openDb(url, options))
      return row.node
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  const poolOf = (node: string): Sql => {
    let pool = pools.get(node)
    if (!pool) {
      pool = openDb(nodeUrl(databaseUrl, node), options)
      pools.set(node, pool)
    }
    return pool
  }

  const rewrite = (strings: TemplateStringsArray, shard: Shard): TemplateStringsArray => {
    let ofShards = texts.get(strings)
    if (!ofShards) {
      ofShards = []
      texts.set(strings, ofShards)
    }
    ofShards[shard.number] ??= rewriteParts(strings, (text) => forShard(text, shard, placement, own))
    return ofShards[shard.number] as TemplateStringsArray
  }

  const rewriteForCoordinator = (strings: TemplateStringsArray): TemplateStringsArray => {
    const rewritten = ownTexts.get(strings) ?? rewriteParts(strings, (text) => forCoordinator(text, placement))
    ownTexts.set(strings, rewritten)
    return rewritten
  }

  /**
   * Reads the placement of the shards again, at most once a second and once for all statements that fail meanwhile.
   * @param used by the statement that failed; another one is there when it was read since
   */
  const refresh = (used: Placement): Promise<void> => {
    if (placement !== used) return Promise.resolve()
    refreshing ??= readAgain().finally(() => {
      refreshing = null
    })
    return refreshing
  }

  const readAgain = async () => {
    await sleep(Math.max(0, refreshedMs + REFRESH_PAUSE_MS - performance.now()), undefined, { ref: false })
    refreshedMs = performance.now()
    placement = (await readPlacement(coordinator)) ?? placement
    texts = new WeakMap()
  }

  const find = ({ destination, ...template }: Statement): Shard | null => {
    if (destination === 'coordinator') return null
    if (destination !== 'user') return placement.shards[destination] as Shard
    const flat = flatten(template)
    if (!namesShards(flat.text, own)) return null
    const users = usersOf(flat, takesUserFirst)
    if (users === null) return null
    const shards = new Set(users.map((userId) => shardOf(placement, userId)))
    return shards.size === 1 ? ([...shards][0] as Shard) : null
  }

  const sendTo = (statement: Statement, shard: Shard | null): PromiseLike<unknown> =>
    shard === null
      ? build(statement, coordinator, rewriteForCoordinator)
      : build(statement, poolOf(shard.node), (strings) => rewrite(strings, shard))

  const send = async (statement: Statement): Promise<unknown> => {
    const used = placement
    const shard = find(statement)
    try {
      return await sendTo(statement, shard)
    } catch (error) {
      if (shard !== null && UNREACHABLE.test((error as { code?: string }).code ?? '')) {
        downUntilMs.set(shard.node, performance.now() + DOWN_MS)
        // Its standby may have another address.
        void refresh(used).catch(() => {})
      }
      if (shard === null || !MOVED.includes((error as { code?: string }).code ?? '')) throw error
      await refresh(used)
      return await sendTo(statement, find(statement))
    }
  }

  /** The driver's statement, with the fragments in it. */
  const build = (template: Template, sql: Sql, text: (strings: TemplateStringsArray) => TemplateStringsArray) => {
    const convert = (value: unknown): unknown => {
      const fragment = fragmentOf(value)
      if (fragment) return build(fragment, sql, text)
      return Array.isArray(value) && fragmentOf(value[0]) ? value.map(convert) : value
    }
    return sql(text(template.strings), ...(template.values.map(convert) as never[]))
  }

  const flatten = (template: Template): Flat => {
    const parameters: unknown[] = []
    const textOf = ({ strings, values }: Template): string =>
      strings.reduce((text, part, i) => {
        const value = values[i - 1]
        const all = Array.isArray(value) && fragmentOf(value[0]) ? value : [value]
        const texts = all.map((each) => {
          const fragment = fragmentOf(each)
          return fragment ? textOf(fragment) : `$${parameters.push(each)}`
        })
        return text + texts.join(' ') + part
      })
    return { text: textOf(template), parameters }
  }

  /** A tag whose statements are sent when they are awaited, as the driver's are, to where `find` says. */
  const open = (destination: Destination): Sql => {
    const tag = (strings: TemplateStringsArray, ...values: never[]) => {
      const query = coordinator(strings, ...values)
      if (!Array.isArray(strings.raw)) return query
      let result: Promise<unknown> | undefined
      const proxy = new Proxy(query, {
        get: (target, name) => {
          if (name !== 'then' && name !== 'catch' && name !== 'finally') return Reflect.get(target, name) as unknown
          return (...handlers: []) => {
            result ??= send({ strings, values, destination })
            return (result[name] as (...all: []) => unknown).call(result, ...handlers)
          }
        },
      })
      templates.set(proxy, { strings, values })
      return proxy
    }
    const unsafe: Sql['unsafe'] = (text, ...rest) => {
      const of = typeof destination === 'number' ? (placement.shards[destination] as Shard) : null
      return of === null
        ? coordinator.unsafe(forCoordinator(text, placement), ...rest)
        : poolOf(of.node).unsafe(forShard(text, of, placement, own), ...rest)
    }
    return new Proxy(tag as unknown as Sql, {
      get: (_, name) => (name === 'unsafe' ? unsafe : Reflect.get(coordinator, name)) as unknown,
    })
  }
  const ofShards = placement.shards.map(({ number }) => open(number))

  return {
    sql: open('user'),
    coordinator: open('coordinator'),
    shards: () => {
      firstShard += 1
      return placement.shards.flatMap((_, i) => {
        const shard = placement.shards[(i + firstShard) % placement.shards.length] as Shard
        return (scope === null || shard.node === scope) && isUp(shard.node) ? (ofShards[shard.number] as Sql) : []
      })
    },
    all: ofShards,
    shardKeyOf: (userId) => String(shardOf(placement, userId).number),
    checkNodes: () =>
      Promise.all(
        [...new Set(placement.shards.map(({ node }) => node))].map(async (node) => {
          const error = poolOf(node)`select 1`.then(
            () => null,
            (err: Error) => {
              void refresh(placement).catch(() => {})
              return err.message
            },
          )
          return { node, error: await Promise.race([error, sleep(CHECK_MS, 'no response in time', { ref: false })]) }
        }),
      ),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end({ timeout: 1 })))
    },
  }
}

/** A name never spans a parameter, so each part is rewritten by itself. */
function rewriteParts(strings: TemplateStringsArray, rewrite: (text: string) => string): TemplateStringsArray {
  const parts = strings.map(rewrite)
  return Object.assign(parts, { raw: parts })
}
