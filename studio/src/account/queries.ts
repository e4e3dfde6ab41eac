/** Queries of the account page about sign-in methods. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

/** The password, as `credential`, and accounts at providers. */
export const accountsQuery = queryOptions({
  queryKey: ['sign-in-methods', 'accounts'],
  queryFn: () => dataOf(kinora.GET('/api/auth/list-accounts')),
})

export const passkeysQuery = queryOptions({
  queryKey: ['sign-in-methods', 'passkeys'],
  queryFn: () => dataOf(kinora.GET('/api/auth/passkey/list-user-passkeys')),
})
