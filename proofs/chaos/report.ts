/** The report of a run with real processes: printed, and a section of docs/reliability.md. */
import { writeSection } from '../simulation/reliability.ts'

const NOTHING_LOST = 'Nothing acknowledged was lost; `kinora verify` found no difference.'

/**
 * @param lines what was run, and its table
 * @param good the sentence for a run without problems
 * @returns whether there was no problem
 */
export function report(
  section: string,
  lines: string[],
  { facts, problems, good = NOTHING_LOST }: { facts: string[]; problems: string[]; good?: string },
): boolean {
  const verdict = problems.length === 0 ? good : `**${problems.length} problems.**`
  const text = [...lines, '', ...[...facts, verdict].map((fact) => `- ${fact}`)].join('\n')
  console.log(text)
  for (const problem of problems) console.log(`PROBLEM ${problem}`)
  writeSection(section, text)
  return problems.length === 0
}
