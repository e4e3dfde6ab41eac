/** LocalAI, on our machine: a submit waits for its film, and nothing can be asked afterwards. It costs nothing. */

import { failureFrom } from '../../film/failure.ts'
import { at, textAt } from '../../text/json-reader.ts'
import { openApi } from '../api.ts'
import { inlineUpload } from '../data-uri.ts'
import type { Account, Adapter, Provider, Report, SubmitOutcome } from '../provider.ts'
import { type Listing, readOwnModels, type Wanted } from '../published.ts'
import { keyCheck, type Response, submitOutcome } from '../submit-outcome.ts'
import { completedReport, handleOf, reasonOf, shortened, taskIdAt, urlAt } from '../task-reader.ts'

/** The caller's signal ends a film earlier; a small GPU takes minutes for a second. */
const FILM_TIMEOUT_S = 24 * 3600
const FILMS = '/generated-videos/'

export const adapter: Adapter = {
  url: null,
  capabilities: {
    submit: 'synchronous',
    callback: null,
    progress: null,
    cost: null,
    result: 'our key',
    client: null,
  },
  open: openProvider,
  readList,
}

function openProvider(account: Account): Provider {
  const auth = account.apiKey ? { authorization: `Bearer ${account.apiKey}` } : undefined
  const api = openApi(account, auth ?? {})
  return {
    submit: async ({ model, input }, options) => {
      // As a link: a film as base64 could not be opened again.
      const body = { ...input, model, response_format: 'url' }
      const result = await api.call('POST', '/video', options, { body, timeoutS: FILM_TIMEOUT_S })
      return submitOutcome(result, {
        handle: ({ body: answer }) => handleOf(taskIdAt(answer, ['id'])),
        report: ({ body: answer }) => reportOf(answer),
        busy: [503],
        account: [412, 501],
        decide,
      })
    },
    openResult: async (_handle, result) =>
      result.startsWith(FILMS)
        ? { kind: 'link', url: `${account.url}${result}`, ...(auth ? { headers: auth } : {}) }
        : { kind: 'link', url: result },
    upload: inlineUpload,
    checkKey: async (options) => keyCheck(await api.call('GET', '/v1/models', options)),
    close: api.close,
  }
}

/** 500 is the end of a film that failed, so that nothing is unknown; the body may be empty. */
function decide({ status, body }: Response): SubmitOutcome | null {
  if (status !== 500) return null
  const message = shortened(reasonOf(body) ?? 'The film could not be generated.')
  return { kind: 'refused', failure: failureFrom(message, 'PROVIDER_ERROR') }
}

/** A film is named by its path, since the server builds its address from the host of a request, or none. */
function reportOf(body: unknown): Report {
  const url = textAt(body, 'data', 0, 'url')
  const start = url?.indexOf(FILMS) ?? -1
  return completedReport(start < 0 ? urlAt(url) : (url?.slice(start) ?? null), reasonOf(at(body, 'error')))
}

function readList(account: Account, wanted: Wanted): Promise<Listing> {
  return readOwnModels(account, wanted, FIELDS_OF_FILM)
}
const FIELDS_OF_FILM = {
  prompt: 'prompt',
  width: 'width',
  height: 'height',
  num_frames: 'duration * 24 + 1',
  fps: '24',
  seed: '$exists(seed) ? seed : $floor($random() * 2147483648)',
  start_image: 'start',
}
