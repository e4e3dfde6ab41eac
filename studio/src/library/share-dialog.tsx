/** Dialog that makes, shows, changes and revokes the public link of a film. */

import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, showSaved } from '../api.ts'
import { latestError, useSingleFlight } from '../single-flight.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog, DialogContent } from '../ui/dialog.tsx'
import { Check } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import styles from './share-dialog.module.css'

const shareQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['share', uuid],
    queryFn: () => dataOf(kinora.GET('/api/v1/video/{uuid}/share', { params: { path: { uuid } } })),
    // The share may be changed elsewhere: the dialog reads it whenever it opens.
    staleTime: 0,
  })

export function ShareDialog({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const share = useQuery(shareQuery(uuid))
  return (
    <Dialog open onClose={onClose} title={t`Share this film`}>
      <DialogContent query={share} skeletonHeight="160px">
        {(data) => <ShareForm uuid={uuid} share={data.share} onClose={onClose} />}
      </DialogContent>
    </Dialog>
  )
}

type Choice = { showsPrompt: boolean; allowsDownload: boolean }
type FormProps = { uuid: string; share: ({ url: string } & Choice) | null; onClose: () => void }

function ShareForm({ uuid, share, onClose }: FormProps) {
  const params = { path: { uuid } }
  /** The choice that is not saved yet. It shows at once: the mutation is pending only after a later render. */
  const [chosen, setChosen] = useState<Choice | null>(null)
  const { showsPrompt, allowsDownload } = chosen ?? share ?? { showsPrompt: false, allowsDownload: false }
  const choice = { showsPrompt, allowsDownload }
  const save = useSingleFlight({
    mutationFn: (body: Choice) => dataOf(kinora.PUT('/api/v1/video/{uuid}/share', { params, body })),
    onSuccess: async (saved) => {
      await showSaved(shareQuery(uuid).queryKey, saved)
      setChosen(null)
    },
    onError: () => {
      if (share) setChosen(null)
    },
  })
  const revoke = useSingleFlight({
    mutationFn: () => dataOf(kinora.DELETE('/api/v1/video/{uuid}/share', { params })),
    onSuccess: (revoked) => showSaved(shareQuery(uuid).queryKey, revoked),
  })
  const isSaving = save.isPending || (share !== null && chosen !== null)
  const error = latestError(save, revoke)
  const choose = (change: Partial<Choice>) => {
    setChosen({ ...choice, ...change })
    if (share) save.mutate({ ...choice, ...change })
  }
  return (
    <>
      <p>
        {share
          ? t`All who have this link can watch the film, without an account.`
          : t`A link lets people without an account watch this film, and shows nothing else of yours. You can take it back at any time.`}
      </p>
      {share ? <code className={styles.url}>{share.url}</code> : null}
      <Check
        label={t`Show the prompt too`}
        checked={showsPrompt}
        disabled={isSaving}
        onChange={({ currentTarget: { checked } }) => choose({ showsPrompt: checked })}
      />
      <Check
        label={t`Allow download`}
        checked={allowsDownload}
        disabled={isSaving}
        onChange={({ currentTarget: { checked } }) => choose({ allowsDownload: checked })}
      />
      {error ? <ErrorState error={error} /> : null}
      <div className="dialog-actions">
        {share ? (
          <>
            <Button kind="danger" className={styles.revoke} busy={revoke.isPending} onClick={() => revoke.mutate()}>
              {t`Stop sharing`}
            </Button>
            <a className={buttonClass()} href={share.url} target="_blank" rel="noreferrer">
              {t`Open`}
            </a>
            <CopyButton kind="primary" text={share.url} label={t`Copy link`} />
          </>
        ) : (
          <>
            <Button onClick={onClose}>{t`Keep it private`}</Button>
            <Button kind="primary" busy={save.isPending} onClick={() => save.mutate(choice)}>
              {t`Make a link`}
            </Button>
          </>
        )}
      </div>
    </>
  )
}
