/**
 * Says to a screen reader when a film is done or has failed, on whatever page one is. The rule: each end is said once,
 * with the film's prompt, and a failure with why and with the credits that are back.
 */
import type { VideoEvent } from '@kinora/client'
import { useSyncExternalStore } from 'react'
import { queries } from '../api.ts'
import { credits, isFinal } from '../look/words.ts'

type Said = { uuid: string; text: string }
type Listed = { uuid: string; prompt: string; creditsUsed: number }
type List = { videos: Listed[] }

/** Films end in quick succession: the last few stay, so that none is overwritten before it is read out. */
const KEPT = 5

let said: Said[] = []
const listeners = new Set<() => void>()

/** To be called before the lists are read again: they still know what the film was to cost. */
export function announce(event: VideoEvent): void {
  if (event.type !== 'video' || !isFinal(event.status) || said.some(({ uuid }) => uuid === event.uuid)) return
  const { uuid, status, error } = event
  said = [...said, { uuid, text: status === 'COMPLETED' ? done(known(uuid)) : failed(known(uuid), error) }].slice(-KEPT)
  for (const listener of listeners) listener()
}

/** Of somebody who signs in after somebody else, nothing is said that the other one made. */
export function forgetAnnouncements(): void {
  said = []
}

export function Announcements() {
  const lines = useSyncExternalStore(subscribe, () => said)
  return (
    <div role="log" aria-label="Your films" className="hidden-text">
      {lines.map(({ uuid, text }) => (
        <p key={uuid}>{text}</p>
      ))}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const done = (film: Listed | undefined): string => `Film done${film ? `: ${film.prompt}` : '.'}`

function failed(film: Listed | undefined, error: string | null): string {
  const back = film && film.creditsUsed > 0 ? `${credits(film.creditsUsed)} returned` : 'Credits returned'
  return [`Film failed${film ? `: ${film.prompt}` : ''}`, error?.replace(/\.+$/, ''), back].filter(Boolean).join('. ')
}

/** What the lists and the player have read of a film. */
function known(uuid: string): Listed | undefined {
  const lists = queries.getQueriesData<List | { pages: List[] }>({ queryKey: ['videos'] })
  const listed = lists.flatMap(([, data]) => (data ? ('pages' in data ? data.pages : [data]) : []))
  return (
    listed.flatMap(({ videos }) => videos).find((film) => film.uuid === uuid) ??
    queries.getQueryData<Listed>(['video', uuid])
  )
}
