/** The version of the schema, and the rules that let two releases run on one database. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { bindingsText } from '../../bindings.ts'
import { packageUrl } from '../../src/config/package-dir.ts'
import { videoViewSql } from '../../src/db/columns.ts'
import { openDb } from '../../src/db/db.ts'
import { readSource } from '../../src/db/schema.ts'
import { videoFilterSql } from '../../src/db/video-filters.ts'
import { createDatabase } from '../support/database.ts'
import { readSignatures, type Signature, takesCallsOf } from './function-signatures.ts'
import { migrationProblems } from './migration-rules.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 1, name: 'schema test' })

after(async () => {
  await sql.end()
  await database.drop()
})

test('video_view.sql, video_filter.sql: the files in the repository → made of the fields and filters (`npm run schema` writes them)', () => {
  assert.equal(readFileSync(new URL('sql/video_view.sql', packageUrl), 'utf8'), videoViewSql())
  assert.equal(readFileSync(new URL('sql/video_filter.sql', packageUrl), 'utf8'), videoFilterSql())
})

test('bindings.ts: the file in the repository → the functions of the database (`npm run schema` writes it)', async () => {
  assert.equal(readFileSync(new URL('src/db/bindings.ts', packageUrl), 'utf8'), await bindingsText(sql))
})

test('schema.json: text of migrations or functions changed → the version has to be raised', async () => {
  const declared = JSON.parse(readFileSync(new URL('sql/schema.json', packageUrl), 'utf8')) as { hash: string }
  const { hash } = await readSource(packageUrl)
  assert.equal(declared.hash, hash, 'The text of migrations/ or sql/ has changed: npm run schema raises the version.')
})

test('functions: called by processes of the last release → they take these calls', async () => {
  const file = new URL('released-functions.json', import.meta.url)
  if (process.env.RELEASE) writeFileSync(file, JSON.stringify(await readSignatures(sql)))
  const released = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Signature>
  const current = await readSignatures(sql)
  const broken = Object.entries(released).filter(([name, old]) => {
    const successor = current[name]
    // A name that is gone is kept for a release by migrate.
    return successor && !takesCallsOf(successor, old)
  })
  assert.deepEqual(
    broken.map(([name]) => name),
    [],
    'Add only optional parameters at the end and columns of the result. For any other change give the function a new name.',
  )
})

const older: Signature = { parameters: ['p_user_id uuid', 'p_key text?'], returns: 'record', columns: ['outcome text'] }
const changes: Record<string, [Partial<Signature>, takes: boolean]> = {
  'another optional parameter at the end': [{ parameters: [...older.parameters, 'p_next text?'] }, true],
  'another column of the result': [{ columns: ['outcome text', 'next bigint'] }, true],
  'a parameter that became optional': [{ parameters: ['p_user_id uuid?', 'p_key text?'] }, true],
  'a required parameter at the end': [{ parameters: [...older.parameters, 'p_next text'] }, false],
  'a parameter removed': [{ parameters: ['p_user_id uuid'] }, false],
  'a parameter with another name': [{ parameters: ['p_user uuid', 'p_key text?'] }, false],
  'a column of the result removed': [{ columns: [] }, false],
  'another type of result': [{ returns: 'setof record' }, false],
}
for (const [change, [changed, takes]] of Object.entries(changes)) {
  test(`functions: ${change} → calls of the release before are ${takes ? 'taken' : 'refused'}`, () => {
    assert.equal(takesCallsOf({ ...older, ...changed }, older), takes)
  })
}

test('functions: begin atomic → none returns the rows of a table', async () => {
  // Its list of columns is fixed when it is created: after `add column` it fails until it is created again.
  const rows = await sql<{ name: string }[]>`
    select p.proname as name
    from pg_proc p
    join pg_type t on t.oid = p.prorettype
    join pg_class c on c.oid = t.typrelid and c.relkind = 'r'
    where p.pronamespace = 'kinora'::regnamespace and p.prosqlbody is not null
  `
  assert.deepEqual([...rows], [])
})

test('migrations: every one → no statement scans or rewrites a table under a lock, or breaks the release before', async () => {
  const { migrations } = await readSource(packageUrl)
  assert.deepEqual(migrationProblems(migrations), [])
})

const refused: Record<string, string> = {
  'create index a on kinora.video (id);': 'builds an index',
  'create index concurrently if not exists a on kinora.video (id);': 'belongs in a step',
  '-- step: a\ncreate index concurrently a on kinora.video (id);': 'may run twice',
  'drop index kinora.video_due;': 'drop index concurrently',
  'alter table kinora.video alter column prompt type varchar(9);': 'rewrites the table',
  'alter table kinora.video add column a uuid default gen_random_uuid();': 'volatile default',
  'alter table kinora.video add column a bigint generated always as identity;': 'rewrites the table',
  'alter table kinora.video add column a text unique;': 'builds an index',
  'alter table kinora.video add constraint a check (credits > 1);': 'scans the table',
  'alter table kinora.video add column a uuid references kinora.migration (name);': 'locks both tables',
  'alter table kinora.video validate constraint a;': 'stronger locks',
  'alter table kinora.video alter column progress set not null;': 'set not null scans',
  'update kinora.video set progress = 0;': 'many rows',
  '-- step: a\nupdate kinora.video set progress = 0;': 'many rows',
  '-- repeated step: a\nupdate kinora.video set progress = 0 where progress is null;': 'needs a limit',
  'delete from kinora.video;': 'many rows',
  'alter table kinora.video add column a text; alter table kinora.credit_hold add column a text;': 'together',
  'lock table kinora.video;': 'locks the whole table',
  'alter table kinora.video rename column progress to b;': 'breaks processes',
  'alter table kinora.video drop column progress;': 'breaks processes',
}

for (const [text, problem] of Object.entries(refused)) {
  test(`migrations: ${text.replace('\n', ' ')} → refused: ${problem}`, () => {
    const problems = migrationProblems([{ name: '0099_test.sql', text }])
    assert.ok(problems.length === 1 && problems[0]?.includes(problem), problems.join('\n'))
  })
}

test('migrations: the same changes without a long lock → accepted', () => {
  const plain = `
    create table kinora.new (id uuid primary key, other uuid references kinora.new (id), n integer not null);
    create index new_n on kinora.new (n);
    alter table kinora.video add column a text not null default 'x', add column b timestamptz default now();
    alter table kinora.video add constraint b_there check (b is not null) not valid;
    -- contract: no release since 0.2 reads it
    alter table kinora.video drop column c;
  `
  const steps = `
-- step: index
create index concurrently if not exists a on kinora.video (id);
-- repeated step: fill
update kinora.video set b = now() where ctid = any(array(select ctid from kinora.video where b is null limit 1000));
-- step: check
alter table kinora.video validate constraint b_there;
-- step: not null
alter table kinora.video alter column b set not null;
`
  const files = [
    { name: '0098_plain.sql', text: plain },
    { name: '0099_steps.sql', text: steps },
  ]
  assert.deepEqual(migrationProblems(files), [])
})
