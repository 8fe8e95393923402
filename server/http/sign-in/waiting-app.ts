// The app that wants to connect and needs the person to sign in first; the pages in between show its name.
import { hashSecret } from '../../base/secret/secrets.ts'
import { appName } from '../../domain/text/names.ts'
import type { Services } from '../../door/services.ts'
import { findClient, findRequest } from '../../store/access/oauth/clients.ts'

/** The name of the app as on the consent page; undefined if this browser has no such request. */
export async function findWaitingApp(
  { store, clock, config }: Pick<Services, 'store' | 'clock' | 'config'>,
  next: string,
  browser: string | undefined,
): Promise<string | undefined> {
  const { pathname, searchParams } = new URL(next, config.origin)
  const id = pathname === '/oauth/consent' ? searchParams.get('id')?.replaceAll('\u0000', '') : undefined
  if (!id || browser === undefined) return undefined
  const now = new Date(clock.now()).toISOString()
  const request = await findRequest(store.read, { id, browserHash: hashSecret(browser), now })
  const client = request && (await findClient(store.read, { id: request.clientId, now }))
  return client && appName(client.name, request.redirectUri)
}
