/**
 * Projects, and their changes. A change names the version that it was made from: one that somebody else has replaced
 * meanwhile is sent again on top of theirs, unless both have changed the same field. Invariant: then nothing is sent,
 * and the caller keeps what the user has typed.
 */
import type { KinoraError, Schemas } from '@kinora/client'
import { hashKey, queryOptions } from '@tanstack/react-query'
import { dataOf, kinora, queryClient, showSaved } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { makerName } from '../maker-name.ts'
import { isStreamConnected } from '../shell/event-stream.ts'
import { isFinal } from '../ui/format.ts'
import { pagedQuery } from '../ui/infinite-pages.ts'

export type Project = Schemas['Project']
export type Shot = Schemas['Shot']
export type ShotSettings = Schemas['ShotSettings']
export type ShotDraft = Schemas['ShotDraft']

/** The API's limits. */
export const SHOTS_MAX = 50
export const NAME_CHARACTERS_MAX = 60
export const NOTES_CHARACTERS_MAX = 2000

export const projectsQuery = pagedQuery(['projects'], (page, signal) =>
  kinora.GET('/api/v1/project', { params: { query: page }, signal }),
)

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['project', id],
    queryFn: () => dataOf(kinora.GET('/api/v1/project/{id}', { params: { path: { id } } })),
    // The event stream has it read again when a take has changed, and not when somebody else of a team has edited it.
    refetchInterval: ({ state }) => {
      if (isRunning(state.data) && !isStreamConnected()) return POLL_MS
      return chosenTeam() === null ? false : TEAM_POLL_MS
    },
  })

const POLL_MS = 5000
const TEAM_POLL_MS = 10_000
const isRunning = (project: Project | undefined): boolean =>
  project?.shots.some(({ takes }) => takes.some(({ status }) => !isFinal(status))) ?? false

export type ProjectChange = Partial<Pick<Project, 'name' | 'aspectRatio' | 'fit' | 'sound'>> & { shots?: string[] }
export type ShotChange = Partial<Pick<Shot, 'settings' | 'notes' | 'takeId' | 'inMs' | 'outMs'>>

/** `theirs`: another user has changed the same field since the user saw it. */
export type Saved<Row> = { row: Row } | { theirs: Row }

/** @param seen the project as the user saw it when the change began */
export const changeProject = (seen: Project, change: ProjectChange): Promise<Saved<Project>> =>
  inTurn(seen.id, (isLast) =>
    saveOver<Project>({
      latest: queryClient.getQueryData(projectQuery(seen.id).queryKey) ?? seen,
      refetch: () => readProject(seen.id),
      isTouched: (latest) => isTouched(fieldsOf(seen), fieldsOf(latest), change),
      send: async ({ id, version }) => {
        const body = { version, ...change }
        const saved = await dataOf(kinora.PATCH('/api/v1/project/{id}', { params: { path: { id } }, body }))
        // What a later change has shown ahead stays.
        const { queryKey } = projectQuery(id)
        const ahead = isLast() ? undefined : queryClient.getQueryData(queryKey)
        await showSaved(queryKey, ahead ? { ...ahead, version: saved.version } : saved)
        return saved
      },
    }),
  )

const fieldsOf = ({ shots, ...project }: Project) => ({ ...project, shots: shots.map(({ id }) => id) })

/** @param seen what the change touches of the shot, as the user saw it when the change began */
export const changeShot = (
  projectId: string,
  seen: Partial<Shot> & { id: string },
  change: ShotChange,
): Promise<Saved<Shot>> => {
  // Of one that was deleted meanwhile the service says so.
  const refetch = async () => shotOf(await readProject(projectId), seen.id) ?? ({ ...seen, version: 0 } as Shot)
  return inTurn(seen.id, async () =>
    saveOver<Shot>({
      latest: shotOf(queryClient.getQueryData(projectQuery(projectId).queryKey), seen.id) ?? (await refetch()),
      refetch,
      isTouched: (latest) => isTouched(seen, latest, change),
      send: async ({ id, version }) => {
        const params = { path: { id: projectId, shotId: id } }
        const body = { version, ...change }
        const answer = kinora.PATCH('/api/v1/project/{id}/shots/{shotId}', { params, body, keepalive: true })
        const saved = await dataOf(answer)
        await showShot(projectId, saved)
        return saved
      },
    }),
  )
}

