// Who may do what: the permissions a role can hold, the scopes a credential can carry, and how they relate.
// Order matters: discovery, `/me` and the consent screen list both in the order written here.

export const permissions = [
  'flight.read.own',
  'flight.read.any',
  'flight.create.own',
  'flight.create.any',
  'flight.update.own',
  'flight.update.any',
  'flight.delete.own',
  'flight.delete.any',
  'flight.import.own',
  'flight.import.any',
  'flight.export.own',
  'flight.export.any',
  'flight.passengers.manage.own',
  'flight.passengers.manage.any',
  'flight.share.own',
  'users.directory.read',
  'users.create',
  'users.update',
  'users.delete',
  'users.roles.assign',
  'data.airports.manage',
  'data.aircraft.manage',
  'data.airlines.manage',
  'custom_fields.manage',
  'instance.oauth.manage',
  'instance.integrations.manage',
  'instance.map.manage',
  'instance.release.check',
  'roles.manage',
  'tools.sql.execute',
] as const
export type Permission = (typeof permissions)[number]

/**
 * Permissions that no operation needs yet. Roles may hold them, and the API lists them all; the web app's role editor
 * leaves them out. A test compares this list with the registry of operations.
 */
export const unusedPermissions: readonly Permission[] = [
  'instance.oauth.manage',
  'instance.integrations.manage',
  'instance.map.manage',
  'tools.sql.execute',
]

interface ScopeRule {
  description: string
  /** The permission that a user needs to grant or use the scope; null: any signed-in user. */
  permission: Permission | null
  readOnly: boolean
}

const scopeRules = {
  'flight.read.own': rule('See the flights you are on', 'flight.read.own', true),
  'flight.read.any': rule('See every flight on this instance', 'flight.read.any', true),
  'flight.create.own': rule('Add flights that you are on', 'flight.create.own'),
  'flight.create.any': rule('Add flights for other people', 'flight.create.any'),
  'flight.update.own': rule('Edit the flights you are on', 'flight.update.own'),
  'flight.update.any': rule('Edit every flight on this instance', 'flight.update.any'),
  'flight.delete.own': rule('Delete the flights you are on', 'flight.delete.own'),
  'flight.delete.any': rule('Delete every flight on this instance', 'flight.delete.any'),
  'flight.export.own': rule('Export the flights you are on', 'flight.export.own', true),
  'flight.export.any': rule('Export every flight on this instance', 'flight.export.any', true),
  'flight.passengers.manage.own': rule(
    'Change who is on the flights you are on',
    'flight.passengers.manage.own',
  ),
  'flight.passengers.manage.any': rule('Change who is on every flight', 'flight.passengers.manage.any'),
  'users.directory.read': rule('List the people on this instance', 'users.directory.read', true),
  'roles.manage': rule(
    'List, create, change and delete roles: give people what is chosen here, and take any permission away',
    'roles.manage',
  ),
  'profile.read': rule('See your profile, role and permissions', null, true),
  'preferences.write': rule('Change your preferences', null),
  'reference_data.read': rule('Look up airports, airlines and aircraft', null, true),
  'custom_fields.read': rule('See which custom fields exist', null, true),
  'stats.read': rule('See statistics', 'flight.read.own', true),
  'tracks.read': rule('See recorded flight tracks', 'flight.read.own', true),
  'tracks.write': rule('Store and delete flight tracks', 'flight.update.own'),
  'visited_countries.read': rule('See your visited countries', 'flight.read.own', true),
  'visited_countries.write': rule('Change your visited countries', 'flight.read.own'),
  'shares.read': rule('See your public shares', 'flight.share.own', true),
  'shares.write': rule('Publish your flights: create, change and delete public shares', 'flight.share.own'),
  'flight.import.own': rule('Import flights that you are on', 'flight.import.own'),
  'flight.import.any': rule('Import flights for other people', 'flight.import.any'),
  'webhooks.manage': rule('Send your changes to other programs', 'flight.read.own'),
  'feeds.manage': rule('Create, change and delete your calendar and map feeds', 'flight.read.own'),
  'notifications.manage': rule('Receive your notifications and choose them', null),
} satisfies Record<string, ScopeRule>

export type Scope = keyof typeof scopeRules
export const scopes = Object.keys(scopeRules) as [Scope, ...Scope[]]
export const isReadOnly = (scope: Scope): boolean => scopeRules[scope].readOnly
/** A scope with which its holder can change things for good or see everyone's data; granting it requires a recent sign-in. */
export const isLasting = (scope: Scope): boolean => !isReadOnly(scope) || scope.endsWith('.any')
export const readOnlyScopes = scopes.filter(isReadOnly)

