/**
 * Writes the types of the SQL functions from pg_catalog, for server/src/db/call.ts. A parameter that may be null has
 * `default null` there. The outcomes of a function are the texts that its body returns.
 */
import postgres from 'postgres'
import type { Sql } from './src/db/db.ts'

type Parameter = { name: string; type: string; mode: 'i' | 'o' | 't'; isNullable: boolean; isOptional: boolean }
type Column = { name: string; type: string; isNullable: boolean }
type SqlFunction = {
  name: string
  body: string
  isSet: boolean
  returns: string
  parameters: Parameter[]
  /** Of the composite type that is returned; null: another type. */
  columns: Column[] | null
}
type Catalog = {
  functions: Map<string, SqlFunction>
  composites: Map<string, Column[]>
  isNeverNull: (column: string) => boolean
}

const scalars: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  interval: 'string',
  numeric: 'number | string',
  bigint: 'number',
  integer: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  'timestamp with time zone': 'Date',
  date: 'Date',
  jsonb: 'object',
}
/** The composite types that a call sends: as a row, or as the elements of a set in JSON. */
const sent = ['video_step', 'generate_request']

export async function bindingsText(sql: Sql): Promise<string> {
  const catalog = await readCatalog(sql)
  const functions = [...catalog.functions.values()].filter((each) => isCallable(each))
  return `// Written by \`npm run schema\` from pg_catalog.
import type { Fragment } from './db.ts'

${sent.map((name) => `export type ${pascal(name)} = ${record(catalog.composites.get(name) ?? [])}\n`).join('')}
export type Functions = {
${functions.map((each) => `  ${each.name}: { args: ${argumentsOf(each)}; result: ${resultOf(catalog, each)} }\n`).join('')}}

/** The steps of a video: the attributes of kinora.video_step that each reads, and its outcomes. */
export type Steps = {
${stepsOf(catalog)}}

/** Each parameter's name in TypeScript and type in SQL. \`returns\`: the result's shape, a row with \`columns\`. */
export const functions = {
${functions.map((each) => `  ${each.name}: { returns: '${shapeOf(each)}', columns: '${columnsOf(each)}', parameters: ${typesOf(inputs(each))} },\n`).join('')}} as const

/** The attributes of composite types. */
export const composites = {
${sent.map((name) => `  'kinora.${name}': ${typesOf(catalog.composites.get(name) ?? [])},\n`).join('')}} as const
`
}

async function readCatalog(sql: Sql): Promise<Catalog> {
  const functions = await sql<SqlFunction[]>`
    select p.proname as name, pg_get_functiondef(p.oid) as body, p.proretset as is_set, format_type(p.prorettype, null) as returns,
           coalesce((
             select json_agg(json_build_object(
               'name', p.proargnames[i], 'type', format_type(t.type, null), 'mode', coalesce(p.proargmodes[i], 'i'),
               'isNullable', coalesce(pg_get_function_arg_default(p.oid, i::integer) like 'NULL::%', false),
               'isOptional', pg_get_function_arg_default(p.oid, i::integer) not like 'NULL::%'
             ) order by i)
             from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality t (type, i)
           ), '[]') as parameters,
           (select ${columnsJson(sql)} from pg_attribute a where a.attrelid = r.typrelid and a.attnum > 0) as columns
    from pg_proc p
    join pg_type r on r.oid = p.prorettype
    where p.pronamespace = 'kinora'::regnamespace and p.prokind = 'f'
    -- Of functions of one name the longest is taken.
    order by p.proname, p.pronargs
  `
  const relations = await sql<{ name: string; columns: Column[]; isTable: boolean }[]>`
    select c.relname as name, c.relkind <> 'c' as is_table, ${columnsJson(sql)} as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'kinora'::regnamespace and c.relkind in ('r', 'p', 'c')
    group by c.oid
  `
  const columns = Map.groupBy(
    relations.filter(({ isTable }) => isTable).flatMap((table) => table.columns),
    ({ name }) => name,
  )
  return {
    functions: new Map(functions.map((each) => [each.name, each])),
    composites: new Map(relations.map((each) => [each.name, each.columns])),
    isNeverNull: (name) => columns.get(name)?.every(({ isNullable }) => !isNullable) ?? false,
  }
}

