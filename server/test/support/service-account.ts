/** The key of an account at Google Cloud, by which it signs in. */
import { generateKeyPairSync } from 'node:crypto'

export function serviceAccount(): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return JSON.stringify({
    type: 'service_account',
    project_id: 'films',
    client_email: 'kinora@films.iam.gserviceaccount.com',
    private_key: privateKey,
  })
}
