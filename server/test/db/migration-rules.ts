/**
 * Rules for migrations, as data: forms of a statement that scan or rewrite a table under a lock that requests wait for,
 * or that break the processes of the release before. They apply to tables that the file itself does not create.
 */
import { stepsOf } from '../../src/db/migration-file.ts'

type Rule = { pattern: RegExp; problem: string; isAllowedIn?: 'step' | 'repeated step' }

const TABLE =
  /\b(?:alter table(?: only)?(?: if exists)?|on|update(?: only)?|delete from|into|truncate(?: table)?)\s+(?:only\s+)?((?:kinora|public)\.\S+?)[\s(;]/gi

const rules: Rule[] = [
  {
    pattern: /create (unique )?index (?!concurrently)/,
    problem: 'builds an index under a lock: create index concurrently if not exists, in a step',
  },
  { pattern: /index concurrently (?!if (not )?exists)/, problem: 'a step may run twice: if not exists, or if exists' },
  { pattern: /index concurrently/, problem: 'belongs in a step', isAllowedIn: 'step' },
  { pattern: /drop index (?!concurrently)/, problem: 'drop index concurrently if exists, in a step' },
  {
    pattern: /alter (column )?\S+ (set data )?type /,
    problem: 'rewrites the table: add a column, fill it in a repeated step, and drop the old one a release later',
  },
  {
    pattern: /add (column )?[^,]*\b(gen_random_uuid|random|clock_timestamp|nextval|uuid_v7|timeofday)\(/,
    problem: 'a volatile default rewrites the table',
  },
  { pattern: /add (column )?[^,]*\bgenerated (always|by default) as\b/, problem: 'rewrites the table' },
  {
    pattern: /add (column )?[^,]*\b(unique|primary key)\b(?! using index)/,
    problem: 'builds an index under a lock: build it concurrently, then add the constraint using index',
  },
  {
    pattern: /add constraint (?![^;]*\bnot valid\b)(?![^;]*\busing index\b)/,
    problem: 'scans the table under a lock: add it not valid, and validate it in a step',
  },
  { pattern: /add (column )?[^,]*\breferences\b(?![^;]*\bnot valid\b)/, problem: 'locks both tables while it scans' },
  {
    pattern: /validate constraint/,
    problem: 'scans while the transaction holds stronger locks: do it in a step',
    isAllowedIn: 'step',
  },
  { pattern: /create table (?!if not exists)/, problem: 'a step may run twice: create table if not exists' },
  {
    pattern: /^(?!.*drop constraint if exists).*add constraint (?!.*using index)/,
    problem: 'a step may run twice: drop constraint if exists …, add constraint …',
  },
  { pattern: /add column (?!if not exists)/, problem: 'a step may run twice: add column if not exists' },
  {
    // Not the events of a trigger: `after update`, `before insert or update of`.
    pattern: /(^|\W)(?<!\b(?:after|before|or) )(update|delete from)\s/,
    problem: 'changes many rows in one statement: use a repeated step with a limit',
    isAllowedIn: 'repeated step',
  },
  {
    pattern:
      /(^|\s)(lock table|cluster|vacuum full|reindex (?!.*concurrently)|truncate|refresh materialized view (?!concurrently))/,
    problem: 'locks the whole table',
  },
  {
    pattern: /\brename\b/,
    problem: 'breaks processes of the release before: add the new name, and drop the old one a release later',
  },
  {
    pattern: /drop (table|column|constraint(?! if exists [^;]*add constraint)|function|schema)/,
    problem:
      'breaks processes of the release before: a release later, after a comment "-- contract: <why no process uses it>"',
  },
]

/** Returns the problems of all files. `files` in the order in which they run. */
export function migrationProblems(files: { name: string; text: string }[]): string[] {
  const checkedNotNull = new Set<string>()
  return files.flatMap(({ name, text }) => {
    const steps = stepsOf(text)
    // The names are in lower case, as the statements are read.
    const created = new Set(
      [...text.toLowerCase().matchAll(/create table (?:if not exists )?(\S+)/gi)].map(([, table]) => table),
    )
    const units = steps
      ? steps.map((step) => ({ text: step.text, kind: step.isRepeated ? 'repeated step' : 'step' }) as const)
      : statementsOf(text).map((statement) => ({ text: statement, kind: 'plain' }) as const)
    const altered = new Set(
      [...text.replace(/--.*$/gm, '').matchAll(/\balter table (\S+)/gi)].map(([, table]) => table ?? ''),
    )
    const locked = [...altered].filter((table) => !created.has(table))
    const several =
      steps === null && locked.length > 1
        ? [
            `${name}: locks ${locked.join(', ')} together, which deadlocks with calls that lock them in another order: use steps`,
          ]
        : []
    const problems = units.flatMap((unit) => {
      const isContract = /^\s*-- contract: ./m.test(unit.text)
      const code = unit.text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().toLowerCase()
      rememberNotNull(code, checkedNotNull)
      const tables = [...`${code} `.matchAll(TABLE)].map(([, table]) => table)
      if (tables.length > 0 && tables.every((table) => created.has(table))) return []
      const broken = rules.filter(
        ({ pattern, isAllowedIn, problem }) =>
          pattern.test(code) &&
          !(isAllowedIn === 'step' && unit.kind !== 'plain') &&
          !(isAllowedIn === unit.kind) &&
          !(isContract && problem.includes('contract')) &&
          !(unit.kind === 'plain' && problem.startsWith('a step may run twice')),
      )
      const nullable = /alter (?:column )?(\S+) set not null/.exec(code)?.[1]
      const more = [
        nullable && !checkedNotNull.has(`${tables[0]}.${nullable}`)
          ? 'set not null scans the table: add constraint … check (column is not null) not valid and validate it first'
          : '',
        unit.kind === 'repeated step' && !/\blimit \d+/.test(code) ? 'a repeated step needs a limit' : '',
        unit.kind !== 'plain' && /;\s*\S/.test(code.replace(/\$(\w*)\$.*?\$\1\$/g, ''))
          ? 'a step is one statement'
          : '',
      ]
      return [...broken.map(({ problem }) => problem), ...more.filter(Boolean)].map(
        (problem) => `${name}: ${code.slice(0, 70)}: ${problem}`,
      )
    })
    return [...several, ...problems]
  })
}

/** A validated check makes `set not null` a change of the catalogue alone. */
function rememberNotNull(code: string, checked: Set<string>): void {
  const table = /alter table (\S+)/.exec(code)?.[1]
  const [, name, column] = /add constraint (\S+) check \((\S+) is not null\) not valid/.exec(code) ?? []
  if (table && name && column) checked.add(`${table}.${name}:${column}`)
  const validated = /validate constraint ([^\s;]+)/.exec(code)?.[1]
  for (const key of [...checked]) {
    const [constraint, of] = key.split(':')
    if (of && constraint === `${table}.${validated}`) checked.add(`${table}.${of}`)
  }
}

/** Splits at semicolons outside of quoted text. */
function statementsOf(text: string): string[] {
  const quoted = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|--.*$/gm
  const masked = text.replace(quoted, (part) => part.replaceAll(';', ','))
  return masked.split(';').filter((statement) => statement.replace(/--.*$/gm, '').trim() !== '')
}
