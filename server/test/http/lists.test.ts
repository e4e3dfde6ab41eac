/**
 * Every list of the API and every filter of it, page by page while rows come and go, against the rows that there are: a
 * page has those behind its cursor, `total` is their number, and the cursor is null exactly at the end.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { notDistributed } from '../support/citus/database.ts'
import { openKinora } from '../support/harness.ts'
import { type List, PLACES, type Row } from '../support/list.ts'
import { openLists } from '../support/lists.ts'
import { randomOf } from '../support/random.ts'

const kinora = await openKinora({ env: { EXPLORE: 'on', MAX_IN_PROGRESS: '0' } })
const seed = Number(process.env.LIST_SEED ?? Math.floor(Math.random() * 1e9))
const random = randomOf(seed)
const lists = await openLists(kinora, random)
const ofOnePostgres = notDistributed('rows are put into the tables directly')
const ROWS = 24

type Parameter = { name: string; in: string }
type Operation = { operationId: string; parameters?: (Parameter | { $ref: string })[] }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}
const BESIDE_FILTERS = ['page', 'pageSize', 'cursor', 'sort', 'prompts']

test('lists: every operation with a cursor in the documents → is walked here, with each of its filters', () => {
  const documents = ['openapi.json', 'openapi-operator.json'].map(
    (name) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')) as Document,
  )
  const queries = documents.flatMap(({ paths, components }) =>
    Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .map(({ operationId, parameters = [] }) => {
        const whole = parameters.map((each) =>
          '$ref' in each ? (components.parameters[basename(each.$ref)] ?? assert.fail(each.$ref)) : each,
        )
        return { operationId, names: whole.flatMap((each) => (each.in === 'query' ? [each.name] : [])) }
      }),
  )
  const paged = queries.filter(({ names }) => names.includes('cursor'))
  assert.deepEqual(
    Object.fromEntries(lists.map(({ operation, filters }) => [operation, Object.keys(filters).sort()])),
    Object.fromEntries(
      paged.map(({ operationId, names }) => [
        operationId,
        names.filter((name) => !BESIDE_FILTERS.includes(name)).sort(),
      ]),
    ),
  )
})

for (const list of lists) {
  test(
    `${list.operation}: all pages, with each filter, in each direction, while rows come and go → all rows once, counted`,
    ofOnePostgres,
    async () => {
      await list.begin?.()
      const rows = [...((await list.existing?.()) ?? [])]
      const free = shuffled(Array.from({ length: PLACES }, (_, place) => place))
      const add = async () => rows.push(...(await list.make(free.pop() ?? assert.fail('no place is left'))))
      const removeOne = async () => {
        const made = rows.filter(({ key }) => !kept.has(key))
        const row = made[random.below(made.length)]
        if (!row || !list.remove) return
        await list.remove(row)
        rows.splice(rows.indexOf(row), 1)
        if (typeof row.place === 'number') free.unshift(row.place)
      }
      const kept = new Set(rows.map(({ key }) => key))
      try {
        for (let made = 0; made < ROWS; made += 1) await add()
        const queries = Object.entries(list.filters).flatMap(([name, values]) =>
          Object.entries(values).map(([value, isIn]) => ({
            query: value.includes('=') ? value : `${name}=${encodeURIComponent(value)}`,
            isIn,
          })),
        )
        const narrows = (values: Record<string, (row: Row) => boolean>) =>
          Object.values(values).some((isIn) => rows.some(isIn) && !rows.every(isIn))
        for (const [name, values] of Object.entries(list.filters)) assert.ok(narrows(values), `${name} (seed ${seed})`)
        for (const { query, isIn } of [{ query: '', isIn: list.isPlain ?? (() => true) }, ...queries]) {
          for (const turn of list.turned ? ['', list.turned] : ['']) {
            const isAscending = turn !== '' || list.isAscending === true
            const all = `${query}&${turn}`
            const pageSize = 3 + random.below(3)
            await walk(list, rows, { query: all, isIn, isAscending, pageSize }, async () => {})
            await walk(list, rows, { query: all, isIn, isAscending, pageSize }, async () => {
              if (rows.length < ROWS + 10) await add()
              await removeOne()
            })
          }
        }
      } finally {
        for (const row of rows) if (!kept.has(row.key)) await list.remove?.(row)
        await list.end?.()
        await list.end?.()
      }
    },
  )
}

type Walk = { query: string; isIn: (row: Row) => boolean; isAscending: boolean; pageSize: number }
type Page = Record<string, unknown> & { total?: number; nextCursor: string | null }

async function walk(
  list: List,
  rows: Row[],
  { query, isIn, isAscending, pageSize }: Walk,
  change: () => Promise<void>,
) {
  const at = `${list.operation}?${query} (seed ${seed})`
  const inSequence = () => rows.filter(isIn).sort((a, b) => (a.key < b.key === isAscending ? -1 : 1))
  const shownId = ({ id }: Row) => list.shown?.(id) ?? id
  const before = inSequence()
  const seen: string[] = []
  let last: string | null = null
  let cursor: string | null = null
  do {
    const path: string = `${list.path}?${query}&pageSize=${pageSize}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const { status, data, text } = await kinora.call<Page>('GET', path, {
      ...(list.as && { as: list.as }),
      headers: list.headers ?? {},
    })
    assert.equal(status, 200, `${at}: ${text}`)
    const all = inSequence()
    const behind = all.filter(({ key }) => last === null || (isAscending ? key > last : key < last))
    const shown = (data[list.rows] as Record<string, unknown>[]).map((row) => String(row[list.id]))
    assert.deepEqual(shown, behind.slice(0, pageSize).map(shownId), at)
    if (data.total !== undefined) assert.equal(data.total, all.length, `${at}: total`)
    assert.equal(data.nextCursor === null, behind.length <= pageSize, `${at}: nextCursor`)
    seen.push(...shown)
    last = behind[pageSize - 1]?.key ?? null
    cursor = data.nextCursor
    await change()
  } while (cursor !== null && seen.length < 10 * ROWS)
  const stayed = before.filter((row) => rows.includes(row)).map(shownId)
  assert.equal(new Set(seen).size, seen.length, `${at}: no row twice`)
  assert.deepEqual(
    seen.filter((id) => stayed.includes(id)),
    stayed,
    `${at}: each row that stayed, once`,
  )
}

function shuffled<T>(items: T[]): T[] {
  const left = [...items]
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T)
}
