/** Where the cut of a take begins and ends, with the frame that is chosen in the player above. */
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { ListedVideo } from '../api.ts'
import { useShortcut } from '../shell/use-shortcut.ts'
import { Button } from '../ui/button.tsx'
import styles from './project.module.css'
import type { Project, Shot } from './queries.ts'
import { applyToShot } from './use-project-change.ts'

/** A frame of the commonest films, 25 a second; the cut comes at the frame that is nearest. */
const STEP_MS = 40
const SAVE_AFTER_MS = 500

type Props = { project: Project; shot: Shot; take: ListedVideo; isMaker: boolean }

export function Trim({ project, shot, take, isMaker }: Props) {
  const cut = useTrim({ project, shot, take, isMaker })
  const { fromMs, toMs, endMs, setFrom, setTo } = cut
  useShortcut((event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input:not([type=range]), textarea, select')
    if (!isMaker || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'i') setFrom(cut.nowMs())
    else if (event.key === 'o') setTo(cut.nowMs())
    else return
    event.preventDefault()
  })
  const edge = { endMs, isMaker }
  return (
    <fieldset className={styles.trim}>
      <legend className={styles.legend}>{t`Cut`}</legend>
      <Edge {...edge} label={t({ message: 'In', context: 'begin of a cut' })} ms={fromMs} onChange={setFrom} />
      <Edge {...edge} label={t({ message: 'Out', context: 'end of a cut' })} ms={toMs} onChange={setTo} />
      <div className="row">
        <Button onClick={cut.preview}>{t`Play the cut`}</Button>
        {isMaker ? (
          <>
            <Button title={t`The cut begins at the frame that is shown (I)`} onClick={() => setFrom(cut.nowMs())}>
              {t`In here`}
            </Button>
            <Button title={t`The cut ends at the frame that is shown (O)`} onClick={() => setTo(cut.nowMs())}>
              {t`Out here`}
            </Button>
            <Button kind="quiet" disabled={fromMs === 0 && toMs >= endMs} onClick={cut.reset}>
              {t`Whole take`}
            </Button>
          </>
        ) : null}
        <span className="quiet small">{t`${secondsText(toMs - fromMs)} of ${secondsText(endMs)}`}</span>
      </div>
    </fieldset>
  )
}

/** The cut as the user moves it, and the frame at its edge in the player. */
function useTrim({ project, shot, take, isMaker }: Props) {
  const endMs = Math.round(take.duration * 1000)
  const [cut, setCut] = useState<{ fromMs: number; toMs: number } | null>(null)
  const { fromMs, toMs } = cut ?? { fromMs: shot.inMs ?? 0, toMs: shot.outMs ?? endMs }
  const player = () => document.querySelector<HTMLVideoElement>(`video[data-film="${take.uuid}"]`)
  const playing = useRef<AbortController>(undefined)
  const change = (next: { fromMs: number; toMs: number }, shownMs: number) => {
    playing.current?.abort()
    const video = player()
    video?.pause()
    if (video) video.currentTime = shownMs / 1000
    if (isMaker) setCut(next)
  }
  const save = useEffectEvent(async () => {
    if (!cut) return
    const saved = { inMs: cut.fromMs === 0 ? null : cut.fromMs, outMs: cut.toMs >= endMs ? null : cut.toMs }
    await applyToShot(project, shot, saved)
    setCut((latest) => (latest === cut ? null : latest))
  })
  useEffect(() => {
    if (!cut) return
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [cut])
  useEffect(
    () => () => {
      playing.current?.abort()
      void save()
    },
    [],
  )
  return {
    ...{ fromMs, toMs, endMs },
    nowMs: () => (player()?.currentTime ?? 0) * 1000,
    setFrom: (ms: number) => {
      const at = Math.min(Math.max(0, Math.round(ms)), toMs - STEP_MS)
      change({ fromMs: at, toMs }, at)
    },
    setTo: (ms: number) => {
      const at = Math.max(Math.min(endMs, Math.round(ms)), fromMs + STEP_MS)
      change({ fromMs, toMs: at }, at)
    },
    reset: () => change({ fromMs: 0, toMs: endMs }, 0),
    preview: () => {
      playing.current?.abort()
      playing.current = new AbortController()
      playRange(player(), fromMs / 1000, toMs / 1000, playing.current.signal)
    },
  }
}

function playRange(video: HTMLVideoElement | null, fromS: number, toS: number, signal: AbortSignal): void {
  if (!video) return
  const follow = () => {
    if (signal.aborted) return
    if (video.currentTime < toS && !video.ended) return void requestAnimationFrame(follow)
    video.pause()
  }
  video.addEventListener('seeked', follow, { once: true, signal })
  video.currentTime = fromS
  video.play().catch(() => undefined)
}

const secondsText = (ms: number): string => t`${(ms / 1000).toFixed(2)} s`

type EdgeProps = { label: string; ms: number; endMs: number; isMaker: boolean; onChange: (ms: number) => void }

function Edge({ label, ms, endMs, isMaker, onChange }: EdgeProps) {
  const id = useId()
  return (
    <div className={styles.edge}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={endMs}
        step={STEP_MS}
        disabled={!isMaker}
        value={ms}
        aria-valuetext={secondsText(ms)}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <output htmlFor={id} className={styles.seconds}>
        {secondsText(ms)}
      </output>
    </div>
  )
}
