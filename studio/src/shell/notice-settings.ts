/** How this browser reports the end of a film beside a toast: notifications and a sound, off until switched on. */
import { browserStorage } from '../browser-storage.ts'

const keys = { notification: 'kinora.notifications', sound: 'kinora.sound' }
export type NoticeSetting = keyof typeof keys

export const isNoticeOn = (setting: NoticeSetting): boolean => browserStorage.read(keys[setting]) === true
export const setNotice = (setting: NoticeSetting, isOn: boolean): void =>
  browserStorage.write(keys[setting], isOn || null)

/** Over plain HTTP a browser has no notifications. */
export const hasNotifications = (): boolean => 'Notification' in globalThis && globalThis.isSecureContext

/** Chosen here, and allowed by the browser, which may withdraw it at any time. */
export const areNotificationsOn = (): boolean =>
  isNoticeOn('notification') && hasNotifications() && Notification.permission === 'granted'
