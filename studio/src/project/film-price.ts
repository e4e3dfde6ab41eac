/** What the takes of a project cost: each shot's, and those of all shots that lack one together. */
import type { KinoraError, Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { hashKey, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf, kinora, refreshQueries, refreshVideos } from '../api.ts'
import { localizeError } from '../i18n/service-text.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { isOutcomeUnknown } from '../studio/form-values.ts'
import { type Project, projectQuery, type Shot } from './queries.ts'

export type QuotedShot = Schemas['ProjectQuote']['shots'][number]

/** It is asked for anew with other settings or takes, and with what changes the credits. */
const quoteQuery = (id: string, shots: string) =>
  queryOptions({
    queryKey: ['credit', 'project', id, shots],
    // It names no shot: one that is deleted meanwhile would be unknown.
    queryFn: () => dataOf(kinora.POST('/api/v1/project/{id}/quote', { params: { path: { id } }, body: {} })),
    placeholderData: keepPreviousData,
  })

/** As the service has it: no take is chosen, or the chosen one was deleted or has failed. */
function lacksTake({ takeId, takes }: Shot): boolean {
  const take = takes.find(({ uuid }) => uuid === takeId)
  return take === undefined || take.status === 'FAILED'
}

export function useFilmPrice({ id, shots, sound }: Project) {
  const lacking = shots.filter(lacksTake)
  const signature = hashKey([
    lacking.map((shot) => [shot.id, shot.settings]),
    sound?.asset,
    shots.map(({ takeId, inMs, outMs, takes }) => [
      takeId,
      inMs,
      outMs,
      takes.find(({ uuid }) => uuid === takeId)?.status,
    ]),
  ])
  const { data, error, refetch, isPlaceholderData } = useQuery(quoteQuery(id, signature))
  const quoted = new Map(data?.shots.map((each) => [each.shot, each]))
  const inSum = lacking.flatMap((shot) => quoted.get(shot.id) ?? [])
  const wanted = inSum.filter(({ credits }) => credits !== null)
  return {
    error,
    retry: refetch,
    available: data?.available ?? null,
    lacking,
    /** The ids of those that can be generated, and what they cost together. */
    wanted: wanted.map(({ shot }) => shot),
    credits: wanted.reduce((sum, { credits }) => sum + (credits ?? 0), 0),
    ceiling: wanted.some(({ ceiling }) => ceiling),
    isCurrent: data !== undefined && !isPlaceholderData && inSum.length === lacking.length,
    render: data?.render,
    /** Of a shot that lacks a take. */
    of: (shot: string): QuotedShot | undefined => quoted.get(shot),
  }
}

/** Why a shot cannot be generated as it is; null: it can. */
export function refusalText({ settings }: Shot, quoted: QuotedShot | undefined): string | null {
  if (settings.model === undefined) return t`Choose a model.`
  if (!quoted?.refusal) return null
  return messageOf(quoted.refusal)
}

export const messageOf = (refusal: { code: string; message: string }): string =>
  localizeError({ ...refusal, status: 400, requestId: null, retryAfterSeconds: null } as KinoraError).message

const ATTEMPTS_MAX = 4

/** Generates a take of each of these shots, of all or of none. */
export function useGenerateAll({ id }: Project) {
  const { keyOf, settle } = useIdempotencyKeys()
  return useSingleFlight({
    mutationFn: (body: { shots: string[]; credits: number }) =>
      dataOf(
        kinora.POST('/api/v1/project/{id}/generate', {
          params: { path: { id }, header: { 'idempotency-key': keyOf(JSON.stringify(body)) } },
          body,
        }),
      ),
    // A conflict says what has changed.
    retry: (failureCount, error) =>
      error.code !== 'CONFLICT' && isOutcomeUnknown(error) && failureCount < ATTEMPTS_MAX - 1,
    // Exponential backoff: 0.5 s, 1 s, 2 s.
    retryDelay: (failureCount) => 500 * 2 ** failureCount,
    onSuccess: async (_, body) => {
      settle(JSON.stringify(body))
      await Promise.all([refreshQueries(projectQuery(id).queryKey), refreshVideos()])
    },
    onError: (error, body) => {
      if (!isOutcomeUnknown(error)) settle(JSON.stringify(body))
      // Another price, or shots that were generated meanwhile.
      void Promise.all([refreshQueries(projectQuery(id).queryKey), refreshQueries(['credit'])])
    },
  })
}
