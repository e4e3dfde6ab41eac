/** Moves films to a folder, or out of the one in which they are. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { arrangeVideos, foldersQuery } from './arrange.ts'
import styles from './library.module.css'
import { UNFILED } from './video-list.ts'

type Props = {
  uuids: string[]
  /** The folder in which they all are; null: none; undefined: not the same for all. */
  folderId: string | null | undefined
  onMoved?: () => void
}

export function FolderSelect({ uuids, folderId, onMoved }: Props) {
  const { data } = useQuery(foldersQuery)
  const folders = data?.folders ?? []
  if (folders.length === 0) return null
  return (
    <select
      className={`input ${styles.move}`}
      aria-label={t`Folder`}
      value={folderId === undefined ? '' : (folderId ?? UNFILED)}
      onChange={({ target: { value } }) => {
        void arrangeVideos(uuids, { folderId: value === UNFILED ? null : value })
        onMoved?.()
      }}
    >
      {folderId === undefined ? <option value="">{t`Move to…`}</option> : null}
      <option value={UNFILED}>{t`In no folder`}</option>
      {folders.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
