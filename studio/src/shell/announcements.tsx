/**
 * Says to a screen reader when a film is done or has failed, on whatever page one is. The rule: each end is said once,
 * with the film's prompt, and a failure with why and with the credits that are back.
 */
import type { VideoEvent } from '@kinora/client'
import { useSyncExternalStore } from 'react'
import { queryClient, refundsQuery, videoQuery } from '../api.ts'
import { formatCredits, isFinal } from '../ui/format.ts'

type Said = { uuid: string; text: string }

/** Films end in quick succession: the last few stay, so that none is overwritten before it is read out. */
const KEPT = 5
/** Characters; enough to know which film it is. */
const PROMPT_SAID = 120

let said: Said[] = []
const begun = new Set<string>()
const listeners = new Set<() => void>()

/** Says how a film ended, once; whatever else the event is, nothing. */
export async function announce(event: VideoEvent): Promise<void> {
  if (event.type !== 'video' || !isFinal(event.status) || begun.has(event.uuid)) return
  begun.add(event.uuid)
  const { uuid, status, error } = event
  const film = await orNothing(queryClient.fetchQuery(videoQuery(uuid)))
  const prompt = film && cut(film.prompt)
  const text = status === 'COMPLETED' ? done(prompt) : failed(prompt, error, await returned(uuid))
  // Forgotten while it was asked: somebody else is signed in by now.
  if (!begun.has(uuid)) return
  said = [...said, { uuid, text }].slice(-KEPT)
  for (const listener of listeners) listener()
}

/** Of somebody who signs in after somebody else, nothing is said that the other one made. */
export function forgetAnnouncements(): void {
  said = []
  begun.clear()
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

const done = (prompt: string | undefined): string => `Film done${prompt ? `: ${prompt}` : '.'}`

function failed(prompt: string | undefined, error: string | null, back: number | undefined): string {
  const credit = back === undefined ? 'Credits returned' : `${formatCredits(back)} returned`
  return [`Film failed${prompt ? `: ${prompt}` : ''}`, error?.replace(/\.+$/, ''), credit].filter(Boolean).join('. ')
}

/** What the history says that came back; what was known before the film failed does not tell. */
const returned = async (uuid: string): Promise<number | undefined> =>
  (await orNothing(queryClient.fetchQuery({ ...refundsQuery, staleTime: 0 })))?.[uuid]

/** An answer that does not come makes the words shorter, and nothing else. */
const orNothing = <Data,>(answer: Promise<Data>): Promise<Data | undefined> => answer.catch(() => undefined)

const cut = (prompt: string): string => (prompt.length > PROMPT_SAID ? `${prompt.slice(0, PROMPT_SAID)}…` : prompt)
