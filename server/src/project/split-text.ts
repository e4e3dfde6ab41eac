/**
 * The shots of a text that was written elsewhere. Blank lines separate them, and so do headings: `INT. KITCHEN – DAY`
 * stays in the prompt of each shot below it, since it says where that is; `Shot 3:` and `1.` become its note.
 */
import type { ShotDraft } from './shots.ts'

const PLACE = /^(?:INT|EXT|INT\.?\s*\/\s*EXT|I\s*\/\s*E)[. ]\s*\S|^(?:内景|外景|内外景)/i
const LABEL = /^((?:shot|scene|镜头|场景|第)\s*\d{1,4}\s*(?:镜|场)?)\s*(?:[:：.)）–—-]\s*|$)/i
const NUMBER = /^(\d{1,3})\s*(?:[.)、．]\s+|[、．])/

export function splitText(text: string): Required<ShotDraft>[] {
  const shots: Required<ShotDraft>[] = []
  let place = ''
  let label = ''
  let lines: string[] = []
  const end = () => {
    if (lines.length > 0) {
      shots.push({ settings: { prompt: [place, lines.join(' ')].filter(Boolean).join('\n') }, notes: label })
      label = ''
    }
    lines = []
  }
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/).map((each) => each.trim())) {
    const found = LABEL.exec(line) ?? NUMBER.exec(line)
    if (line === '' || found || PLACE.test(line)) end()
    if (PLACE.test(line)) {
      place = line
      continue
    }
    if (found) label = found[1] ?? ''
    const rest = found ? line.slice(found[0].length) : line
    if (rest !== '') lines.push(rest)
  }
  end()
  return shots
}
