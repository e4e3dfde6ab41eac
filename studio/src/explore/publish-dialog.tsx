/** Dialog that publishes a film on Explore and takes it back. It says what becomes public before the click. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, queryClient, refreshQueries, showSaved, videoQuery } from '../api.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { latestError, useSingleFlight } from '../single-flight.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog, DialogContent } from '../ui/dialog.tsx'
import { Check } from '../ui/field.tsx'
import { formatDateTime } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { publicationQuery } from './queries.ts'

type Publication = Schemas['Publication']
type FormProps = { uuid: string; publication: Publication | null; onClose: () => void }

export function PublishDialog({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const publication = useQuery(publicationQuery(uuid))
  return (
    <Dialog open onClose={onClose} title={t`Publish on Explore`}>
      <DialogContent query={publication} skeletonHeight="160px">
        {(data) => <PublishForm uuid={uuid} publication={data.publication} onClose={onClose} />}
      </DialogContent>
    </Dialog>
  )
}

function PublishForm({ uuid, publication, onClose }: FormProps) {
  const { user } = useSignedIn()
  const params = { path: { uuid } }
  /** The choice that is not saved yet. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const showsName = chosen ?? publication?.showsName ?? false
  const onSuccess = async (saved: { publication: Publication | null }) => {
    await showSaved(publicationQuery(uuid).queryKey, saved)
    void queryClient.invalidateQueries({ queryKey: ['explore'] })
    // Lists say of a film whether it is published.
    void refreshQueries(['videos'])
    void refreshQueries(videoQuery(uuid).queryKey)
    setChosen(null)
  }
  const save = useSingleFlight({
    mutationFn: (body: { showsName: boolean }) =>
      dataOf(kinora.PUT('/api/v1/video/{uuid}/publication', { params, body })),
    onSuccess,
    onError: () => {
      if (publication) setChosen(null)
    },
  })
  const takeBack = useSingleFlight({
    mutationFn: () => dataOf(kinora.DELETE('/api/v1/video/{uuid}/publication', { params })),
    onSuccess,
  })
  const error = latestError(save, takeBack)
  if (publication?.removedAt) return <Removed reason={publication.removalReason ?? ''} />
  return (
    <>
      <p>
        {publication?.publishedAt
          ? t`Everyone sees this film on Explore, with its prompt, model and settings, since ${formatDateTime(publication.publishedAt)}.`
          : t`Everyone can then watch this film on Explore, without an account, and read its prompt, model and settings. Pictures that you made it from are not shown. You can take it back at any time.`}
      </p>
      <Check
        label={user.name ? t`Show my name too: ${user.name}` : t`Show my name too`}
        checked={showsName}
        disabled={save.isPending}
        onChange={({ currentTarget: { checked } }) => {
          setChosen(checked)
          if (publication) save.mutate({ showsName: checked })
        }}
      />
      {error ? <ErrorState error={error} /> : null}
      <div className="dialog-actions">
        {publication ? (
          <>
            <Button kind="danger" busy={takeBack.isPending} onClick={() => takeBack.mutate()}>
              {t`Take it back`}
            </Button>
            <Link
              to="/explore"
              search={publication.id ? { film: publication.id } : {}}
              className={buttonClass('primary')}
            >
              {t`Open Explore`}
            </Link>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{t`Keep it private`}</Button>
            <Button kind="primary" busy={save.isPending} onClick={() => save.mutate({ showsName })}>
              {t`Publish`}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

const Removed = ({ reason }: { reason: string }) => (
  <>
    <p>{t`An administrator removed this film from Explore. It stays in your library, and cannot be published again.`}</p>
    <p>{t`The reason: ${reason}`}</p>
  </>
)
