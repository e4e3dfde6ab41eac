/**
 * The texts of the pages of OAuth, by language. The pages insert them as they are, so none has `<`, `>` or `&`; the pages escape the
 * names in them.
 */
import type { Language } from '../../text/language.ts'

export type OauthTexts = {
  /** Of the consent, and of the list of programs. */
  scopes: Record<string, string>
  unnamed: string
  connectTitle: string
  connect: (name: string) => string
  /** Before and after the address to which the program leads, which is in bold. */
  leadsTo: { before: string; after: string }
  allow: string
  deny: string
  /** Before the link to the list of programs; the link's text, which is the list's title too; after the link. */
  caution: string
  appsTitle: string
  appsHint: string
  since: (date: string) => string
  disconnect: string
  none: string
  back: string
  errorTitle: string
  /** Before and after the reason, which is the library's, in English. */
  error: { before: string; after: string }
}

export const oauthTexts: Record<Language, OauthTexts> = {
  en: {
    scopes: {
      read: 'See your films, models and credits',
      generate: 'Make, cancel and delete films, which spends your credits',
      offline_access: 'Stay connected until you disconnect it, for up to 90 days',
    },
    unnamed: 'A program without a name',
    connectTitle: 'Connect a program',
    connect: (name) => `Connect ${name}?`,
    leadsTo: { before: 'The program leads to ', after: '. It may then, in your account:' },
    allow: 'Connect',
    deny: 'Cancel',
    caution: 'Connect only what you have started yourself. ',
    appsTitle: 'Connected programs',
    appsHint: ' can be disconnected at any time.',
    since: (date) => `since ${date}`,
    disconnect: 'Disconnect',
    none: 'No program is connected.',
    back: 'Back to your account',
    errorTitle: 'This program cannot be connected',
    error: { before: 'Its request is not valid: ', after: '. Nothing was connected.' },
  },
  'zh-Hans': {
    scopes: {
      read: '查看你的影片、模型和积分',
      generate: '制作、取消和删除影片，这会使用你的积分',
      offline_access: '保持连接，直到你断开，最多 90 天',
    },
    unnamed: '未命名的程序',
    connectTitle: '连接程序',
    connect: (name) => `要连接 ${name} 吗？`,
    leadsTo: { before: '该程序会返回到 ', after: '。连接后，它可以在你的账号中：' },
    allow: '连接',
    deny: '取消',
    caution: '请只连接你自己启动的程序。',
    appsTitle: '已连接的程序',
    appsHint: '可以随时断开。',
    since: (date) => `自 ${date}`,
    disconnect: '断开',
    none: '没有已连接的程序。',
    back: '返回你的账号',
    errorTitle: '无法连接此程序',
    error: { before: '它的请求无效：', after: '。没有连接任何程序。' },
  },
}
