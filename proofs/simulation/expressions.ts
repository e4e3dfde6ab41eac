/** Stands in for provider/expression.ts, whose child process takes real time, for which the scheduler does not wait. */
import { answersTo } from '../../server/src/provider/expression-answer.ts'

export const runExpressions = (texts: string[], request: object | null) => answersTo({ texts, request })
