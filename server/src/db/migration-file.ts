/**
 * A migration file in steps: a comment line `-- step: <title>` begins each statement, `-- repeated step: <title>` one
 * that is run until it changes no row. A statement may run twice, because a crash starts the file again.
 */

export type Step = {
  title: string
  text: string
  isRepeated: boolean
  /** Takes a lock that conflicts with no read or write of rows, so that it may wait and take long. */
  isSlow: boolean
}

const MARK = /^-- (repeated )?step: (.+)$/gm

/** Returns null for a file without steps, which is one transaction. */
export function stepsOf(text: string): Step[] | null {
  const marks = [...text.matchAll(MARK)]
  if (marks.length === 0) return null
  return marks.map((mark, i) => {
    const statement = text.slice(mark.index + mark[0].length, marks[i + 1]?.index).trim()
    return {
      title: mark[2] ?? '',
      text: statement,
      isRepeated: mark[1] !== undefined,
      isSlow: mark[1] !== undefined || /\bconcurrently\b|\bvalidate constraint\b/i.test(statement),
    }
  })
}
