/** All sections of the settings, in the order of the index. Each section has an address and loads on its own. */
import type { Component } from 'svelte'
import { type PlainKey, withTexts } from '../i18n/i18n.svelte.ts'
import type { IconName } from '../lib/icons.ts'
import { maySeeHealth } from '../session/instance.svelte.ts'
import { may, session } from '../session/session.svelte.ts'

interface Section {
  /** The part of the address after /settings/. */
  name: string
  /** Pages that are part of it now; their addresses still open it. */
  formerly?: readonly string[]
  title: PlainKey
  hint: PlainKey
  icon: IconName
  /** If absent, everyone sees the section. */
  allowed?: () => boolean
  load: () => Promise<{ default: Component }>
}
interface Group {
  title: PlainKey
  sections: Section[]
}

const mayManageData = () =>
  may('data.airports.manage') || may('data.airlines.manage') || may('data.aircraft.manage')
const mayManagePeople = () =>
  may('users.directory.read') &&
  (may('users.create') || may('users.update') || may('users.delete') || may('users.roles.assign'))

const groups: Group[] = [
  {
    title: 'settings.group.you',
    sections: [
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
    ],
  },
  {
    title: 'settings.group.security',
    sections: [
      {
        name: 'security',
        formerly: ['sessions'],
        title: 'settings.security',
        hint: 'settings.security.hint',
        icon: 'lock',
        load: () => import('./security/SecurityPage.svelte'),
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
        name: 'audit',
        title: 'settings.audit',
        hint: 'settings.audit.hint',
        icon: 'clock',
        load: () => import('./security/Audit.svelte'),
      },
    ],
  },
  {
    title: 'settings.group.data',
    sections: [
      {
        name: 'shares',
        title: 'settings.shares',
        hint: 'settings.shares.hint',
        icon: 'link',
        allowed: () => may('flight.share.own'),
        load: () => import('./data/Shares.svelte'),
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
        name: 'imports',
        title: 'settings.imports',
        hint: 'settings.imports.hint',
        icon: 'upload',
        allowed: () => may('flight.import.own'),
        load: () => withTexts('imports', () => import('./data/Imports.svelte')),
      },
      {
        name: 'export',
        title: 'settings.export',
        hint: 'settings.export.hint',
        icon: 'download',
        allowed: () => may('flight.export.own'),
        load: () => import('./data/Export.svelte'),
      },
      {
        name: 'data',
        title: 'settings.data',
        hint: 'settings.data.hint',
        icon: 'box',
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
    ],
  },
  {
    title: 'settings.group.admin',
    sections: [
      {
        name: 'users',
        title: 'settings.users',
        hint: 'settings.users.hint',
        icon: 'users',
        allowed: mayManagePeople,
        load: () => import('./admin/Users.svelte'),
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
        icon: 'plug',
        allowed: () => session.user?.isOwner ?? false,
        load: () => import('./admin/Programs.svelte'),
      },
      {
        name: 'backups',
        title: 'settings.backups',
        hint: 'settings.backups.hint',
        icon: 'box',
        allowed: maySeeHealth,
        load: () => import('./admin/Backups.svelte'),
      },
    ],
  },
  {
    title: 'settings.group.about',
    sections: [
      {
        name: 'about',
        title: 'settings.about',
        hint: 'settings.about.hint',
        icon: 'info',
        load: () => import('./about/About.svelte'),
      },
    ],
  },
]

/** Only sections that this person's role has access to. */
export function allowedGroups(): Group[] {
  return groups
    .map((group) => ({ ...group, sections: group.sections.filter((section) => section.allowed?.() ?? true) }))
    .filter((group) => group.sections.length > 0)
}
