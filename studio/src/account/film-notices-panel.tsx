/** How this browser reports that a film has ended. The browser is asked for its permission by the click, never before. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { playSound } from '../shell/film-notice.tsx'
import {
  areNotificationsOn,
  hasNotifications,
  isNoticeOn,
  type NoticeSetting,
  setNotice,
} from '../shell/notice-settings.ts'

export function FilmNoticesPanel() {
  const [isNotified, setNotified] = useState(areNotificationsOn)
  const [hasSound, setSound] = useState(() => isNoticeOn('sound'))
  const [refusal, setRefusal] = useState<string | null>(null)
  const save = (setting: NoticeSetting, isOn: boolean) => {
    setNotice(setting, isOn)
    ;(setting === 'sound' ? setSound : setNotified)(isOn)
  }
  const askForNotifications = async () => {
    setRefusal(null)
    const problem = await refusalOf()
    setRefusal(problem)
    save('notification', problem === null)
  }
  return (
    <section className="panel" aria-labelledby="film-notices">
      <h3 id="film-notices">{t`When a film ends`}</h3>
      <p className="quiet">{t`A message appears on every page that does not show the film. In this browser you can also have:`}</p>
      {hasNotifications() ? (
        <label className="check">
          <input
            type="checkbox"
            checked={isNotified}
            onChange={({ target }) => (target.checked ? void askForNotifications() : save('notification', false))}
          />
          {t`Notifications while you look elsewhere`}
        </label>
      ) : null}
      {refusal === null ? null : (
        <p role="alert" className="small">
          {refusal}
        </p>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={hasSound}
          onChange={({ target }) => {
            save('sound', target.checked)
            if (target.checked) playSound()
          }}
        />
        {t`A short sound`}
      </label>
    </section>
  )
}

/** Asks for the permission, and shows a first notification, which some browsers refuse in spite of it. @returns null when it is there */
async function refusalOf(): Promise<string | null> {
  if ((await Notification.requestPermission()) !== 'granted')
    return t`This browser blocks notifications of this site. Its settings for the site allow them.`
  try {
    new Notification(t`Notifications are on`, { body: t`Like this you learn that a film has ended.`, silent: true })
    return null
  } catch {
    return t`This browser shows no notifications of pages.`
  }
}
