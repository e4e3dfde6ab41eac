/** The ways to sign in that this service has set up, and the browser's side of them. */
import type { Schemas } from '@kinora/client'
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

export type SignInOptions = Schemas['SignInOptions']

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => dataOf(kinora.GET('/api/v1/config/sign-in')),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Passkeys need a browser that knows their JSON, and a page that is secure and has a name for a host. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential

/** @returns null when the user or the browser has ended the dialog */
export async function createPasskey(options: object): Promise<object | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  return credentialOf(() => navigator.credentials.create({ publicKey }))
}

/** @returns null when the user or the browser has ended the dialog */
export async function requestPasskey(options: object): Promise<object | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  return credentialOf(() => navigator.credentials.get({ publicKey: { ...publicKey, userVerification: 'required' } }))
}

async function credentialOf(ceremony: () => Promise<Credential | null>): Promise<object | null> {
  try {
    const credential = await ceremony()
    return credential instanceof PublicKeyCredential ? (credential.toJSON() as object) : null
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}
