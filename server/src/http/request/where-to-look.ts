/** Where what a guessed address asks for is: a row for each path of another service's API, and the nearest of ours. */
import { nearest } from '../../text/nearest.ts'

/** The formats of other services have base addresses of their own (docs/compatibility.md). */
const BASES = {
  OpenAI: '/openai/v1',
  OpenRouter: '/openrouter/api/v1',
  Replicate: '/replicate/v1',
  fal: '/fal',
  'the AI SDK gateway': '/ai-gateway',
}
const baseOf = (name: keyof typeof BASES) => `the base address of ${name}’s format is ${BASES[name]}`
const openAi = baseOf('OpenAI')
const openRouter = baseOf('OpenRouter')
const replicate = baseOf('Replicate')
const fal = `the address of fal’s format is ${BASES.fal}`
const gateway = baseOf('the AI SDK gateway')
const films = 'films are made by POST /api/v1/video/generate'

/** The first that matches. Without what a client adds before or after: a query, a slash at the end. */
const ROWS: [path: RegExp, where: string][] = [
  [
    /^(\/api)?\/v1\/(predictions|account|collections|hardware|deployments|trainings)\b|^\/replicate(\/|$)|^\/api\/v1\/models\/[^/]+\/[^/]+\/predictions/,
    replicate,
  ],
  [
    /^(\/api)?\/v1\/(key|credits|model|auth)\b|^\/api\/v1\/(models|videos)\b/,
    `models are at GET /api/v1/config/models, the balance at GET /api/v1/credit/balance, films at GET /api/v1/video/list; ${openRouter}`,
  ],
  [/^\/openrouter(\/|$)/, openRouter],
  [/^\/(api\/v1\/)?(queue|requests|storage)(\/|$)|^\/(api\/)?fal(\/|$)|^\/(fal-ai|kinora)\//, fal],
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
  if (row?.[1].startsWith('this service')) return row[1]
  const within = Object.entries(BASES).find(([, base]) => path.startsWith(`${base}/`))
  if (within)
    return `this service has no such call in the format of ${within[0]}; /docs/compatibility has those there are`
  if (row) return row[1]
  if (!path.startsWith('/api/v1/')) return null
  const rest = path.slice('/api/v1/'.length)
  const ours = [...known].flatMap((each) => (each.startsWith('/api/v1/') ? [each.slice('/api/v1/'.length)] : []))
  const meant = nearest(rest, ours, CHARACTERS_PER_MISTAKE)
  if (meant !== null) return `/api/v1/${meant} may be meant`
  return /^(video|generat)/.test(rest) ? films : null
}
