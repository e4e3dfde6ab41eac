/** Moves films to a folder, or out of the one in which they are. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Select } from '../ui/select.tsx'
import { arrangeVideos, foldersQuery } from './arrange.ts'
import { FoldersDialog } from './folders-dialog.tsx'
import styles from './library.module.css'
import { UNFILED } from './video-list.ts'

const NEW = 'new'

type Props = {
  uuids: string[]
  /** The folder in which they all are; null: none; undefined: not the same for all. */
  folderId: string | null | undefined
  onMoved?: () => void
}

export function FolderSelect({ uuids, folderId, onMoved }: Props) {
  const { data } = useQuery(foldersQuery)
  const [isMaking, setMaking] = useState(false)
  const move = (id: string | null) => {
    void arrangeVideos(uuids, { folderId: id })
    onMoved?.()
  }
  if (isMaking) return <FoldersDialog onMade={move} onClose={() => setMaking(false)} />
  return (
    <Select
      // Without the folders the one in which the films are could not be shown as chosen; its place stays.
      style={{ visibility: data ? 'visible' : 'hidden' }}
      className={styles.move}
      aria-label={t`Folder`}
      value={folderId === undefined ? undefined : (folderId ?? UNFILED)}
      none={folderId === undefined ? t`Move to…` : undefined}
      options={[
        [UNFILED, t`In no folder`],
        ...(data?.folders ?? []).map(({ id, name }) => [id, name] as const),
        [NEW, t`New folder…`],
      ]}
      onSelect={(value = UNFILED) => (value === NEW ? setMaking(true) : move(value === UNFILED ? null : value))}
    />
  )
}
