// The app that waits for the person to sign in, named on the pages in between.
import { hashSecret } from '../base/secrets.ts'
import { appName } from '../domain/names.ts'
import type { Services } from '../operation.ts'
import { findClient, findRequest } from '../store/oauth-clients.ts'

/** Its name as the consent page shows it; undefined if this browser has no such request. */
export async function findWaitingApp(
  { store, clock, config }: Services,
  next: string,
  browser: string | undefined,
): Promise<string | undefined> {
  const { pathname, searchParams } = new URL(next, config.origin)
  const id = pathname === '/oauth/consent' ? searchParams.get('id')?.replaceAll('\u0000', '') : undefined
  if (!id || browser === undefined) return undefined
  const now = new Date(clock.now()).toISOString()
  const request = await findRequest(store.read, { id, browserHash: hashSecret(browser), now })
  const client = request && (await findClient(store.read, request.clientId, now))
  return client && appName(client.name, request.redirectUri)
}
