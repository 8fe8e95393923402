/** What can be granted: scopes for credentials and permissions for roles, grouped for display. The rules are shared with the server. */
import {
  grantableScopes,
  type Permission,
  readOnlyScopes,
  type Scope,
  unusedPermissions,
} from '../../../../server/domain/access/access.ts'
import { type PlainKey, t } from '../../i18n/i18n.svelte.ts'
import { formatInstant } from '../../lib/format.ts'
import { session } from '../../session/session.svelte.ts'

export type { Permission, Scope }

/** Permissions that are not about flights; each has its own text. */
export type NamedPermission = Exclude<Permission, `flight.${string}`>

/** A permission for flights covers the person's own flights or everyone's. */
export interface Width<T> {
  label: PlainKey
  own?: T
  any?: T
}
interface Others<T> {
  title: PlainKey
  items: readonly T[]
}
export interface Catalogue<T> {
  flights: readonly Width<T>[]
  others: readonly Others<T>[]
}

const both = ['read', 'create', 'update', 'delete', 'import', 'export', 'passengers.manage'] as const
const widths = both.map((action) => ({
  label: `grant.${action}` as const,
  own: `flight.${action}.own` as const,
  any: `flight.${action}.any` as const,
}))

export const scopeCatalogue: Catalogue<Scope> = {
  flights: widths,
  others: [
    {
      title: 'grant.group.look',
      items: [
        'profile.read',
        'stats.read',
        'reference_data.read',
        'custom_fields.read',
        'tracks.read',
        'visited_countries.read',
        'shares.read',
      ],
    },
    {
      title: 'grant.group.change',
      items: [
        'tracks.write',
        'visited_countries.write',
        'shares.write',
        'preferences.write',
        'webhooks.manage',
        'feeds.manage',
        'notifications.manage',
      ],
    },
    { title: 'grant.group.people', items: ['users.directory.read', 'roles.manage'] },
  ],
}

/** Without permissions that no operation uses yet. A role that already has such a permission keeps it. */
function usedOnly({ flights, others }: Catalogue<Permission>): Catalogue<Permission> {
  const used = (item: Permission | undefined) =>
    item !== undefined && !unusedPermissions.includes(item) ? item : undefined
  return {
    flights: flights
      .map((row) => ({ ...row, own: used(row.own), any: used(row.any) }))
      .filter(({ own, any }) => own ?? any),
    others: others
      .map((group) => ({ ...group, items: group.items.filter(used) }))
      .filter(({ items }) => items.length > 0),
  }
}

export const permissionCatalogue: Catalogue<Permission> = usedOnly({
  flights: [...widths, { label: 'grant.share', own: 'flight.share.own' }],
  others: [
    {
      title: 'grant.group.people',
      items: [
        'users.directory.read',
        'users.create',
        'users.update',
        'users.delete',
        'users.roles.assign',
        'roles.manage',
      ],
    },
    {
      title: 'grant.group.data',
      items: ['data.airports.manage', 'data.airlines.manage', 'data.aircraft.manage', 'custom_fields.manage'],
    },
    {
      title: 'grant.group.instance',
      items: [
        'instance.oauth.manage',
        'instance.integrations.manage',
        'instance.map.manage',
        'instance.release.check',
        'tools.sql.execute',
      ],
    },
  ],
})

export const myScopes = (): Scope[] => grantableScopes(new Set(session.user?.permissions))

export type LegacyFormat = 'codes' | 'objects'
export interface Template {
  name: 'readOnly' | 'full' | 'homeAssistant' | 'airtrail'
  scopes: readonly Scope[]
  legacyFormat: LegacyFormat
}

const homeAssistant: Scope[] = ['flight.read.own', 'profile.read', 'stats.read']
const airtrail: Scope[] = [
  'flight.read.own',
  'flight.create.own',
  'flight.update.own',
  'flight.delete.own',
  'flight.export.own',
  'flight.passengers.manage.own',
  'profile.read',
  'reference_data.read',
  'custom_fields.read',
  'stats.read',
  'tracks.read',
  'tracks.write',
]

/** Templates for a key, limited to what the person can grant. */
export function templates(): Template[] {
  const mine = myScopes()
  const within = (scopes: readonly Scope[]) => mine.filter((scope) => scopes.includes(scope))
  return [
    { name: 'readOnly', scopes: within(readOnlyScopes), legacyFormat: 'codes' },
    { name: 'full', scopes: mine, legacyFormat: 'codes' },
    { name: 'homeAssistant', scopes: within(homeAssistant), legacyFormat: 'objects' },
    { name: 'airtrail', scopes: within(airtrail), legacyFormat: 'objects' },
  ]
}

export const isReadOnly = (scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => readOnlyScopes.includes(scope))

export function scopeSummary(scopes: readonly Scope[]): string {
  if (scopes.length === 0) return t('settings.grants.nothing')
  const count = t('settings.grants.count', { count: scopes.length })
  return `${isReadOnly(scopes) ? t('settings.grants.readOnly') : t('settings.grants.readWrite')} · ${count}`
}

export const lastUse = ({ lastUsedAt }: { lastUsedAt: string | null }): string =>
  lastUsedAt ? t('settings.lastUsed', { date: formatInstant(lastUsedAt) }) : t('settings.neverUsed')