/** The scopes of an MCP client that requests none. */
export const defaultMcpScopes: readonly Scope[] = [
  'profile.read',
  'flight.read.own',
  'reference_data.read',
  'stats.read',
  'tracks.read',
  'visited_countries.read',
  'shares.read',
  'custom_fields.read',
]

export const isScope = (name: string): name is Scope => Object.hasOwn(scopeRules, name)
export const isPermission = (name: string): name is Permission =>
  (permissions as readonly string[]).includes(name)
export const scopeDescription = (scope: Scope): string => scopeRules[scope].description
export const permissionForScope = (scope: Scope): Permission | null => scopeRules[scope].permission

/** The actions on flights that have an own and an any form. */
export type FlightAction = 'read' | 'create' | 'update' | 'delete' | 'import' | 'export' | 'passengers.manage'
export type Reach = 'own' | 'any'
export const flightScope = (action: FlightAction, reach: Reach): Scope => `flight.${action}.${reach}`

const wider = (name: string) => (name.endsWith('.own') ? `${name.slice(0, -4)}.any` : undefined)

/** `.any` covers the matching `.own`, for scopes and for permissions alike. */
export function covers(held: ReadonlySet<string>, name: string): boolean {
  if (held.has(name)) return true
  const any = wider(name)
  return any !== undefined && held.has(any)
}

const effective = new WeakMap<ReadonlySet<string>, Permission[]>()

/** All permissions that the stored ones grant, implied ones included, in catalogue order. */
export function effectivePermissions(stored: ReadonlySet<string>): Permission[] {
  let list = effective.get(stored)
  if (!list) {
    list = permissions.filter((permission) => covers(stored, permission))
    effective.set(stored, list)
  }
  return list
}

/** The shortest equivalent set: an `.own` that its `.any` covers is dropped. */
export const normalisedPermissions = (stored: readonly Permission[]): Permission[] => {
  const held = new Set<string>(stored)
  return permissions.filter((permission) => held.has(permission) && !held.has(wider(permission) ?? ''))
}

/** What a person may do: the owner everything, others what their role permits. */
export interface Authority {
  isOwner: boolean
  permissions: ReadonlySet<string>
}

/** People can only grant and revoke permissions that they have themselves. */
export const holdsAll = (actor: Authority, wanted: readonly Permission[]): boolean =>
  actor.isOwner || wanted.every((permission) => covers(actor.permissions, permission))

/** People can only manage people who have strictly fewer permissions; no one manages the owner. */
export function mayManage(actor: Authority, target: Authority): boolean {
  if (target.isOwner) return false
  if (actor.isOwner) return true
  const theirs = effectivePermissions(target.permissions)
  return holdsAll(actor, theirs) && theirs.length < effectivePermissions(actor.permissions).length
}

/** The scope that a credential needs to give a permission to a role. Undefined: only people can give it, in the web app. */
export function scopeToGive(permission: Permission): Scope | undefined {
  if (permission === 'roles.manage') return undefined
  if (permission === 'flight.share.own') return 'shares.write'
  return isScope(permission) ? permission : undefined
}

export const grantableScopes = (held: ReadonlySet<string>): Scope[] =>
  scopes.filter((scope) => {
    const needed = permissionForScope(scope)
    return needed === null || covers(held, needed)
  })

export const builtInRoles = [
  {
    id: 'role-user',
    name: 'User',
    description: 'Keeps a personal flight log',
    permissions: [
      ...permissions.filter((name) => name.startsWith('flight.') && name.endsWith('.own')),
      'users.directory.read',
    ] as Permission[],
  },
  {
    id: 'role-administrator',
    name: 'Administrator',
    description: 'Manages all users, flights and data',
    permissions: normalisedPermissions(
      permissions.filter((name) => name !== 'roles.manage' && name !== 'tools.sql.execute'),
    ),
  },
] as const
export const defaultRoleId = 'role-user'

/** A backup contains everyone's data, so downloading one requires all permissions of Administrators. */
export const backupPermissions: readonly Permission[] = builtInRoles[1].permissions.filter(
  (permission) => !unusedPermissions.includes(permission),
)

function rule(description: string, permission: Permission | null, readOnly = false): ScopeRule {
  return { description, permission, readOnly }
}
