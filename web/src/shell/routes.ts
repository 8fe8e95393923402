/** Every address of the app. Pages load when they are first visited. */

import type { Component } from 'svelte'
import { type Area, withTexts } from '../i18n/i18n.svelte.ts'
import { match, type Params } from '../lib/router.svelte.ts'

export type PageComponent = Component<{ params: Params }>

export interface Route {
  pattern: string
  /** Loaded with the page. */
  texts?: readonly Area[]
  /** Also accepts pages without parameters. */
  load: () => Promise<{ default: unknown }>
  /** The page fills the window and handles scrolling itself. */
  bleed?: boolean
  /** The page has its own bar at the bottom, so the navigation is hidden on a phone. */
  focused?: boolean
}

const form: Omit<Route, 'pattern'> = {
  texts: ['reasons', 'waiting'],
  load: () => import('../flights/form/EditPage.svelte'),
  focused: true,
}
const statistics: Omit<Route, 'pattern'> = {
  texts: ['stats', 'insights'],
  load: () => import('../stats/StatsPage.svelte'),
}
const settings: Omit<Route, 'pattern'> = {
  texts: ['reasons', 'settings'],
  load: () => import('../settings/SettingsPage.svelte'),
}

const routes: Route[] = [
  { pattern: '/', load: () => import('../map/MapPage.svelte'), bleed: true },
  {
    pattern: '/flights',
    // Where flights are changed, the texts about unsynced changes must be loaded before the connection is lost.
    texts: ['list', 'waiting'],
    load: () => import('../flights/list/ListPage.svelte'),
  },
  { pattern: '/flights/new', ...form },
  { pattern: '/flights/deleted', load: () => import('../flights/DeletedPage.svelte') },
  { pattern: '/flights/changes', texts: ['history'], load: () => import('../history/ChangesPage.svelte') },
  {
    pattern: '/flights/:id',
    // The emissions of a flight are explained with the texts of the statistics page.
    texts: ['flight', 'stats', 'today', 'waiting'],
    load: () => import('../flights/page/DetailPage.svelte'),
  },
  { pattern: '/flights/:id/edit', ...form },
  {
    pattern: '/flights/:id/pass',
    texts: ['today', 'flight'],
    load: () => import('../today/pass/PassPage.svelte'),
    focused: true,
  },
  {
    pattern: '/today',
    texts: ['today', 'flight', 'waiting'],
    load: () => import('../today/TodayPage.svelte'),
  },
  { pattern: '/stats', ...statistics },
  { pattern: '/stats/*', ...statistics },
  { pattern: '/countries', texts: ['visited'], load: () => import('../visited/VisitedPage.svelte') },
  { pattern: '/trips', texts: ['trips'], load: () => import('../trips/TripsPage.svelte') },
  { pattern: '/trips/:id', texts: ['trips'], load: () => import('../trips/TripPage.svelte') },
  { pattern: '/waiting', texts: ['reasons', 'waiting'], load: () => import('../queue/WaitingPage.svelte') },
  {
    pattern: '/notices',
    // Devices and backups have the same names as in the settings, and a boarding pass that came by mail can be kept.
    texts: ['settings', 'today'],
    load: () => import('../notices/NoticesPage.svelte'),
  },
  {
    pattern: '/scan',
    texts: ['scan', 'today'],
    load: () => import('../imports/scan/ScanPage.svelte'),
    bleed: true,
    focused: true,
  },
  { pattern: '/import/shared', texts: ['scan'], load: () => import('../imports/scan/SharedPage.svelte') },
  {
    pattern: '/import/:id',
    texts: ['imports', 'today'],
    load: () => import('../imports/ImportPage.svelte'),
    bleed: true,
    focused: true,
  },
  {
    pattern: '/confirm',
    texts: ['settings'],
    load: () => import('../session/ConfirmPage.svelte'),
    focused: true,
  },
  { pattern: '/settings', ...settings },
  { pattern: '/settings/*', ...settings },
]

const notFound: Route = {
  pattern: '*',
  load: () => import('../screen/NotFound.svelte'),
}

export async function pageOf({ texts = [], load }: Route): Promise<PageComponent> {
  const part = await withTexts(texts, load)
  return part.default as PageComponent
}

export function find(path: string): { route: Route; params: Params } {
  for (const route of routes) {
    const params = match(route.pattern, path)
    if (params) return { route, params }
  }
  return { route: notFound, params: {} }
}
