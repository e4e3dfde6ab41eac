/**
 * Writes src/vendor-schemas.ts: a JSON Schema of each body in vendor-types.ts that a route of the catalogue sends. A
 * vendor's types have few limits of numbers and texts; those that a comment of Runway's states are taken from it. Of an
 * enum that is open for later values the known ones are taken. `--print` writes to the output instead.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { API, SymbolFlags, TypeFlags } from 'typescript/unstable/sync'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const entry = at('vendor-types.ts')
/** What a client uploads, so that the body has its address. */
const UPLOADS = /^(Blob|File)$/
const DEPTH_MAX = 8

const api = new API({ cwd: at('..') })
const snapshot = api.updateSnapshot({ openFiles: [entry] })
const project = snapshot.getDefaultProjectForFile(entry)
const { checker } = project

const used = modelsOfRoutes()
const schemas = {}
const dialects = checker.getExportsOfModule(checker.getSymbolAtLocation(project.program.getSourceFile(entry)))
for (const dialect of dialects) {
  const bodies = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(dialect))
  const named = bodies.filter(({ name }) => isUsed(dialect.name, name))
  schemas[dialect.name] = Object.fromEntries(
    named
      .map((body) => [body.name, bodyOf(dialect.name, checker.getTypeOfSymbol(body))])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
api.close()

const lines = Object.entries(schemas).flatMap(([dialect, bodies]) => [
  `  ${dialect}: {`,
  ...Object.entries(bodies).map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)},`),
  '  },',
])
const text = `/** Written by vendor-schemas.mjs from the types of vendors' clients. */
export const vendorSchemas: Record<string, Record<string, object>> = {
${lines.join('\n')}
}
`
if (process.argv.includes('--print')) process.stdout.write(text)
else writeFileSync(at('src/vendor-schemas.ts'), text)

/** Where a dialect has one body for all models, it is always used. */
function isUsed(dialect, name) {
  return dialect === 'fal' || dialect === 'runway' ? used.has(`${dialect} ${name.split(' ').at(-1)}`) : true
}

function modelsOfRoutes() {
  const folder = at('../catalogue/models/')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const models = files.map((name) => JSON.parse(readFileSync(`${folder}${name}`, 'utf8')))
  return new Set(
    models.flatMap(({ id, routes = [] }) =>
      routes.flatMap(({ account, model = id }) =>
        Object.values(Object(typeof model === 'string' ? [model] : model)).map((name) => `${account} ${name}`),
      ),
    ),
  )
}

/** fal's client has its enums of numbers as texts, so that both are taken. */
function bodyOf(dialect, type) {
  const schema = schemaOf(type, 0)
  if (dialect !== 'fal') return schema
  for (const field of Object.values(schema.properties)) {
    const numbers = field.enum?.map(Number) ?? []
    if (numbers.length > 0 && !numbers.some(Number.isNaN)) field.enum.push(...numbers)
  }
  return schema
}

function schemaOf(type, depth) {
  const { flags } = type
  if (flags & TypeFlags.Union) return unionOf(type.getTypes(), depth)
  if (type.isLiteralType()) return { const: type.value }
  if (flags & TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
  if (flags & TypeFlags.StringLike) return { type: 'string' }
  if (flags & TypeFlags.NumberLike) return { type: 'number' }
  if (flags & TypeFlags.BooleanLike) return { type: 'boolean' }
  if (flags & TypeFlags.Null) return { type: 'null' }
  if (depth > DEPTH_MAX || !(flags & (TypeFlags.Object | TypeFlags.Intersection))) return {}
  if (checker.isArrayType(type)) return { type: 'array', items: schemaOf(checker.getTypeArguments(type)[0], depth + 1) }
  return objectOf(type, depth)
}

function unionOf(types, depth) {
  const members = types.filter(
    (each) => !(each.flags & TypeFlags.Undefined) && !UPLOADS.test(nameOf(each)) && !isOpen(each),
  )
  const each = members.map((member) => schemaOf(member, depth))
  const values = each.flatMap((schema) => ('const' in schema ? [schema.const] : []))
  const isFlag = values.includes(true) && values.includes(false)
  const constants = values.filter((value) => !isFlag || typeof value !== 'boolean')
  const all = [
    ...(isFlag ? [{ type: 'boolean' }] : []),
    ...(constants.length > 0 ? [{ enum: constants }] : []),
    ...each.filter((schema) => !('const' in schema)),
  ]
  return all.length === 1 ? all[0] : { anyOf: all }
}

function nameOf(type) {
  return type.getAliasSymbol()?.name ?? type.getSymbol()?.name ?? ''
}

/** What an enum takes besides its known values: `string & {}`. */
function isOpen(type) {
  return type.isIntersectionType() && type.getTypes().some(({ flags }) => flags & (TypeFlags.String | TypeFlags.Number))
}

function objectOf(type, depth) {
  const [index] = checker.getIndexInfosOfType(type)
  const properties = {}
  const required = []
  for (const property of checker.getPropertiesOfType(type)) {
    const schema = schemaOf(checker.getTypeOfSymbol(property), depth + 1)
    properties[property.name] = { ...schema, ...limitsIn(checker.getDocumentationCommentOfSymbol(property), schema) }
    if (!(property.flags & SymbolFlags.Optional)) required.push(property.name)
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(index ? {} : { additionalProperties: false }),
  }
}

function limitsIn(comment, { type }) {
  const text = comment.replace(/\s+/g, ' ')
  if (type === 'string') {
    const [, maxLength] = /up to (\d+) characters/.exec(text) ?? []
    return maxLength ? { maxLength: Number(maxLength) } : {}
  }
  const [, minimum, maximum] = /integer from (\d+) to (\d+)/.exec(text) ?? []
  return type === 'number' && maximum ? { type: 'integer', minimum: Number(minimum), maximum: Number(maximum) } : {}
}
