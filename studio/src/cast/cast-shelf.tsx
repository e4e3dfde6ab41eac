/** The cast beside the prompt: small pictures with their names. Viewers of a team see it, and make none. */
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import { isAtLeast, useMayChange, useTeam } from '../team.ts'
import styles from './cast.module.css'
import type { Member } from './cast.ts'

/** Loaded on demand: no page of a first load has a dialog. */
const CastDialog = lazy(() => import('./cast-dialog.tsx').then((module) => ({ default: module.CastDialog })))

type Props = {
  cast: Member[]
  isUsed: (member: Member) => boolean
  onChoose: (member: Member) => void
  /** @param after the new name; null: it is no more */
  onChanged: (before: string, after: string | null) => void
}

export function CastShelf({ cast, isUsed, onChoose, onChanged }: Props) {
  const isMaker = isAtLeast(useTeam(), 'maker')
  const mayChange = useMayChange()
  /** The name of a member; '': a new one. */
  const [open, setOpen] = useState<string | null>(null)
  const member = cast.find(({ name }) => name === open)
  return (
    <section className={styles.shelf} aria-label={t`Cast`}>
      <ul className={styles.members}>
        {cast.map((each) => (
          <li key={each.name} className={styles.member} data-used={isUsed(each)}>
            <button
              type="button"
              className={styles.choose}
              aria-label={`@${each.name}`}
              title={`@${each.name}`}
              onClick={() => onChoose(each)}
            >
              <img className={styles.face} src={each.picture.url} alt="" loading="lazy" decoding="async" />
            </button>
            <div className={styles.caption}>
              <span className={styles.name} aria-hidden="true">{`@${each.name}`}</span>
              {each.assets.every(mayChange) ? (
                <button
                  type="button"
                  className={styles.edit}
                  aria-label={t`Edit @${each.name}`}
                  onClick={() => setOpen(each.name)}
                >
                  ⋯
                </button>
              ) : null}
            </div>
          </li>
        ))}
        {isMaker ? (
          <li className={styles.member}>
            <button
              type="button"
              className={`${styles.choose} ${styles.face} ${styles.add}`}
              onClick={() => setOpen('')}
            >
              {t({ message: 'New', context: 'member of the cast' })}
            </button>
          </li>
        ) : null}
      </ul>
      <Suspense>
        {open === null ? null : (
          <CastDialog
            {...(member && { member })}
            onClose={() => setOpen(null)}
            onSaved={(name) => {
              setOpen(null)
              if (member && name !== member.name) onChanged(member.name, name)
            }}
          />
        )}
      </Suspense>
    </section>
  )
}
