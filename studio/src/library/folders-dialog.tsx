/** Dialog with the user's folders: make, rename, delete. */

import type { DataOf } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { dataOf, kinora, refreshQueries, refreshVideos } from '../api.ts'
import { latestError, useSingleFlight } from '../single-flight.ts'
import { useMayChange } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogContent } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { foldersQuery } from './arrange.ts'
import styles from './library.module.css'

/** The API's limit. */
const NAME_CHARACTERS_MAX = 60

type Props = {
  onClose: () => void
  /** A folder is made for films that are moved there at once. */
  onMade?: (id: string) => void
}

export function FoldersDialog({ onClose, onMade }: Props) {
  const list = useQuery(foldersQuery)
  const [name, setName] = useState('')
  const create = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/video/folders', { body: { name } })),
    onSuccess: async ({ id }) => {
      setName('')
      await refreshQueries(foldersQuery.queryKey)
      if (!onMade) return
      onClose()
      onMade(id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Dialog open onClose={onClose} title={t`Folders`}>
      <form className={styles.newFolder} onSubmit={submit}>
        <Field
          label={t`New folder`}
          value={name}
          maxLength={NAME_CHARACTERS_MAX}
          required
          autoComplete="off"
          error={create.error?.message}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit" kind="primary" busy={create.isPending}>
          {t`Make the folder`}
        </Button>
      </form>
      <DialogContent query={list} skeletonHeight="80px">
        {({ folders }) => (
          <ul className="stack">
            {folders.map((folder) => (
              <FolderRow key={folder.id} folder={folder} />
            ))}
          </ul>
        )}
      </DialogContent>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Done`}</Button>
      </div>
    </Dialog>
  )
}

type Folder = DataOf<'get', '/api/v1/video/folders'>['folders'][number]

function FolderRow({ folder }: { folder: Folder }) {
  const mayChange = useMayChange()(folder)
  return mayChange ? <OwnFolder folder={folder} /> : <li>{folder.name}</li>
}

function OwnFolder({ folder: { id, name } }: { folder: Folder }) {
  const [typed, setTyped] = useState(name)
  const [isAsking, setAsking] = useState(false)
  const params = { path: { id } }
  const rename = useSingleFlight({
    mutationFn: () => dataOf(kinora.PATCH('/api/v1/video/folders/{id}', { params, body: { name: typed } })),
    onSuccess: () => refreshQueries(foldersQuery.queryKey),
  })
  const remove = useSingleFlight({
    mutationFn: () => dataOf(kinora.DELETE('/api/v1/video/folders/{id}', { params })),
    onSuccess: () => Promise.all([refreshQueries(foldersQuery.queryKey), refreshVideos()]),
  })
  const error = latestError(rename, remove)
  return (
    <li className="stack">
      <form
        className={styles.folder}
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate()
        }}
      >
        <input
          className="input"
          aria-label={t`Name of the folder ${name}`}
          value={typed}
          maxLength={NAME_CHARACTERS_MAX}
          required
          onChange={({ target }) => setTyped(target.value)}
        />
        {typed.trim() === name ? null : (
          <Button type="submit" busy={rename.isPending}>
            {t`Rename`}
          </Button>
        )}
        <Button
          kind={isAsking ? 'danger' : 'quiet'}
          busy={remove.isPending}
          onClick={() => (isAsking ? remove.mutate() : setAsking(true))}
          onBlur={() => setAsking(false)}
        >
          {isAsking ? t`Delete the folder, keep its films` : t`Delete`}
        </Button>
      </form>
      {error ? <ErrorState error={error} /> : null}
    </li>
  )
}
