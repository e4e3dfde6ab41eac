/** The SQL texts of a source file: the templates with the tag `sql`, or one that ends so, with `$1`, `$2`, … for what is filled in. */

/** Templates inside of others are returned by themselves too; in the outer one they stand as text. */
export function templatesOf(source: string): string[] {
  const texts: string[] = []
  for (const { index, 0: tag } of source.matchAll(/\b(?:sql|Sql|tx|part|node)(?:<[^`;]*?>)?`/g)) {
    texts.push(read(source, index + tag.length, { count: 0 }).text)
  }
  return texts
}

/** Reads a template from after its first backquote. */
function read(source: string, from: number, parameters: { count: number }): { text: string; end: number } {
  let text = ''
  let i = from
  while (i < source.length && source[i] !== '`') {
    if (source[i] === '\\') {
      text += source.slice(i, i + 2)
      i += 2
    } else if (source.startsWith('${', i)) {
      const hole = readHole(source, i + 2, parameters)
      text += hole.text ?? `$${++parameters.count}`
      i = hole.end
    } else {
      text += source[i]
      i += 1
    }
  }
  return { text, end: i + 1 }
}

/** Reads an expression up to its closing brace. `text`: of the first template in it, if there is one. */
function readHole(source: string, from: number, parameters: { count: number }): { text: string | null; end: number } {
  let depth = 1
  let text: string | null = null
  let i = from
  while (depth > 0) {
    if (source[i] === '`') {
      const template = read(source, i + 1, parameters)
      if (text === null && /sql(?:<[^>]*>)?$/.test(source.slice(from, i))) text = template.text
      i = template.end
      continue
    }
    if (source[i] === '{') depth += 1
    if (source[i] === '}') depth -= 1
    i += 1
  }
  return { text, end: i }
}
