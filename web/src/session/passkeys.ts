/** Passkeys in the app: adding one, and confirming one's identity with one. Loaded on first use. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { client, dataOf } from '../api/client.ts'
import { Explained } from '../api/explain.ts'
import type { components } from '../api/schema.d.ts'
import { t } from '../i18n/i18n.svelte.ts'

/** Signs in the same person again; another person's passkey is refused. */
export async function signInWithPasskey(userId: string | undefined): Promise<void> {
  const response = await authenticate(await dataOf(client.POST('/sign-in/passkey/options')))
  await client.POST('/sign-in/passkey', { body: { response, ...(userId ? { userId } : {}) } })
}

/** For the next five minutes the server accepts requests that give lasting access. */
export async function confirmWithPasskey(): Promise<void> {
  const response = await authenticate(await dataOf(client.POST('/confirm/passkey/options')))
  await client.POST('/confirm/passkey', { body: { response } })
}

/** The browser asks the person to create a passkey; it is named after the device or password manager. */
export async function addPasskey(
  options: components['schemas']['PasskeyCreationOptions'],
): Promise<components['schemas']['Passkey']> {
  const response = await inWords(() => startRegistration({ optionsJSON: options }))
  return dataOf(client.POST('/passkeys', { body: { response } }))
}

const authenticate = (options: components['schemas']['PasskeyRequestOptions']) =>
  inWords(() => startAuthentication({ optionsJSON: options }))

/** The browser's error, which it reports in English and for developers. */
async function inWords<Result>(run: () => Promise<Result>): Promise<Result> {
  if (!browserSupportsWebAuthn()) throw new Explained(t('passkey.unsupported'))
  try {
    return await run()
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'InvalidStateError') throw new Explained(t('passkey.exists'))
    if (name === 'NotAllowedError' || name === 'AbortError') throw new Explained(t('passkey.cancelled'))
    throw error
  }
}
