/** Confirmation dialog of an API key's deletion, which cannot be undone and breaks every client that uses the key. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { dataOf, kinora, queryClient } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { ActionDialog } from '../ui/action-form.tsx'

/** `madeBy`, `suspendedAt` and `endsAt`: of a team’s key. */
export type ApiKey = Schemas['ApiKey'] & Partial<Pick<Schemas['TeamKey'], 'madeBy' | 'suspendedAt' | 'endsAt'>>

export const DeleteKeyDialog = ({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) => (
  <ActionDialog
    title={t`Delete the key ${name ?? ''}?`}
    submitLabel={t`Delete key`}
    kind="danger"
    cancelLabel={t`Keep it`}
    send={(): Promise<unknown> =>
      chosenTeam()
        ? dataOf(kinora.DELETE('/api/v1/team/keys/{id}', { params: { path: { id } } }))
        : dataOf(kinora.POST('/api/auth/api-key/delete', { body: { keyId: id } }))
    }
    refresh={() => queryClient.invalidateQueries({ queryKey: ['keys'] })}
    done={t`The key ${name ?? ''} is deleted.`}
    onClose={onClose}
  >
    <p>{t`Every program that uses it is refused within a second. This cannot be undone.`}</p>
  </ActionDialog>
)
