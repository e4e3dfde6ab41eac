/** Fixture: projects and their shots through the API. */
import assert from 'node:assert/strict'
import type { Kinora, Person } from './harness.ts'

type Take = { uuid: string; status: string; waiting: boolean }
export type Shot = {
  id: string
  settings: { prompt?: string; model?: string; duration?: number }
  notes: string
  takeId: string | null
  takeDeleted: boolean
  inMs: number | null
  outMs: number | null
  version: number
  changedBy: string
  takes: Take[]
}
export type Project = {
  id: string
  name: string
  version: number
  shots: Shot[]
  aspectRatio: string
  fit: string
  sound: unknown
  cutId: string | null
}

export const PROJECTS = '/api/v1/project'
export const settingsOf = (prompt: string, change: object = {}) => ({
  ...{ prompt, model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
  ...change,
})
export const first = ({ shots }: Pick<Project, 'shots'>): Shot => shots[0] ?? assert.fail('no shot')
export const promptsOf = ({ shots }: Pick<Project, 'shots'>) => shots.map(({ settings }) => settings.prompt)

export function openProjects(kinora: Kinora) {
  const call = <T>(as: Person, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    kinora.call<T>(method, PROJECTS + path, { as, headers, ...(body === undefined ? {} : { body }) })
  const drafts = (shots: (string | object)[]) => ({
    shots: shots.map((each) => ({ settings: typeof each === 'string' ? settingsOf(each) : each })),
  })
  return {
    make: (as: Person, shots: (string | object)[] = [], fields: object = {}) =>
      call<Project>(as, 'POST', '', { name: 'The lighthouse', ...drafts(shots), ...fields }),
    read: async (as: Person, id: string) => (await call<Project>(as, 'GET', `/${id}`)).data,
    change: (as: Person, id: string, body: object) => call<Project>(as, 'PATCH', `/${id}`, body),
    changeShot: (as: Person, id: string, shot: Shot, body: object) =>
      call<Shot>(as, 'PATCH', `/${id}/shots/${shot.id}`, { version: shot.version, ...body }),
    add: (as: Person, id: string, shots: (string | object)[], query = '') =>
      call<Project>(as, 'POST', `/${id}/shots${query}`, drafts(shots)),
    generate: (as: Person, id: string, body: object = {}, key?: string) =>
      call<Generated>(as, 'POST', `/${id}/generate`, body, key === undefined ? {} : { 'idempotency-key': key }),
    quote: (as: Person, id: string, body: object = {}) => call<Quoted>(as, 'POST', `/${id}/quote`, body),
  }
}

export type Generated = {
  creditsUsed: number
  videos: { uuid: string; shot: string | null; creditsUsed: number; waiting: boolean }[]
}
type Quoted = {
  credits: number
  available: number
  affordable: boolean
  shots: { shot: string; credits: number | null; refusal: { code: string } | null }[]
}
