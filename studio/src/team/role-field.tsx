/** The choice of a role, with what it may do. */
import { t } from '@lingui/core/macro'
import { type Role, roles } from '../team.ts'
import { LabelledControl } from '../ui/field.tsx'
import { roleNames, roleTexts } from './queries.ts'

/** @param props `isOwner`: only owners make owners */
export const RoleField = ({
  role,
  isOwner,
  onChange,
}: {
  role: Role
  isOwner: boolean
  onChange: (role: Role) => void
}) => (
  <LabelledControl
    label={t`Role`}
    hint={roleTexts()[role]}
    control={(props) => (
      <select {...props} value={role} onChange={({ target }) => onChange(target.value as Role)}>
        {roles
          .filter((each) => isOwner || each !== 'owner')
          .map((each) => (
            <option key={each} value={each}>
              {roleNames()[each]}
            </option>
          ))}
      </select>
    )}
  />
)
