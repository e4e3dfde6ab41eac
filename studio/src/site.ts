/** The operator's settings of pages: the service writes it into index.html (server/src/http/studio.ts). */
import { t } from '@lingui/core/macro'

export type Site = {
  /** The name of the service. */
  name: string
  /** The address of the operator's logo; null: the mark of Kinora. */
  logo: string | null
  /** The film of the page that visitors see first; null: a sample of a model, or a drawn one. */
  film: string | null
  termsUrl: string | null
  privacyUrl: string | null
  supportUrl: string | null
  version: string
  isMailSetUp: boolean
  /** Whether a language model of the operator proposes prompts and shots. */
  hasWriter: boolean
  /** Whether films are published on the page /explore. */
  hasExplore: boolean
  /** Who may make an account: everyone (open), users with an invitation (invite), or no visitor (closed). */
  signUp: 'open' | 'invite' | 'closed'
  /** The gift to a new user; 0: none. */
  newUserCredits: number
  /** In which the operator's reports have their days. */
  timeZone: string
}

/** The development server writes nothing. */
const unset: Site = {
  name: 'Kinora',
  logo: null,
  film: null,
  termsUrl: null,
  privacyUrl: null,
  supportUrl: null,
  version: '',
  isMailSetUp: false,
  hasWriter: false,
  hasExplore: false,
  signUp: 'open',
  newUserCredits: 0,
  timeZone: 'UTC',
}

export const site: Site = { ...unset, ...JSON.parse(globalThis.document?.getElementById('site')?.textContent || '{}') }

/** Why a visitor without an invitation makes no account; null: everyone may. */
export function signUpRefusal(): string | null {
  if (site.signUp === 'open') return null
  return site.signUp === 'closed'
    ? t`This service takes no new accounts. Ask those who run it for one.`
    : t`A new account needs an invitation. Open its link, or ask those who run this service for one.`
}
