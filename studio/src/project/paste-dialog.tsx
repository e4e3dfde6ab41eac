/** Dialog that makes shots of a text or of CSV, pasted or from a file. The service splits it. */
import { plural, t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { useSignedIn } from '../shell/signed-in.ts'
import type { Model } from '../studio/form-fields.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LabelledControl } from '../ui/field.tsx'
import { toast } from '../ui/toasts.tsx'
import styles from './project.module.css'
import { deleteShot, importShots, type Project } from './queries.ts'
import { settingsForNew } from './shot-settings.ts'

type Props = { project: Project; models: Model[]; onClose: () => void }

/** Its first row names columns. */
const isCsv = (text: string): boolean => /^\uFEFF?[^\n]*\bprompt\b"?\s*(,|\r?\n)/i.test(text)

export function PasteDialog({ project, models, onClose }: Props) {
  const { user } = useSignedIn()
  const [text, setText] = useState('')
  const file = useRef<HTMLInputElement>(null)
  const add = useAction({
    send: () => {
      const settings = settingsForNew(project, models, user.id)
      return importShots(project.id, isCsv(text) ? { csv: text, settings } : { text, settings })
    },
    refresh: async (added = []) => {
      const undo = async () => {
        for (const shot of added) await deleteShot(project.id, shot)
      }
      toast({
        text: plural(added.length, { one: '# shot added.', other: '# shots added.' }),
        action: { label: t`Undo`, onClick: () => undo().catch((error) => toast({ text: error.message })) },
      })
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={t`Shots from a script`}>
      <ActionForm
        action={add}
        submitLabel={t`Make the shots`}
        isReady={text.trim() !== ''}
        onSubmit={() => add.mutate()}
        onCancel={onClose}
      >
        <LabelledControl
          label={t`Script, or CSV`}
          hint={t`Blank lines and headings such as “INT. KITCHEN”, “Shot 3:” or “1.” begin a shot. Of CSV the first row names the columns; one is “prompt”.`}
          control={(props) => (
            <textarea
              {...props}
              className={`input ${styles.script}`}
              rows={10}
              dir="auto"
              value={text}
              onChange={({ target }) => setText(target.value)}
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
            onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
          />
          <span className="quiet small">{t`They get the model and the options of the last shot.`}</span>
        </div>
      </ActionForm>
    </Dialog>
  )
}
