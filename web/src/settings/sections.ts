/** All sections of the settings, in the order of the index. Each section has an address and loads on its own. */
import type { Component } from 'svelte'
import { type PlainKey, withTexts } from '../i18n/i18n.svelte.ts'
import type { IconName } from '../lib/marks/icons.ts'
import { maySeeHealth } from '../screen/health.svelte.ts'
import { may, session } from '../session/session.svelte.ts'

export interface Section {
  /** The part of the address after /settings/. */
  name: string
  /** Further addresses that open it. */
  alsoAt?: readonly string[]
  title: PlainKey
  hint: PlainKey
  icon: IconName
  /** If absent, everyone sees the section. */
  allowed?: () => boolean
  load: () => Promise<{ default: Component }>
}

const mayManageData = () =>
  may('data.airports.manage') || may('data.airlines.manage') || may('data.aircraft.manage')
const mayManagePeople = () =>
  may('users.directory.read') &&
  (may('users.create') || may('users.update') || may('users.delete') || may('users.roles.assign'))

const main: Section[] = [
  {
    name: 'profile',
    title: 'settings.profile',
    hint: 'settings.profile.hint',
    icon: 'user',
    load: () => import('./you/Profile.svelte'),
  },
  {
    name: 'preferences',
    title: 'settings.preferences',
    hint: 'settings.preferences.hint',
    icon: 'gear',
    load: () => import('./you/Preferences.svelte'),
  },
  {
    name: 'notifications',
    title: 'settings.notifications',
    hint: 'settings.notifications.hint',
    icon: 'bell',
    load: () => import('./notify/Notifications.svelte'),
  },
  {
    name: 'travel',
    title: 'settings.travel',
    hint: 'settings.travel.hint',
    icon: 'plane',
    allowed: () => may('flight.read.own'),
    load: () => import('./notify/DayOfTravel.svelte'),
  },
  {
    name: 'security',
    alsoAt: ['sessions'],
    title: 'settings.security',
    hint: 'settings.security.hint',
    icon: 'lock',
    load: () => import('./security/SecurityPage.svelte'),
  },
  {
    name: 'shares',
    title: 'settings.shares',
    hint: 'settings.shares.hint',
    icon: 'link',
    allowed: () => may('flight.share.own'),
    load: () => withTexts('trips', () => import('./data/Shares.svelte')),
  },
  {
    name: 'imports',
    alsoAt: ['export'],
    title: 'settings.imports',
    hint: 'settings.imports.hint',
    icon: 'upload',
    allowed: () => may('flight.import.own') || may('flight.export.own'),
    load: () => withTexts('imports', () => import('./data/ImportAndExport.svelte')),
  },
  {
    name: 'users',
    title: 'settings.users',
    hint: 'settings.users.hint',
    icon: 'users',
    allowed: mayManagePeople,
    load: () => import('./admin/Users.svelte'),
  },
  {
    name: 'backups',
    title: 'settings.backups',
    hint: 'settings.backups.hint',
    icon: 'box',
    allowed: maySeeHealth,
    load: () => import('./admin/Backups.svelte'),
  },
  {
    name: 'about',
    title: 'settings.about',
    hint: 'settings.about.hint',
    icon: 'info',
    load: () => import('./about/About.svelte'),
  },
]

/** For programs and administrators. */
const advanced: Section[] = [
  {
    name: 'connect',
    title: 'settings.connect',
    hint: 'settings.connect.hint',
    icon: 'webhook',
    load: () => import('./about/Connect.svelte'),
  },
  {
    name: 'keys',
    title: 'settings.keys',
    hint: 'settings.keys.hint',
    icon: 'key',
    load: () => import('./security/Keys.svelte'),
  },
  {
    name: 'apps',
    title: 'settings.apps',
    hint: 'settings.apps.hint',
    icon: 'plug',
    load: () => import('./security/Apps.svelte'),
  },
  {
    name: 'integrations',
    title: 'settings.integrations',
    hint: 'settings.integrations.hint',
    icon: 'feed',
    allowed: () => may('flight.read.own'),
    load: () => import('./integrations/Integrations.svelte'),
  },
  {
    name: 'audit',
    title: 'settings.audit',
    hint: 'settings.audit.hint',
    icon: 'clock',
    load: () => import('./security/Audit.svelte'),
  },
  {
    name: 'data',
    title: 'settings.data',
    hint: 'settings.data.hint',
    icon: 'plane',
    allowed: mayManageData,
    load: () => import('./data/Records.svelte'),
  },
  {
    name: 'fields',
    title: 'settings.fields',
    hint: 'settings.fields.hint',
    icon: 'tag',
    allowed: () => may('custom_fields.manage'),
    load: () => import('./data/Fields.svelte'),
  },
  {
    name: 'roles',
    title: 'settings.roles',
    hint: 'settings.roles.hint',
    icon: 'shield',
    allowed: () => may('roles.manage'),
    load: () => import('./admin/Roles.svelte'),
  },
  {
    name: 'programs',
    title: 'settings.programs',
    hint: 'settings.programs.hint',
    icon: 'bolt',
    allowed: () => session.user?.isOwner ?? false,
    load: () => import('./admin/Programs.svelte'),
  },
]

const isAllowed = ({ allowed }: Section) => allowed?.() ?? true

/** Only sections that this person's role has access to. */
export const allowedSections = () => ({ main: main.filter(isAllowed), advanced: advanced.filter(isAllowed) })
