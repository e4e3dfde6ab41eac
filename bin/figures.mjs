/** Writes the figures of a run into docs/reliability.md, between its markers `<!-- name -->` and `<!-- /name -->`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const HEAD = '# Reliability\n\nFigures of the runs that look for the next defect. Each run writes its own section.\n'

/** @param {string} root @param {string} name of the run, as in `npm run <name>` @param {string} markdown */
export function writeFigures(root, name, markdown) {
  const file = path.join(root, 'docs/reliability.md')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : HEAD
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const section = `${begin}\n\n${markdown}\n\n${end}`
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  const isThere = from !== -1 && to > from
  writeFileSync(
    file,
    isThere
      ? text.slice(0, from) + section + text.slice(to + end.length)
      : `${text.trimEnd()}\n\n## npm run ${name}\n\n${section}\n`,
  )
}
