/** Every address of the app. Pages load when they are first visited. */

import type { Component } from 'svelte'
import type { PlainKey } from '../i18n/i18n.svelte.ts'
import { match, type Params } from '../lib/router.svelte.ts'

export type PageComponent = Component<{ params: Params }>
type Loader = () => Promise<{ default: PageComponent }>

export interface Route {
  pattern: string
  title: PlainKey
  load: Loader
  /** The page fills the window and scrolls by itself. */
  bleed?: boolean
  /** One task with its own bar at the bottom: on a phone the navigation makes room. */
  focused?: boolean
}

// By glob, because other people build these: one that does not exist yet must not break the build.
const pages = import.meta.glob<{ default: PageComponent }>([
  '../map/MapPage.svelte',
  '../stats/StatsPage.svelte',
  '../visited/VisitedPage.svelte',
  '../settings/SettingsPage.svelte',
])

const missing: Loader = async () => (await import('./Missing.svelte')) as { default: PageComponent }
const flightList: Loader = async () =>
  (await import('../flights/ListPage.svelte')) as unknown as { default: PageComponent }
const page = (path: string): Loader => pages[path] ?? missing

export const routes: Route[] = [
  { pattern: '/', title: 'nav.map', load: page('../map/MapPage.svelte'), bleed: true },
  { pattern: '/flights', title: 'nav.flights', load: flightList },
  {
    pattern: '/flights/new',
    title: 'form.new',
    load: () => import('../flights/EditPage.svelte'),
    focused: true,
  },
  { pattern: '/flights/:id', title: 'nav.flights', load: () => import('../flights/DetailPage.svelte') },
  {
    pattern: '/flights/:id/edit',
    title: 'form.edit',
    load: () => import('../flights/EditPage.svelte'),
    focused: true,
  },
  { pattern: '/stats', title: 'nav.stats', load: page('../stats/StatsPage.svelte') },
  { pattern: '/stats/*', title: 'nav.stats', load: page('../stats/StatsPage.svelte') },
  { pattern: '/countries', title: 'nav.countries', load: page('../visited/VisitedPage.svelte') },
  { pattern: '/settings', title: 'nav.settings', load: page('../settings/SettingsPage.svelte') },
  { pattern: '/settings/*', title: 'nav.settings', load: page('../settings/SettingsPage.svelte') },
]

export const notFound: Route = {
  pattern: '*',
  title: 'app.notFound',
  load: async () => (await import('./NotFound.svelte')) as { default: PageComponent },
}

export function find(path: string): { route: Route; params: Params } {
  for (const route of routes) {
    const params = match(route.pattern, path)
    if (params) return { route, params }
  }
  return { route: notFound, params: {} }
}
