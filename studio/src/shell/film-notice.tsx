/**
 * Reports that a film has ended to a user who does not see it: by a toast on a page that does not show the film, by a
 * notification of the browser while the user looks elsewhere, and by a sound. Loaded with the first film that ends.
 * Only the tab that reads the event stream reports (event-stream.ts), and a film that was reported in this browser is
 * not reported again.
 */
import type { VideoEvent } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type AnyRouter, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { sessionQuery } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import { failureText } from '../i18n/service-text.ts'
import { toast } from '../ui/toasts.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import styles from './film-notice.module.css'
import { areNotificationsOn, isNoticeOn } from './notice-settings.ts'

export type EndedFilm = Extract<VideoEvent, { type: 'video' }>

const REPORTED_KEY = 'kinora.reported'
/** More films than end within the time that a resumed stream repeats. */
const REPORTED_MAX = 200
/** More would cover a page when a set of films ends. */
const TOASTS_MAX = 3
const TIMEOUT_MS = 10_000

export function report(film: EndedFilm, router: AnyRouter): void {
  if (!isFirstReport(film.uuid)) return
  if (isNoticeOn('sound')) playSound()
  const isAway = document.visibilityState === 'hidden' || !document.hasFocus()
  if (isAway && areNotificationsOn() && notify(film, router)) return
  if (!isShown(film.uuid, router.state.location.pathname)) showToast(film)
}

function isFirstReport(uuid: string): boolean {
  const stored = browserStorage.read(REPORTED_KEY)
  const reported: unknown[] = Array.isArray(stored) ? stored : []
  if (reported.includes(uuid)) return false
  browserStorage.write(REPORTED_KEY, [uuid, ...reported].slice(0, REPORTED_MAX))
  return true
}

/** The studio and the library show films as they end. */
const isShown = (uuid: string, path: string): boolean => ['/', '/library', `/library/${uuid}`].includes(path)

const reasonOf = ({ status, error }: EndedFilm): string | null =>
  status === 'FAILED' ? (error ? failureText(error) : t`The film could not be made.`) : null

/** @returns false where the browser shows notifications to service workers only, as on Android */
function notify(film: EndedFilm, router: AnyRouter): boolean {
  const { uuid, status, prompt, thumbnailUrl } = film
  const body = [prompt, reasonOf(film)].filter(Boolean).join('\n')
  try {
    const notification = new Notification(status === 'COMPLETED' ? t`Film done` : t`Film failed`, {
      body,
      tag: uuid,
      // The sound is a choice of its own.
      silent: true,
      ...(thumbnailUrl ? { icon: thumbnailUrl } : {}),
    })
    notification.onclick = () => {
      window.focus()
      notification.close()
      void router.navigate({ to: '/library/$uuid', params: { uuid } })
    }
    return true
  } catch {
    return false
  }
}

const open: (() => void)[] = []

function showToast(film: EndedFilm): void {
  const close = toast({
    text: <FilmNotice film={film} onClose={() => close()} />,
    timeoutMs: TIMEOUT_MS,
    isSilent: true,
  })
  open.push(close)
  if (open.length > TOASTS_MAX) open.shift()?.()
}

function FilmNotice({ film, onClose }: { film: EndedFilm; onClose: () => void }) {
  const { uuid, status, failure, prompt, thumbnailUrl } = film
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  // The next user does not see it.
  useEffect(() => {
    if (!session) onClose()
  }, [session, onClose])
  const reason = reasonOf(film)
  return (
    <Link to="/library/$uuid" params={{ uuid }} className={styles.notice} onClick={onClose}>
      {thumbnailUrl ? <img className={styles.poster} src={thumbnailUrl} alt="" /> : null}
      <span className={styles.text}>
        <StatusBadge status={status} failure={failure} />
        <span className={styles.prompt} dir="auto">
          {prompt || t`Your film`}
        </span>
        {reason ? <span className="small">{reason}</span> : null}
      </span>
    </Link>
  )
}

const TONES_HZ = [660, 880]
const TONE_EVERY_S = 0.12
const TONE_S = 0.35
const QUIET = 0.0001
const LOUD = 0.08

/** Two soft tones of half a second. A browser plays nothing on a page that the user has not touched yet. */
export function playSound(): void {
  const audio = new AudioContext()
  if (audio.state === 'suspended') return void audio.close()
  TONES_HZ.forEach((frequency, i) => {
    const tone = new OscillatorNode(audio, { frequency })
    const volume = new GainNode(audio, { gain: QUIET })
    const startS = audio.currentTime + i * TONE_EVERY_S
    volume.gain.setValueAtTime(QUIET, startS)
    volume.gain.exponentialRampToValueAtTime(LOUD, startS + 0.02)
    volume.gain.exponentialRampToValueAtTime(QUIET, startS + TONE_S)
    tone.connect(volume).connect(audio.destination)
    tone.start(startS)
    tone.stop(startS + TONE_S)
    if (i === TONES_HZ.length - 1) tone.onended = () => void audio.close()
  })
}
