/** A file of the catalogue as text: where it is from, its editor, and its versions with the way back. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { LabelledControl } from '../ui/field.tsx'
import { formatRelativeTime } from '../ui/format.ts'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { QueryState } from '../ui/states.tsx'
import styles from './catalogue-file.module.css'
import { AdminPage } from './kit.tsx'
import modelStyles from './models-page.module.css'
import { catalogueFileQuery } from './queries.ts'
import { ReasonDialog, ReasonForm } from './reason-form.tsx'

export type CatalogueFile = Schemas['CatalogueFile']
type Version = CatalogueFile['versions'][number]

export const originLabels: Record<NonNullable<CatalogueFile['of']> | 'none', StateLabel> = {
  release: { label: t`As the release has it`, kind: 'none' },
  taken: { label: t`Written here`, kind: 'done' },
  own: { label: t`The file of CATALOGUE_DIR`, kind: 'running' },
  none: { label: t`There is none`, kind: 'none' },
}
export const refreshCatalogue = () => Promise.all([refreshQueries(['admin']), refreshQueries(['models'])])

export const putFile = ({ file, versions }: CatalogueFile, text: string, reason: string) =>
  dataOf(
    kinora.PUT('/api/v1/admin/catalogue/file', { body: { file, text, reason, version: versions[0]?.version ?? 0 } }),
  )

export const OriginNote = ({ file: { file, of } }: { file: CatalogueFile }) => (
  <p>
    <Mark {...originLabels[of ?? 'none']} />{' '}
    {of === 'own' ? (
      <span className="quiet">{t`It wins over what is written here: change ${file} in that folder, or remove it there.`}</span>
    ) : null}
  </p>
)

export function CatalogueFilePage() {
  const { file = 'plans.json' } = useSearch({ from: '/signed-in/admin/configuration/file' })
  const query = useQuery(catalogueFileQuery(file))
  return (
    <AdminPage title={file}>
      <QueryState query={query} loading={t`Loading the file`} skeletonHeight="480px">
        {(data) => (
          <>
            <OriginNote file={data} />
            <Editor key={data.text} file={data} />
            {data.versions.length > 0 ? <Versions file={data} /> : null}
          </>
        )}
      </QueryState>
    </AdminPage>
  )
}

function Editor({ file }: { file: CatalogueFile }) {
  const [text, setText] = useState(file.text)
  const action = useAction({
    send: (reason: string) => putFile(fileOf(file, text), text, reason),
    refresh: refreshCatalogue,
    done: t`The file is in force.`,
  })
  const isOwn = file.of === 'own'
  const control = (
    <LabelledControl
      label={t`Text`}
      hint={t`The check of a file says line and mistake, and nothing changes then. A model with another id is another file.`}
      control={(props) => (
        <textarea
          {...props}
          className={`input ${styles.text}`}
          lang="en"
          rows={24}
          spellCheck={false}
          readOnly={isOwn}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
    />
  )
  if (isOwn) return <div className="panel">{control}</div>
  return (
    <ReasonForm action={action} onSubmit={(reason) => action.mutate(reason)} submitLabel={t`Put in force`}>
      {control}
    </ReasonForm>
  )
}

/** A model's file is named for its id: with another one it is written beside it. */
function fileOf(file: CatalogueFile, text: string): CatalogueFile {
  const id = file.file.startsWith('models/') ? /"id":\s*"([a-z0-9][a-z0-9.-]*)"/.exec(text)?.[1] : undefined
  const name = `models/${id}.json`
  return id === undefined || name === file.file ? file : { ...file, file: name, versions: [] }
}

function Versions({ file }: { file: CatalogueFile }) {
  const [removed, setRemoved] = useState<Version | null>(null)
  const [newest] = file.versions
  return (
    <section className="panel" aria-labelledby="versions">
      <h2 id="versions">{t`Versions`}</h2>
      <ul className={modelStyles.taken}>
        {file.versions.map((each) => (
          <li key={each.version}>
            <span>
              <span lang="en">{each.reason}</span>
              <span className="secondary">
                {t`Version ${each.version}`} · {each.actorEmail ?? t`A deleted account`},{' '}
                {formatRelativeTime(each.createdAt)}
              </span>
            </span>
            {each === newest ? <Button onClick={() => setRemoved(each)}>{t`Take back`}</Button> : null}
          </li>
        ))}
      </ul>
      {removed ? (
        <ReasonDialog
          title={t`Take version ${removed.version} back?`}
          submitLabel={t`Take back`}
          kind="danger"
          send={(reason) =>
            dataOf(
              kinora.POST('/api/v1/admin/catalogue/restore', {
                body: { file: file.file, version: removed.version, reason },
              }),
            )
          }
          refresh={refreshCatalogue}
          onClose={() => setRemoved(null)}
        >
          <p className="quiet">{t`The version before it, or the file of the release, counts again.`}</p>
        </ReasonDialog>
      ) : null}
    </section>
  )
}
