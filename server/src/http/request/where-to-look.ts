/** Where what a guessed address asks for is: a row for each path of another service's API, and the nearest of ours. */
import { nearest } from '../../text/nearest.ts'

/** The formats of other services have base addresses of their own (docs/compatibility.md). */
const openAi = 'the base address of OpenAI’s format is /openai/v1'
const openRouter = 'the base address of OpenRouter’s format is /openrouter/api/v1'
const replicate = 'the base address of Replicate’s format is /replicate/v1'
const fal = 'the address of fal’s format is /fal'
const gateway = 'the base address of the AI SDK gateway’s format is /ai-gateway'
const films = 'films are made by POST /api/v1/video/generate'

/** The first that matches. Without what a client adds before or after: a query, a slash at the end. */
const ROWS: [path: RegExp, where: string][] = [
  [/^\/api\/v1\/predictions\b|^\/replicate(\/|$)|^\/api\/v1\/models\/[^/]+\/[^/]+\/predictions/, replicate],
  [
    /^\/api\/v1\/(key|credits|models|model|videos|auth)\b/,
    `models are at GET /api/v1/config/models, the balance at GET /api/v1/credit/balance, films at GET /api/v1/video/list; ${openRouter}`,
  ],
  [/^\/openrouter(\/|$)/, openRouter],
  [/^\/(api\/v1\/)?(queue|requests|storage)(\/|$)|^\/fal(\/|$)/, fal],
  [/^\/ai-gateway(\/|$)|^\/v[1-4]\/ai(\/|$)|^\/(api\/v1\/)?video-model(\/|$)/, gateway],
  [
    /\/(chat\/completions|responses|embeddings|images(\/[a-z]+)?|audio(\/[a-z]+)?)$/,
    `this service makes films alone, and ${films}`,
  ],
  [/^\/(openai|v1|videos)(\/|$)/, openAi],
]
/** A path differs from the one that is meant by a character in four. */
const CHARACTERS_PER_MISTAKE = 4

/** @param known the paths without parameters @returns null: nothing is near */
export function whereToLook(url: string, known: Iterable<string>): string | null {
  const path = (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '').slice(0, 200)
  const row = ROWS.find(([pattern]) => pattern.test(path))
  if (row) return row[1]
  if (!path.startsWith('/api/v1/')) return null
  const rest = path.slice('/api/v1/'.length)
  const ours = [...known].flatMap((each) => (each.startsWith('/api/v1/') ? [each.slice('/api/v1/'.length)] : []))
  const meant = nearest(rest, ours, CHARACTERS_PER_MISTAKE)
  if (meant !== null) return `/api/v1/${meant} may be meant`
  return rest.startsWith('video') ? films : null
}
