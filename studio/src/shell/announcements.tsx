/**
 * A live region that announces to screen readers, on every page, that a video completed or failed, of a team only one
 * that the user made. Each video is announced once, with its prompt; a failure with its reason and the refunded
 * credits. Others read of it in a notice (film-notice.tsx).
 */
import type { VideoEvent } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { queryClient, refundsQuery, sessionQuery } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { failureText } from '../i18n/service-text.ts'
import { formatCredits, isFinal } from '../ui/format.ts'
import type { EndedFilm } from './film-notice.tsx'

type Announcement = { uuid: string; text: string }

/** Videos end in quick succession: the last few stay in the DOM, so that none is removed before it is read out. */
const SHOWN_MAX = 5

let announcements: Announcement[] = []
const announcedUuids = new Set<string>()
const listeners = new Set<() => void>()

/** The router of the signed-in user's pages; null without one. */
let router: AnyRouter | null = null

/** Announces a video's end once; ignores every other event. @param isReporter whether this tab also shows its notice */
export async function announce(event: VideoEvent, isReporter: boolean): Promise<void> {
  if (event.type !== 'video' || !isFinal(event.status) || announcedUuids.has(event.uuid) || !isOwn(event)) return
  announcedUuids.add(event.uuid)
  if (isReporter) showNotice(event).catch(() => undefined)
  const { uuid, status, error, prompt } = event
  const text = status === 'COMPLETED' ? completedText(prompt) : failedText(prompt, error, await refundOf(uuid))
  // resetAnnouncements ran during the requests: another user is signed in now.
  if (!announcedUuids.has(uuid)) return
  announcements = [...announcements, { uuid, text }].slice(-SHOWN_MAX)
  for (const listener of listeners) listener()
}

const isOwn = ({ madeBy }: EndedFilm): boolean =>
  chosenTeam() === null || madeBy === queryClient.getQueryData(sessionQuery.queryKey)?.user.id

/** Clears everything, so that nothing of the previous user's videos is announced to the next user. */
export function resetAnnouncements(): void {
  announcements = []
  announcedUuids.clear()
}

/** A notice whose code cannot be loaded, as after a deploy, is left out. */
async function showNotice(event: EndedFilm): Promise<void> {
  const { report } = await import('./film-notice.tsx')
  // Another user may be signed in by now.
  if (router && announcedUuids.has(event.uuid)) report(event, router)
}

export function Announcements() {
  const current = useRouter()
  useEffect(() => {
    router = current
    return () => {
      router = null
    }
  }, [current])
  const shown = useSyncExternalStore(subscribe, snapshot, snapshot)
  return (
    <div role="log" aria-label={t`Your films`} className="hidden-text">
      {shown.map(({ uuid, text }) => (
        <p key={uuid}>{text}</p>
      ))}
    </div>
  )
}

const snapshot = () => announcements

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const completedText = (prompt: string | undefined): string => (prompt ? t`Film done: ${prompt}` : t`Film done.`)

function failedText(prompt: string | undefined, error: string | null, refund: number | undefined): string {
  const credits = refund === undefined ? t`Credits returned` : t`${formatCredits(refund)} returned`
  const head = prompt ? t`Film failed: ${prompt}` : t`Film failed`
  return [head, error && failureText(error).replace(/[.。]+$/, ''), credits].filter(Boolean).join('. ')
}

/** The refund of a video from a fresh read: the cached history is older than the failure. */
const refundOf = async (uuid: string): Promise<number | undefined> =>
  (await orUndefined(queryClient.fetchQuery({ ...refundsQuery, staleTime: 0 })))?.[uuid]

/** A failed request only shortens the announcement. */
const orUndefined = <Data,>(response: Promise<Data>): Promise<Data | undefined> => response.catch(() => undefined)