const columnsJson = (sql: Sql) => sql`
  json_agg(json_build_object(
    'name', a.attname, 'type', format_type(a.atttypid, null), 'isNullable', not a.attnotnull
  ) order by a.attnum)
`

const inputs = ({ parameters }: SqlFunction) => parameters.filter(({ mode }) => mode === 'i')
const outputs = ({ parameters }: SqlFunction) => parameters.filter(({ mode }) => mode !== 'i')
const camel = (name: string) => postgres.toCamel(name.replace(/^p_/, ''))
const pascal = (name: string) => postgres.toPascal(name)
const composite = (type: string) => /^kinora\.(\w+)$/.exec(type)?.[1]

const isCallable = (each: SqlFunction) =>
  each.returns !== 'trigger' && inputs(each).every(({ type }) => typeOf(type) !== null)

/** @returns null for a type that no call sends */
function typeOf(type: string): string | null {
  const element = /^(.*)\[\]$/.exec(type)?.[1]
  if (element) return scalars[element] ? `readonly ${scalars[element]}[]` : null
  const name = composite(type)
  if (name === 'video') return 'Fragment'
  return name && sent.includes(name) ? pascal(name) : (scalars[type] ?? null)
}

const record = (columns: Column[]) =>
  `{ ${columns.map(({ name, type }) => `${camel(name)}: ${typeOf(type)} | null`).join('; ')} }`

const argumentsOf = (each: SqlFunction) =>
  `{ ${inputs(each)
    .map(
      ({ name, type, isNullable, isOptional }) =>
        `${camel(name)}${isOptional || isNullable ? '?' : ''}: ${typeOf(type)}${isNullable ? ' | null' : ''}`,
    )
    .join('; ')} }`

const typesOf = (columns: { name: string; type: string }[]) =>
  `{ ${columns.map(({ name, type }) => `${camel(name)}: '${type}'`).join(', ')} }`

function shapeOf(each: SqlFunction): string {
  if (each.returns === 'void') return 'nothing'
  const isRow = outputs(each).length > 1 || each.columns !== null || each.returns === 'record'
  return each.isSet ? (isRow ? 'rows' : 'values') : isRow ? 'row' : 'value'
}

/** The columns of a row, by name: with `*` a column that a deploy adds fails a statement that was parsed before. */
const columnsOf = (each: SqlFunction) =>
  shapeOf(each).startsWith('row') ? (each.columns ?? outputs(each)).map(({ name }) => name).join(', ') : ''

function resultOf(catalog: Catalog, each: SqlFunction): string {
  const shape = shapeOf(each)
  if (shape === 'nothing') return 'void'
  const outcome = unionOf(outcomesOf(catalog, each.name))
  if (shape === 'value' || shape === 'values') {
    const type = each.returns === 'text' && !each.isSet ? outcome : read(each.returns)
    const isNull = each.returns.endsWith('[]')
      ? /\breturn null\b/i.test(each.body)
      : !/^(boolean|bigint|integer)$/.test(each.returns)
    const isNullable = shape === 'value' && isNull && !outcome.startsWith("'")
    return shape === 'values' ? `${type}[]` : `${type}${isNullable ? ' | null' : ''}`
  }
  const columns: Column[] = each.columns ?? outputs(each).map((column) => ({ ...column, isNullable: false }))
  const hasOutcome = columns.some(({ name }) => name === 'outcome')
  const fields = columns.map(({ name, type, isNullable }) => {
    if (name === 'outcome') return `outcome: ${outcome}`
    const isNever = each.columns
      ? !isNullable
      : !hasOutcome && (/^(boolean|bigint|integer)$/.test(type) || catalog.isNeverNull(name))
    return `${camel(name)}: ${read(type)}${isNever ? '' : ' | null'}`
  })
  return `{ ${fields.join('; ')} }${each.isSet ? '[]' : ''}`
}

const unionOf = (literals: string[] | null) => literals?.map((literal) => `'${literal}'`).join(' | ') ?? 'string'
const read = (type: string) => (type === 'jsonb' ? 'unknown' : (typeOf(type)?.replace('readonly ', '') ?? 'unknown'))

