/** The user's projects, or the team's, the newest first. */
import { plural, t } from '@lingui/core/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, queryClient, refreshQueries } from '../api.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { ActionDialog } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Field, LabelledControl } from '../ui/field.tsx'
import { formatRelativeTime } from '../ui/format.ts'
import { InfiniteCards } from '../ui/infinite-cards.tsx'
import { PagedList } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState } from '../ui/states.tsx'
import { type AspectRatio, aspectRatioNames } from './format-fields.tsx'
import styles from './project.module.css'
import { NAME_CHARACTERS_MAX, type Project, projectQuery, projectsQuery } from './queries.ts'

export function ProjectsPage() {
  const list = usePages(projectsQuery)
  const isMaker = isAtLeast(useTeam(), 'maker')
  const [isMaking, setMaking] = useState(false)
  const isEmpty = list.data?.pages.every(({ projects }) => projects.length === 0) ?? false
  const make = isMaker ? (
    <Button kind="primary" onClick={() => setMaking(true)}>
      {t`New project`}
    </Button>
  ) : null
  return (
    <Page title={t`Projects`} aside={isEmpty ? null : make}>
      <PagedList
        list={list}
        rowsOf={({ projects }) => projects}
        loading={t`Loading your projects`}
        empty={
          <EmptyState action={make}>
            {t`A project is a film of several shots: their prompts, takes and cuts in order, and one file in the end. Yours will be here.`}
          </EmptyState>
        }
      >
        {(projects) => (
          <InfiniteCards className={styles.projects} label={t`Projects`} rows={projects} keyOf={({ id }) => id}>
            {({ id, name, shots, aspectRatio, updatedAt, thumbnailUrl }) => (
              <Link to="/projects/$id" params={{ id }} className={styles.project}>
                <span className={styles.cover}>
                  {thumbnailUrl ? <img src={thumbnailUrl} alt="" loading="lazy" /> : null}
                </span>
                <strong dir="auto">{name}</strong>
                <span className="quiet small">
                  {[
                    plural(shots, { one: '# shot', other: '# shots' }),
                    aspectRatio,
                    formatRelativeTime(updatedAt),
                  ].join(' · ')}
                </span>
              </Link>
            )}
          </InfiniteCards>
        )}
      </PagedList>
      {isMaking ? <NewProject onClose={() => setMaking(false)} /> : null}
    </Page>
  )
}

function NewProject({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [aspectRatio, setAspectRatio] = useState<AspectRatio>('16:9')
  return (
    <ActionDialog
      title={t`New project`}
      submitLabel={t`Make the project`}
      isReady={name.trim() !== ''}
      onClose={onClose}
      send={() => dataOf(kinora.POST('/api/v1/project', { body: { name: name.trim(), aspectRatio } }))}
      refresh={async (project?: Project) => {
        void refreshQueries(projectsQuery.queryKey)
        if (!project) return
        queryClient.setQueryData(projectQuery(project.id).queryKey, project)
        await navigate({ to: '/projects/$id', params: { id: project.id } })
      }}
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
      <LabelledControl
        label={t`Format`}
        control={({ className: _, ...props }) => (
          <Select
            {...props}
            value={aspectRatio}
            options={aspectRatioNames()}
            onSelect={(ratio) => ratio && setAspectRatio(ratio)}
          />
        )}
      />
    </ActionDialog>
  )
}
