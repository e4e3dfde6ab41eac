/**
 * Dialog that makes shots of a text or of CSV, pasted or from a file. The service splits it, or its writer proposes
 * shots, which the user reads before they are added.
 */
import { plural, t } from '@lingui/core/macro'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { dataOf, kinora } from '../api.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { latestError } from '../single-flight.ts'
import { site } from '../site.ts'
import type { Model } from '../studio/form-fields.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogSkeleton } from '../ui/dialog.tsx'
import { LabelledControl } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'
import styles from './project.module.css'
import type { ProposedShot } from './proposed-shots.tsx'
import { addShots, deleteShot, importShots, type Project, SHOTS_MAX, type Shot, type ShotDraft } from './queries.ts'
import { settingsForNew } from './shot-settings.ts'

/** Loaded on demand: most services have no writer. */
const ProposedShots = lazy(() => import('./proposed-shots.tsx').then((module) => ({ default: module.ProposedShots })))

type Props = { project: Project; models: Model[]; onClose: () => void }

/** Its first row names columns. */
const isCsv = (text: string): boolean => /^\uFEFF?[^\n]*\bprompt\b"?\s*(,|\r?\n)/i.test(text)

/** The API's limit. */
const WRITER_CHARACTERS_MAX = 40_000

export function PasteDialog({ project, models, onClose }: Props) {
  const { user } = useSignedIn()
  const [text, setText] = useState('')
  const [proposed, setProposed] = useState<ProposedShot[] | null>(null)
  const script = useRef<HTMLTextAreaElement>(null)
  const settingsFor = (seconds: number | null = null) => settingsForNew(project, models, user.id, seconds)
  const refresh = async (added: Shot[] = []) => {
    toastAdded(project.id, added)
    onClose()
  }
  const split = useAction({
    send: () => {
      const from = isCsv(text) ? { csv: text } : { text }
      return importShots(project.id, { ...from, settings: settingsFor() })
    },
    refresh,
  })
  const add = useAction({ send: (shots: ShotDraft[]) => addShots(project.id, shots), refresh })
  const propose = useAction({
    send: () => {
      const body = { script: text.trim(), shots: SHOTS_MAX - project.shots.length }
      return dataOf(kinora.POST('/api/v1/writer/shots', { body }))
    },
    refresh: async (answer) =>
      setProposed(
        (answer?.shots ?? []).map(({ prompt, seconds }, key) => ({ key, prompt, settings: settingsFor(seconds) })),
      ),
  })
  const back = () => {
    flushSync(() => setProposed(null))
    script.current?.focus()
  }
  if (proposed)
    return (
      <Dialog open onClose={onClose} title={t`Proposed shots`}>
        <Suspense fallback={<DialogSkeleton height="320px" />}>
          <ProposedShots proposed={proposed} action={add} onAdd={(shots) => add.mutate(shots)} onBack={back} />
        </Suspense>
      </Dialog>
    )
  return (
    <Dialog open onClose={onClose} title={t`Shots from a script`}>
      <ActionForm
        action={split}
        error={latestError(split, propose)}
        submitLabel={t`Make the shots`}
        isReady={text.trim() !== ''}
        onSubmit={() => split.mutate()}
        onCancel={onClose}
      >
        <Script field={script} text={text} onChange={setText} />
        {site.hasWriter ? (
          <ProposeButton
            text={text}
            isFull={project.shots.length >= SHOTS_MAX}
            isPending={propose.isPending}
            onPropose={() => propose.mutate()}
          />
        ) : null}
      </ActionForm>
    </Dialog>
  )
}

function toastAdded(projectId: string, added: Shot[]): void {
  const undo = async () => {
    for (const shot of added) await deleteShot(projectId, shot)
  }
  toast({
    text: plural(added.length, { one: '# shot added.', other: '# shots added.' }),
    action: { label: t`Undo`, onClick: () => undo().catch((error) => toast({ text: error.message })) },
  })
}

type ScriptProps = { field: RefObject<HTMLTextAreaElement | null>; text: string; onChange: (text: string) => void }

function Script({ field, text, onChange }: ScriptProps) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <LabelledControl
        label={t`Script, or CSV`}
        hint={t`Blank lines and headings such as “INT. KITCHEN”, “Shot 3:” or “1.” begin a shot. Of CSV the first row names the columns; one is “prompt”.`}
        control={(props) => (
          <textarea
            {...props}
            ref={field}
            className={`input ${styles.script}`}
            rows={10}
            dir="auto"
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      />
      <div className="row">
        <Button onClick={() => file.current?.click()}>{t`Open a file…`}</Button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".txt,.csv,.fountain,text/plain,text/csv"
          aria-label={t`File with a script`}
          onChange={({ target }) => void target.files?.[0]?.text().then(onChange)}
        />
        <span className="quiet small">{t`They get the model and the options of the last shot.`}</span>
      </div>
    </>
  )
}

type ProposeProps = { text: string; isFull: boolean; isPending: boolean; onPropose: () => void }

function ProposeButton({ text, isFull, isPending, onPropose }: ProposeProps) {
  const length = [...text.trim()].length
  const isTooLong = length > WRITER_CHARACTERS_MAX
  return (
    <div className="row">
      <Button busy={isPending} disabled={length === 0 || isTooLong || isFull} onClick={onPropose}>
        {t`Propose shots`}
      </Button>
      <span className="quiet small" role="status">
        {isPending
          ? t`The writer reads the script. That may take a minute.`
          : isFull
            ? t`A project has at most ${formatNumber(SHOTS_MAX)} shots.`
            : isTooLong
              ? t`The script has ${formatNumber(length)} characters; the writer reads ${formatNumber(WRITER_CHARACTERS_MAX)}.`
              : t`A language model makes them from a script or an idea. You read and change them before they are added.`}
      </span>
    </div>
  )
}