/**
 * The texts that a function returns, or sets its column `outcome` to: literals, branches of a case, what another
 * function returns, and what a variable was set to. null: some of them are no literals.
 */
function outcomesOf(catalog: Pick<Catalog, 'functions'>, name: string): string[] | null {
  const found = new Set<string>()
  return collect(catalog.functions, name, found, new Set()) && found.size > 0 ? [...found].sort() : null
}

const DECISION = /^kinora\.video_(?:(?:un)?changed\(\s*p_video,|to_(?:generating|failed)\(\s*p_video,(?: p_step,)?)\s*/

/** @returns false when some of the texts are no literals */
function collect(functions: Catalog['functions'], name: string, found: Set<string>, seen: Set<string>): boolean {
  if (seen.has(name)) return true
  seen.add(name)
  const each = functions.get(name)
  if (!each) return false
  const body = each.body.replace(/--[^\n]*/g, '')
  const assigned = outputs(each).some((output) => output.name === 'outcome')
    ? /\boutcome :=([^;]*)/gi
    : /\breturn\b([^;]*)/gi
  const selected = each.isSet ? [...body.matchAll(/\breturn query\s+select\s+([^,;]*)/gi)] : []
  const expressions = [...body.matchAll(assigned), ...selected].map(([, expression = '']) => expression)
  return expressions.map((expression) => resolve(expression.trim())).every(Boolean)

  function resolve(expression: string): boolean {
    const literal = /^'(\w+)'(?:::text)?(?=$|[\s,)])/.exec(expression)?.[1]
    if (literal) return Boolean(found.add(literal))
    if (/^(null\b|$)/i.test(expression)) return true
    if (DECISION.test(expression)) return resolve(expression.replace(DECISION, ''))
    if (/^case\b/i.test(expression)) {
      const branches = [...expression.matchAll(/\b(?:then|else)\s+([^\s,)]+)/gi)]
      return branches.map(([, branch = '']) => resolve(branch)).every(Boolean)
    }
    const called = /^kinora\.(\w+)\(/.exec(expression)?.[1]
    if (called) return collect(functions, called, found, seen)
    const variable = /^(\w+)(?:\.outcome)?(?=$|[\s,)])/.exec(expression)?.[1]
    return variable !== undefined && !seen.has(`${name}.${variable}`)
      ? resolveVariable(variable)
      : variable !== undefined
  }

  function resolveVariable(variable: string): boolean {
    seen.add(`${name}.${variable}`)
    const set = [...body.matchAll(new RegExp(`\\b${variable}(?: constant)?(?: text)? :=([^;]*)`, 'g'))]
    const into = [
      ...body.matchAll(new RegExp(`\\binto ${variable}\\s+from\\s+(kinora\\.\\w+\\()`, 'g')),
      ...body.matchAll(new RegExp(`\\bselect (kinora\\.\\w+\\([^;]*?\\))\\s*into ${variable}\\b`, 'g')),
    ]
    const expressions = [...set, ...into].map(([, expression = '']) => expression.trim())
    return expressions.length > 0 && expressions.map(resolve).every(Boolean)
  }
}

function stepsOf(catalog: Catalog): string {
  const attributes = catalog.composites.get('video_step') ?? []
  return [...catalog.functions.keys()]
    .filter((name) => name.startsWith('video_step_'))
    .map((name) => {
      const used = attributesOf(catalog, name)
      const outcomes = unionOf(outcomesOf(catalog, name))
      return `  ${name.slice('video_step_'.length)}: { args: ${record(attributes.filter((each) => used.has(each.name)))}; outcome: ${outcomes} }\n`
    })
    .join('')
}

/** The attributes of the parameter p_step that a function reads, itself or through those that it hands it to. */
function attributesOf({ functions }: Pick<Catalog, 'functions'>, name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return new Set()
  seen.add(name)
  const body = functions.get(name)?.body ?? ''
  const own = [...body.matchAll(/\(?\bp_step\)?\.(\w+)/g)].map(([, attribute = '']) => attribute)
  const handed = [...body.matchAll(/kinora\.(\w+)\([^;]*?\bp_step\b(?!\)?\.)/g)].flatMap(([, called = '']) => [
    ...attributesOf({ functions }, called, seen),
  ])
  return new Set([...own, ...handed])
}
