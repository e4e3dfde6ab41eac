/**
 * The library's video list: its infinite query by filters, in the API's order, and the filters the user viewed last,
 * because the player steps through that same list.
 */

import { t } from '@lingui/core/macro'
import { kinora, type ListedVideo, queryClient, type VideoPage } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { makerName } from '../maker-name.ts'
import { uuidParam } from '../search-params.ts'
import { type Status, statusLabels } from '../ui/format.ts'
import { pagedQuery } from '../ui/infinite-pages.ts'
import { aspectRatio } from '../video/aspect-ratio.ts'

/** Why films are in a list, and their order. `folder`: its id, or UNFILED; `from`, `to`: days here, both in it. */
export type Filters = {
  status?: Status
  model?: string
  mode?: Mode
  favourite?: true
  folder?: string
  madeBy?: string
  subject?: string
  from?: string
  to?: string
  q?: string
  sort?: 'oldest'
}
type Params = { [K in keyof Filters]?: K extends 'favourite' ? true : string }
export type LibrarySearch = { [K in keyof Params]?: Params[K] | '' | undefined }

/** An empty value removes its search param. */
export const withoutEmpty = (search: LibrarySearch): Params =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value))

export const UNFILED = 'none'

const modes = [
  'text-to-video',
  'image-to-video',
  'first-last',
  'reference',
  'extend',
  'edit',
  'motion',
  'lip-sync',
  'avatar',
  'keyframes',
  'upscale',
  'cut',
] as const
export type Mode = (typeof modes)[number]
export const modeLabels = (): Record<Mode, string> => ({
  'text-to-video': t`From text`,
  'image-to-video': t`From an image`,
  'first-last': t`From first and last frame`,
  reference: t`With references`,
  extend: t`Extended`,
  edit: t`Edited`,
  motion: t`With the motion of a film`,
  'lip-sync': t`Lip sync`,
  avatar: t`Talking portrait`,
  keyframes: t`With keyframes`,
  upscale: t`Upscaled`,
  cut: t`Cuts of projects`,
})

/** The filters of the search params. Drops what the API would refuse with 400, and truncates `q`. */
export function filtersOf({
  status,
  model,
  mode,
  favourite,
  folder,
  madeBy,
  subject,
  from,
  to,
  q,
  sort,
}: LibrarySearch): Filters {
  const known = modes.find((each) => each === mode)
  const inFolder = folder === UNFILED ? folder : uuidParam(folder)
  return {
    ...(status !== undefined && isStatus(status) ? { status } : {}),
    ...(model === undefined ? {} : { model }),
    ...(known ? { mode: known } : {}),
    ...(favourite ? { favourite } : {}),
    ...(inFolder ? { folder: inFolder } : {}),
    ...(uuidParam(madeBy) ? { madeBy: String(madeBy) } : {}),
    ...(subject === undefined ? {} : { subject: subject.slice(0, SUBJECT_CHARACTERS_MAX) }),
    ...(dayOf(from) ? { from: String(from) } : {}),
    ...(dayOf(to) ? { to: String(to) } : {}),
    ...(q === undefined ? {} : { q: q.slice(0, SEARCH_CHARACTERS_MAX) }),
    ...(sort === 'oldest' ? { sort } : {}),
  }
}
const isStatus = (text: string): text is Status => Object.hasOwn(statusLabels(), text)

/** The beginning of a day here, as an input for dates has it; null for anything else. */
function dayOf(text: string | undefined): Date | null {
  const day = /^[1-9]\d{3}-\d\d-\d\d$/.test(text ?? '') ? new Date(`${text}T00:00`) : null
  return day && !Number.isNaN(day.getTime()) ? day : null
}

/** The filters as the API has them: times in the place of days, and a kind for cuts, which it lists alone. */
function queryOf({ from, to, mode, ...filters }: Filters) {
  const [first, last] = [dayOf(from), dayOf(to)]
  last?.setDate(last.getDate() + 1)
  const ofKind = mode === 'cut' ? { kind: mode } : mode ? { mode } : {}
  return { ...filters, ...ofKind, ...(first && { from: first.toISOString() }), ...(last && { to: last.toISOString() }) }
}

/** The API's limit. */
export const SEARCH_CHARACTERS_MAX = 100
export const SUBJECT_CHARACTERS_MAX = 64
/** Longer than a visit to the player lasts, so that the user returns to the same scroll position of a long list. */
const LIST_CACHE_MS = 60 * 60_000

export const videosQuery = (filters: Filters) => ({
  ...pagedQuery(
    ['videos', 'library', filters],
    (page, signal) => {
      const query = { ...queryOf(filters), ...page }
      return kinora.GET('/api/v1/video/list', { params: { query }, signal })
    },
    // While the user types a search, the previous results stay visible until the next ones arrive.
    { pageSize: 48, keepsPrevious: true },
  ),
  gcTime: LIST_CACHE_MS,
})

/** The videos of the pages that are kept. Keyset pagination returns each of them once. */
export const videosOf = ({ pages }: { pages: VideoPage[] }): ListedVideo[] => pages.flatMap(({ videos }) => videos)

/** What the place of a film among others depends on. */
export const ratioOf = (video: { aspectRatio: string }): number => aspectRatio(video.aspectRatio)

/** Who made each film of a team; nothing of a user's own films, which the user made. */
export function makerNames(pages: VideoPage[]): (video: ListedVideo) => string | undefined {
  const names = new Map(pages.flatMap(({ makers }) => makers.map((maker) => [maker.id, makerName(maker)])))
  return ({ madeBy }) => (chosenTeam() && madeBy ? names.get(madeBy) : undefined)
}

let viewedFilters: Filters = {}
export const lastViewedFilters = (): Filters => viewedFilters
export function rememberFilters(filters: Filters): void {
  viewedFilters = filters
}

/** The loaded videos of the list that the user viewed last. */
export function lastViewedVideos(): ListedVideo[] {
  const data = queryClient.getQueryData(videosQuery(viewedFilters).queryKey)
  return data ? videosOf(data) : []
}
