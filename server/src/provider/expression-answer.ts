/** Evaluates JSONata. Unchecked expressions run in a process that may be ended: expression.ts. */
import jsonata from 'jsonata'

/** `request`: null: the texts are parsed alone. */
export type Question = { texts: string[]; request: object | null }
/** `value`: left out: none. `problem`: why there is none. */
export type Answer = { value?: unknown; problem?: string }

/** Of an expression: milliseconds, depth of calls, and items of a list. JSONata checks them between its steps. */
const LIMITS = { timeout: 1000, stack: 200, sequence: 10_000 }

/** The catalogue names them, so that they are few. */
const parsed = new Map<string, jsonata.Expression>()

/** @returns the answer to each text */
export async function answersTo({ texts, request }: Question): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const text of texts) answers.push(await answerTo(text, request))
  return answers
}

async function answerTo(text: string, request: object | null): Promise<Answer> {
  try {
    parsed.set(text, parsed.get(text) ?? jsonata(text, LIMITS))
    const value: unknown = request && (await parsed.get(text)?.evaluate(request))
    // Throws for a function, which would be at fault for the reply as a whole.
    JSON.stringify(value)
    return { value }
  } catch (error) {
    const what = parsed.has(text) ? 'fails for a film' : 'is no JSONata expression'
    return { problem: `${what}: ${(error as Error).message}` }
  }
}
