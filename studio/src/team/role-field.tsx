/** The choice of a role, with what it may do. */

import { t } from '@lingui/core/macro'
import { type Role, roles } from '../team.ts'
import { LabelledControl } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { roleNames, roleTexts } from './queries.ts'

type Props = { role: Role; isOwner: boolean; onChange: (role: Role) => void }

/** @param props `isOwner`: only owners make owners */
export const RoleField = ({ role, isOwner, onChange }: Props) => (
  <LabelledControl
    label={t`Role`}
    hint={roleTexts()[role]}
    control={(props) => (
      <Select
        {...props}
        value={role}
        options={roles.filter((each) => isOwner || each !== 'owner').map((each) => [each, roleNames()[each]])}
        onSelect={(next = role) => onChange(next)}
      />
    )}
  />
)
