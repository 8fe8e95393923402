// The names of the caller's keys and apps.
import type { HistoryVia } from '../../domain/history/edits.ts'
import type { Call } from '../../door/operation.ts'
import { listApiKeys } from '../../store/access/api-keys.ts'
import { listConnectedApps } from '../../store/access/oauth/grants.ts'

/** The names by kind and id. */
export async function appNames(
  { db, principal }: Call,
  entries: readonly { via: HistoryVia; userId: string | null }[],
): Promise<Map<string, string>> {
  const used = (via: HistoryVia) =>
    entries.some((entry) => entry.via === via && entry.userId === principal.user.id)
  const keys = used('apiKey') ? await listApiKeys(db, { userId: principal.user.id }) : []
  const apps = used('oauth') ? await listConnectedApps(db, { userId: principal.user.id }) : []
  return new Map([
    ...keys.map(({ id, name }) => [`apiKey:${id}`, name] as const),
    ...apps.map(({ id, clientName }) => [`oauth:${id}`, clientName] as const),
  ])
}
