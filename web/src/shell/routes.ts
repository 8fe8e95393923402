/** Every address of the app. Pages load when they are first visited. */

import type { Component } from 'svelte'
import { type PlainKey, withTexts } from '../i18n/i18n.svelte.ts'
import { match, type Params } from '../lib/router.svelte.ts'

export type PageComponent = Component<{ params: Params }>
type Loader = () => Promise<{ default: PageComponent }>

export interface Route {
  pattern: string
  title: PlainKey
  load: Loader
  /** The page fills the window and handles scrolling itself. */
  bleed?: boolean
  /** The page has its own bar at the bottom, so the navigation is hidden on a phone. */
  focused?: boolean
}

/** Also accepts pages without parameters. */
const page =
  (load: () => Promise<{ default: unknown }>): Loader =>
  async () =>
    (await load()) as { default: PageComponent }
const statistics = page(() => withTexts(['stats', 'insights'], () => import('../stats/StatsPage.svelte')))
const settings = page(() =>
  withTexts(['reasons', 'settings'], () => import('../settings/SettingsPage.svelte')),
)

const routes: Route[] = [
  { pattern: '/', title: 'nav.map', load: page(() => import('../map/MapPage.svelte')), bleed: true },
  // Where flights are changed, the texts about unsynced changes must be loaded before the connection is lost.
  {
    pattern: '/flights',
    title: 'nav.flights',
    load: page(() => withTexts(['list', 'waiting'], () => import('../flights/list/ListPage.svelte'))),
  },
  {
    pattern: '/flights/new',
    title: 'form.new',
    load: () => withTexts(['reasons', 'waiting'], () => import('../flights/form/EditPage.svelte')),
    focused: true,
  },
  {
    pattern: '/flights/deleted',
    title: 'bin.title',
    load: page(() => import('../flights/DeletedPage.svelte')),
  },
  {
    pattern: '/flights/changes',
    title: 'history.title',
    load: () =>
      withTexts(
        'history',
        page(() => import('../history/ChangesPage.svelte')),
      ),
  },
  {
    pattern: '/flights/:id',
    title: 'nav.flights',
    // The emissions of a flight are explained with the texts of the statistics page.
    load: () => withTexts(['flight', 'stats', 'waiting'], () => import('../flights/page/DetailPage.svelte')),
  },
  {
    pattern: '/flights/:id/edit',
    title: 'form.edit',
    load: () => withTexts(['reasons', 'waiting'], () => import('../flights/form/EditPage.svelte')),
    focused: true,
  },
  { pattern: '/stats', title: 'nav.stats', load: statistics },
  { pattern: '/stats/*', title: 'nav.stats', load: statistics },
  {
    pattern: '/countries',
    title: 'nav.countries',
    load: page(() => withTexts('visited', () => import('../visited/VisitedPage.svelte'))),
  },
  {
    pattern: '/trips',
    title: 'nav.trips',
    load: page(() => withTexts('trips', () => import('../trips/TripsPage.svelte'))),
  },
  {
    pattern: '/trips/:id',
    title: 'nav.trips',
    load: () => withTexts('trips', () => import('../trips/TripPage.svelte')),
  },
  {
    pattern: '/waiting',
    title: 'waiting.title',
    load: () =>
      withTexts(
        ['reasons', 'waiting'],
        page(() => import('../queue/WaitingPage.svelte')),
      ),
  },
  {
    pattern: '/notices',
    title: 'notices.title',
    // Devices and backups have the same names as in the settings.
    load: page(() => withTexts('settings', () => import('../notices/NoticesPage.svelte'))),
  },
  {
    pattern: '/scan',
    title: 'nav.scan',
    load: () =>
      withTexts(
        'scan',
        page(() => import('../imports/scan/ScanPage.svelte')),
      ),
    bleed: true,
    focused: true,
  },
  {
    pattern: '/import/shared',
    title: 'imports.title',
    load: () =>
      withTexts(
        'scan',
        page(() => import('../imports/scan/SharedPage.svelte')),
      ),
  },
  {
    pattern: '/import/:id',
    title: 'imports.title',
    load: () => withTexts('imports', () => import('../imports/ImportPage.svelte')),
    bleed: true,
    focused: true,
  },
  {
    pattern: '/confirm',
    title: 'confirm.title',
    load: page(() => withTexts('settings', () => import('../session/ConfirmPage.svelte'))),
    focused: true,
  },
  { pattern: '/settings', title: 'nav.settings', load: settings },
  { pattern: '/settings/*', title: 'nav.settings', load: settings },
]

const notFound: Route = {
  pattern: '*',
  title: 'app.notFound',
  load: page(() => import('../screen/NotFound.svelte')),
}

export function find(path: string): { route: Route; params: Params } {
  for (const route of routes) {
    const params = match(route.pattern, path)
    if (params) return { route, params }
  }
  return { route: notFound, params: {} }
}
