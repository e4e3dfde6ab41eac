/**
 * `npm run release:verify -- DIR [--key release-key.pub.pem]`: checks that the files of a release are those that were
 * signed. The key has to come from elsewhere than the release; without `--key` the one beside it is taken, which shows
 * only that nothing was damaged.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { problemsOf } from './attestation.mjs'

const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true })
const folder = path.resolve(positionals[0] ?? '.')
const name = readdirSync(folder).find((each) => each.endsWith('.intoto.json'))
if (!name) {
  process.stderr.write(`${folder} has no *.intoto.json.\n`)
  process.exit(2)
}
const envelope = JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
const problems = problemsOf(envelope, readFileSync(values.key ?? path.join(folder, 'release-key.pub.pem')), folder)
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length === 0) {
  const { subject, predicate } = JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8'))
  const { buildDefinition } = predicate
  process.stdout.write(`${subject.map((each) => `${each.digest.sha256}  ${each.name}`).join('\n')}\n`)
  process.stdout.write(`signed, of commit ${buildDefinition.resolvedDependencies[0].digest.gitCommit}\n`)
  if (!values.key) process.stdout.write('The key came with the release: name the one that you trust with --key.\n')
}
process.exit(problems.length === 0 ? 0 : 1)
