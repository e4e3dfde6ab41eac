/** The name of a project as the heading of its page, and the dialogs that change or delete it. */
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { ActionDialog, ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import styles from './project.module.css'
import { changeProject, NAME_CHARACTERS_MAX, type Project, projectsQuery } from './queries.ts'
import { changedText } from './use-project-change.ts'

export function ProjectName({ project, isMaker }: { project: Project; isMaker: boolean }) {
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <div className={styles.name}>
      <h1 dir="auto">{project.name}</h1>
      {isMaker ? (
        <>
          <Button kind="quiet" onClick={() => setOpen('rename')}>
            {t`Rename`}
          </Button>
          <Button kind="quiet" onClick={() => setOpen('delete')}>
            {t`Delete`}
          </Button>
        </>
      ) : null}
      {open === 'rename' ? <RenameDialog project={project} onClose={close} /> : null}
      {open === 'delete' ? <DeleteDialog project={project} onClose={close} /> : null}
    </div>
  )
}

/** What the user has typed stays where another user has renamed it meanwhile. */
function RenameDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [seen, setSeen] = useState(project)
  const [name, setName] = useState(project.name)
  const [theirs, setTheirs] = useState<Project | null>(null)
  const rename = useAction({
    send: () => changeProject(seen, { name: name.trim() }),
    refresh: async (saved) => {
      void refreshQueries(projectsQuery.queryKey)
      if (!saved || 'row' in saved) return onClose()
      setTheirs(saved.theirs)
      setSeen(saved.theirs)
    },
  })
  return (
    <Dialog open onClose={onClose} title={t`Rename the project`}>
      <ActionForm
        action={rename}
        submitLabel={t`Rename`}
        isReady={name.trim() !== ''}
        onSubmit={() => rename.mutate()}
        onCancel={onClose}
        detail={
          theirs ? (
            <p role="alert">
              {changedText(theirs, theirs, theirs.updatedAt)} {t`It is “${theirs.name}” now.`}
            </p>
          ) : null
        }
      >
        <Field
          label={t`Name`}
          value={name}
          maxLength={NAME_CHARACTERS_MAX}
          required
          autoComplete="off"
          dir="auto"
          onChange={({ target }) => setName(target.value)}
        />
      </ActionForm>
    </Dialog>
  )
}

function DeleteDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const navigate = useNavigate()
  const params = { path: { id: project.id } }
  return (
    <ActionDialog
      title={t`Delete “${project.name}”?`}
      submitLabel={t`Delete the project`}
      kind="danger"
      isLast
      onClose={onClose}
      send={() => dataOf(kinora.DELETE('/api/v1/project/{id}', { params }))}
      refresh={async () => {
        void refreshQueries(projectsQuery.queryKey)
        await navigate({ to: '/projects' })
      }}
    >
      <p>{t`Its shots go, with their prompts and cuts. Its takes stay in the library.`}</p>
    </ActionDialog>
  )
}