export const shotOf = (project: Project | undefined, id: string | undefined): Shot | undefined =>
  project?.shots.find((shot) => shot.id === id)

async function showShot(projectId: string, shot: Shot): Promise<void> {
  const { queryKey } = projectQuery(projectId)
  const project = queryClient.getQueryData(queryKey)
  if (!project) return
  await showSaved(queryKey, { ...project, shots: project.shots.map((each) => (each.id === shot.id ? shot : each)) })
}

const readProject = (id: string): Promise<Project> => queryClient.fetchQuery({ ...projectQuery(id), staleTime: 0 })

type Change<Row> = {
  latest: Row
  refetch: () => Promise<Row>
  isTouched: (latest: Row) => boolean
  send: (latest: Row) => Promise<Row>
}

/** Others may change it again and again, of which no more than this is worth a wait. */
const ATTEMPTS_MAX = 4

async function saveOver<Row>({ latest, refetch, isTouched, send }: Change<Row>): Promise<Saved<Row>> {
  let row = latest
  for (let attempt = 1; ; attempt += 1) {
    if (isTouched(row)) return { theirs: row }
    try {
      return { row: await send(row) }
    } catch (error) {
      if (!isOfOtherVersion(error as KinoraError) || attempt === ATTEMPTS_MAX) throw error
      row = await refetch()
    }
  }
}

const isOfOtherVersion = ({ code, details }: KinoraError): boolean =>
  code === 'CONFLICT' && typeof details === 'object' && details !== null && 'version' in details

/** What both have made the same of is no conflict; nor is what is shown ahead of the response. */
const isTouched = (seen: object, latest: object, change: object): boolean =>
  Object.keys(change).some(
    (name) =>
      !isSame(fieldOf(seen, name), fieldOf(latest, name)) && !isSame(fieldOf(change, name), fieldOf(latest, name)),
  )

const fieldOf = (row: object, name: string): unknown => (row as Record<string, unknown>)[name]

/** In any sequence of their keys. */
export const isSame = (a: unknown, b: unknown): boolean => hashKey([a ?? null]) === hashKey([b ?? null])

const turns = new Map<string, Promise<unknown>>()

/** The changes of one row are sent one after the other: each would make the version of the next one old. */
function inTurn<T>(id: string, run: (isLast: () => boolean) => Promise<T>): Promise<T> {
  const start = () => run(() => turns.get(id) === turn)
  const turn: Promise<T> = (turns.get(id) ?? Promise.resolve()).then(start, start)
  turns.set(id, turn)
  const forget = () => {
    if (turns.get(id) === turn) turns.delete(id)
  }
  turn.then(forget, forget)
  return turn
}

/** Who has changed it last: null where nobody but the user can have. */
export function changerName({ makers }: Pick<Project, 'makers'>, { changedBy }: { changedBy: string }): string | null {
  const maker = makers.find(({ id }) => id === changedBy)
  return maker ? makerName(maker) : null
}

/** Adds shots after one, or at the end. @returns them, in their order */
export async function addShots(projectId: string, shots: ShotDraft[], after?: string): Promise<Shot[]> {
  const params = { path: { id: projectId }, query: after === undefined ? {} : { after } }
  return showAdded(projectId, dataOf(kinora.POST('/api/v1/project/{id}/shots', { params, body: { shots } })))
}

/** @param from a text or CSV, and what its shots have beside what is read */
export async function importShots(
  projectId: string,
  from: Schemas['ShotsFromText'] | Schemas['ShotsFromCsv'],
): Promise<Shot[]> {
  const params = { path: { id: projectId } }
  return showAdded(projectId, dataOf(kinora.POST('/api/v1/project/{id}/shots', { params, body: from })))
}

async function showAdded(projectId: string, answer: Promise<Project>): Promise<Shot[]> {
  const { queryKey } = projectQuery(projectId)
  const before = new Set(queryClient.getQueryData(queryKey)?.shots.map(({ id }) => id))
  const project = await answer
  await showSaved(queryKey, project)
  return project.shots.filter(({ id }) => !before.has(id))
}

export async function deleteShot(projectId: string, { id, version }: Shot): Promise<void> {
  const params = { path: { id: projectId, shotId: id }, query: { version } }
  const answer = dataOf(kinora.DELETE('/api/v1/project/{id}/shots/{shotId}', { params }))
  await showSaved(projectQuery(projectId).queryKey, await answer)
}
