/** Dialog with the sound track of a project: one sound beside the takes' own, its volume, and how it fades. */
import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { acceptOf } from '../studio/asset-file.ts'
import { useUpload } from '../studio/upload.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { NumberField, numberProblem } from '../ui/field.tsx'
import { formatPercent } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import styles from './project.module.css'
import { changeProject, type Project } from './queries.ts'
import { changedText } from './use-project-change.ts'

type Sound = NonNullable<Project['sound']>

/** The API's limit. */
const FADE_MAX_S = 30
const FIRST: Omit<Sound, 'asset'> = { volume: 0.8, fadeInS: 0, fadeOutS: 2 }

export function SoundDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [seen, setSeen] = useState(project)
  const [sound, setSound] = useState<Sound | null>(project.sound)
  const [theirs, setTheirs] = useState<Project | null>(null)
  const save = useAction({
    send: () => changeProject(seen, { sound }),
    refresh: async (saved) => {
      if (!saved || 'row' in saved) return onClose()
      setTheirs(saved.theirs)
      setSeen(saved.theirs)
    },
  })
  const set = (part: Partial<Sound>) => setSound((latest) => latest && { ...latest, ...part })
  return (
    <Dialog open onClose={onClose} title={t`Sound track`}>
      <ActionForm
        action={save}
        submitLabel={t`Save`}
        onSubmit={() => save.mutate()}
        onCancel={onClose}
        detail={theirs ? <p role="alert">{changedText(theirs, theirs, theirs.updatedAt)}</p> : null}
      >
        <p className="quiet">{t`It begins with the film and plays beside the sound of the takes.`}</p>
        <SoundFile
          sound={sound}
          onChange={(asset) => setSound(asset === null ? null : { ...FIRST, ...sound, asset })}
        />
        {sound ? (
          <>
            <Volume value={sound.volume} onChange={(volume) => set({ volume })} />
            <Fade label={t`Fade in, seconds`} value={sound.fadeInS} onChange={(fadeInS) => set({ fadeInS })} />
            <Fade label={t`Fade out, seconds`} value={sound.fadeOutS} onChange={(fadeOutS) => set({ fadeOutS })} />
          </>
        ) : null}
      </ActionForm>
    </Dialog>
  )
}

function SoundFile({ sound, onChange }: { sound: Sound | null; onChange: (asset: string | null) => void }) {
  const id = useId()
  const input = sound && { kind: 'sound' as const, asset: sound.asset }
  const upload = useUpload(['sound'], input, (next) => onChange(next?.asset ?? null))
  return (
    <div className="stack">
      {sound ? (
        <div className="row">
          <audio className={styles.audio} src={upload.asset?.url} controls preload="metadata">
            <track kind="captions" />
          </audio>
          <Button onClick={upload.remove}>{t`Remove`}</Button>
        </div>
      ) : null}
      {upload.isPending ? (
        <ProgressStrip thin status="GENERATING" progress={upload.progress} label={t`Upload`} />
      ) : (
        <div className="field">
          <label className="field-label" htmlFor={id}>
            {sound ? t`Another sound` : t`Sound file`}
          </label>
          <input
            id={id}
            type="file"
            accept={acceptOf(['sound'])}
            onChange={({ target }) => target.files?.[0] && upload.upload(target.files[0])}
          />
        </div>
      )}
      {upload.error ? (
        <p className="field-error" role="alert">
          {upload.error}
        </p>
      ) : null}
    </div>
  )
}

function Volume({ value, onChange }: { value: number; onChange: (volume: number) => void }) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {t`Volume`}
      </label>
      <div className={styles.volume}>
        <input
          id={id}
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={value}
          aria-valuetext={formatPercent(value)}
          onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        />
        <output htmlFor={id}>{formatPercent(value)}</output>
      </div>
    </div>
  )
}

type FadeProps = { label: string; value: number; onChange: (seconds: number) => void }

function Fade({ label, value, onChange }: FadeProps) {
  const [text, setText] = useState(String(value))
  const limits = { min: 0, max: FADE_MAX_S, isInteger: false }
  const type = (typed: string) => {
    setText(typed)
    if (typed.trim() !== '' && numberProblem(typed, limits) === null) onChange(Number(typed))
  }
  return <NumberField label={label} {...limits} required value={text} onChange={({ target }) => type(target.value)} />
}
