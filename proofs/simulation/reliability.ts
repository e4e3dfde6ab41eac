/** docs/reliability.md: each proof writes its section, between its markers, with date and commit. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))
const HEADING = `# Reliability

What the proofs of this repository have run, written by the runs themselves.
`
const titles: Record<string, string> = {
  fuzz: 'Fuzz (`npm run fuzz`)',
  prism: 'OpenAPI validation by Prism (`npm run fuzz -- --prism`)',
  simulate: 'Deterministic simulation (`npm run simulate`)',
  'simulate-faults': 'Planted faults (`npm run simulate -- --faults`)',
  chaos: 'Chaos (`npm run chaos`)',
  failover: 'Failover (`npm run failover`)',
  release: 'Release (`npm run release:check`)',
  soak: 'Soak (`npm run soak:hour`)',
}

/** Replaces the section of that name, or appends it. */
export function writeSection(name: string, text: string): void {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const old = existsSync(page) ? readFileSync(page, 'utf8') : HEADING
  const section = `${begin}\n## ${titles[name] ?? name}\n\n${new Date().toISOString().slice(0, 10)}, commit ${commit()}.\n\n${text}\n${end}`
  const from = old.indexOf(begin)
  const changed =
    from < 0
      ? `${old.trimEnd()}\n\n${section}\n`
      : old.slice(0, from) + section + old.slice(old.indexOf(end) + end.length)
  writeFileSync(page, changed)
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    })
      .toString()
      .trim()
  } catch {
    return 'unknown'
  }
}
