/**
 * A distributed database (Citus) as processes use it. A statement about one user goes to the node that has the user's shard, with the
 * names of the shard's tables and functions; every other one goes to the coordinator. So the code that writes statements is the same as
 * for one PostgreSQL, and a statement about a user costs what it costs there.
 */
import { openDb, type DbOptions, type Sql } from '../../db.ts'
import { packageUrl } from '../../package-dir.ts'
import { readSource } from '../schema.ts'
import { nodeUrl, ownNames } from './distribute.ts'
import { type Placement, readPlacement, type Shard, shardOf } from './placement.ts'
import { forShard, namesShards } from './shard-text.ts'
import { type Flat, usersOf } from './statement-user.ts'

export type Distributed = {
  /** Sends each statement where its rows are. */
  sql: Sql
  /** One for each shard, in turn beginning with another one; those of one node with `node`. */
  shards: () => Sql[]
  /** The shard of a user, for calls with several users: all of one call are of one shard. */
  placeOf: (userId: string) => string
  /** The nodes, and why one cannot be reached. */
  checkNodes: () => Promise<{ node: string; error: string | null }[]>
  close: () => Promise<void>
}

/** SQLSTATE undefined_table, undefined_function, invalid_schema_name: the shard was moved away, and nothing was done. */
const MOVED = ['42P01', '42883', '3F000']
const REFRESH_PAUSE_MS = 1000

type Options = DbOptions & {
  /** The address of a database node: `shards` has those that it holds. */
  node?: string | null
}

/** @returns null when the database is not distributed */
export async function openDistributed(coordinator: Sql, databaseUrl: string, options: Options): Promise<Distributed | null> {
  const first = await readPlacement(coordinator)
  if (first === null) return null
  const source = await readSource(packageUrl)
  const own = ownNames(source)
  const takesUserFirst = new Set(
    source.functions.flatMap(({ text }) =>
      [...text.matchAll(/^create or replace function kinora\.(\w+)\(\s*p_user_id\b/gm)].map(([, name = '']) => name),
    ),
  )
  const pools = new Map<string, Sql>()
  let placement: Placement = first
  let refreshedMs = performance.now()
  let texts = new WeakMap<TemplateStringsArray, TemplateStringsArray[]>()
  const scope = options.node ? await nameOfNode(options.node) : null
  let turn = Math.floor(Math.random() * placement.shards.length)

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

  /** The places of a moved shard are read again, at most once a second. */
  const refresh = async () => {
    if (performance.now() - refreshedMs < REFRESH_PAUSE_MS) return
    refreshedMs = performance.now()
    placement = (await readPlacement(coordinator)) ?? placement
    texts = new WeakMap()
  }

  class Statement implements PromiseLike<unknown> {
    readonly strings: TemplateStringsArray
    readonly values: unknown[]
    readonly shard: number | null
    #result: Promise<unknown> | undefined

    constructor(strings: TemplateStringsArray, values: unknown[], shard: number | null) {
      this.strings = strings
      this.values = values
      this.shard = shard
    }

    // biome-ignore lint/suspicious/noThenProperty: a statement is sent when it is awaited, as the driver's are
    then<A, B>(resolve?: ((value: unknown) => A) | null, reject?: ((reason: unknown) => B) | null): Promise<A | B> {
      this.#result ??= this.#run()
      return this.#result.then(resolve as (value: unknown) => A, reject)
    }

    catch<B>(reject: (reason: unknown) => B): Promise<unknown> {
      return this.then(undefined, reject)
    }

    finally(done: () => void): Promise<unknown> {
      return this.then((value) => value).finally(done)
    }

    async #run(): Promise<unknown> {
      const shard = this.#find()
      try {
        return await this.#send(shard)
      } catch (error) {
        if (shard === null || !MOVED.includes((error as { code?: string }).code ?? '')) throw error
        await refresh()
        return await this.#send(this.#find())
      }
    }

    #find(): Shard | null {
      if (this.shard !== null) return placement.shards[this.shard] as Shard
      const flat = flatten(this)
      if (!namesShards(flat.text, own)) return null
      const users = usersOf(flat, takesUserFirst)
      if (users === null) return null
      const shards = new Set(users.map((userId) => shardOf(placement, userId)))
      return shards.size === 1 ? ([...shards][0] as Shard) : null
    }

    #send(shard: Shard | null): PromiseLike<unknown> {
      return shard === null ? build(this, coordinator, (strings) => strings) : build(this, poolOf(shard.node), (strings) => rewrite(strings, shard))
    }
  }

  /** The statement of the driver, with the fragments in it. */
  const build = (statement: Statement, sql: Sql, text: (strings: TemplateStringsArray) => TemplateStringsArray) => {
    const convert = (value: unknown): unknown => {
      if (value instanceof Statement) return build(value, sql, text)
      if (Array.isArray(value) && value[0] instanceof Statement) return value.map(convert)
      return value
    }
    return sql(text(statement.strings), ...(statement.values.map(convert) as never[]))
  }

  const flatten = (statement: Statement): Flat => {
    const parameters: unknown[] = []
    const textOf = ({ strings, values }: Statement): string =>
      strings.reduce((text, part, i) => {
        const value = values[i - 1]
        const all = Array.isArray(value) && value[0] instanceof Statement ? value : [value]
        const texts = all.map((each) => (each instanceof Statement ? textOf(each) : `$${parameters.push(each)}`))
        return text + texts.join(' ') + part
      })
    return { text: textOf(statement), parameters }
  }

  const open = (shard: number | null): Sql => {
    const tag = (strings: TemplateStringsArray, ...values: unknown[]) =>
      Array.isArray(strings.raw) ? new Statement(strings, values, shard) : (coordinator as unknown as (...args: unknown[]) => unknown)(strings, ...values)
    return new Proxy(tag as unknown as Sql, {
      get: (_, name) => Reflect.get(coordinator, name) as unknown,
    })
  }
  const ofShards = placement.shards.map(({ number }) => open(number))

  return {
    sql: open(null),
    shards: () => {
      turn += 1
      return placement.shards.flatMap((_, i) => {
        const shard = placement.shards[(i + turn) % placement.shards.length] as Shard
        return scope === null || shard.node === scope ? (ofShards[shard.number] as Sql) : []
      })
    },
    placeOf: (userId) => String(shardOf(placement, userId).number),
    checkNodes: () =>
      Promise.all(
        [...new Set(placement.shards.map(({ node }) => node))].map(async (node) => {
          const error = await poolOf(node)`select 1`.then(
            () => null,
            (err: Error) => err.message,
          )
          return { node, error }
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
