/** The signed-in user, their permissions and their preferences. */

import { defaultPreferences } from '../../../server/domain/people/preferences.ts'
import { ApiError, client, dataOf, onSessionLost, writeAs } from '../api/client.ts'
import { eraseKeptLog } from '../api/kept-log.ts'
import type { Me, Permission, Preferences, Session } from '../api/types.ts'
import { isCopy } from '../api/unreached.ts'
import { deleteAllDrafts } from './drafts.ts'

let current = $state.raw<Session | null>(null)
let preferences = $state.raw<Preferences>(defaultPreferences)
let waiting = $state.raw<((signedIn: boolean) => void)[]>([])

export const session = {
  get user(): Me | null {
    return current?.user ?? null
  },
  get instance(): Session['instance'] {
    return current?.instance ?? { name: 'Contrail', version: '' }
  },
  get preferences(): Preferences {
    return preferences
  },
  /** Ways to sign in on the sign-in page, apart from passkeys. */
  get signIn(): Session['signIn'] {
    return current?.signIn ?? { passwords: true, provider: null }
  },
  /** A request got a 401 and is pending until the person has signed in again. */
  get lost(): boolean {
    return waiting.length > 0
  },
}

/** `.any` implies `.own`; the server lists effective permissions, including implied ones. */
export function may(permission: Permission): boolean {
  return session.user?.permissions.includes(permission) ?? false
}

export async function savePreferences(change: Partial<Preferences>): Promise<void> {
  const before = preferences
  preferences = { ...preferences, ...change }
  try {
    await client.PUT('/preferences', { body: change })
    // The copy that the next visit starts with.
    if (navigator.serviceWorker?.controller) refreshSession().catch(() => {})
  } catch (error) {
    preferences = before
    throw error
  }
}

const address = '/app/api/session'
const copies = 'contrail-data'

/**
 * The service worker's copy for the user of this browser: another person's copy is never shown. It is deleted with every
 * sign-out, with every 401 and on the pages where someone may sign in (sw.js).
 */
async function keptSession(): Promise<Session | null> {
  try {
    const response = await caches.match(address, { ignoreVary: true, cacheName: copies })
    const kept = response && ((await response.json()) as { data: Session }).data
    return kept?.user && isCurrentUser(kept.user.id) ? kept : null
  } catch {
    return null
  }
}

/** The next start asks the server for the session before it shows anything. */
export async function reloadWithoutCopy(): Promise<void> {
  if ('caches' in window) await (await caches.open(copies)).delete(address).catch(() => false)
  location.reload()
}

/** Loads the session; false if the browser is being sent to another page. A copy is used until the server responds. */
export async function startSession(): Promise<boolean> {
  const loading = dataOf(client.GET('/session'))
  const kept = await keptSession()
  if (!kept) return take(await loading)
  show(kept)
  loading.then(take).catch(() => {})
  return true
}

/** Shows the copy's preferences, unless the person has changed some since. */
let loaded: Preferences = defaultPreferences

function show(next: Session): void {
  current = next
  if (next.preferences && preferences === loaded) preferences = loaded = next.preferences
  if (next.user) writeAs(next.user.id)
}

/** The server's response. It overrides a copy that is already shown. */
async function take(next: Session): Promise<boolean> {
  // If the session has ended, drafts are kept: the person may sign in again and continue.
  if (!next.user) await eraseKeptLog()
  if (next.setupRequired) return leave('/setup')
  if (!next.user) return leave(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
  const before = current
  await noteUser(next.user.id)
  // The page belongs to another person, or to another version of the server.
  if (before && (before.user?.id !== next.user.id || before.instance.version !== next.instance.version)) {
    await reloadWithoutCopy()
    return false
  }
  show(next)
  return true
}

/** The server has responded after the copy was used. */
async function takeNewer(): Promise<void> {
  const response = await caches.match(address, { ignoreVary: true, cacheName: copies })
  if (response) await take(((await response.json()) as { data: Session }).data)
}

navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ newer?: string }>) => {
  if (data.newer === address) takeNewer().catch(() => {})
})

/** Call after the user's profile or permissions have changed. */
export async function refreshSession(): Promise<void> {
  current = await dataOf(client.GET('/session'))
}

const userStore = 'contrail.user'

/** Deletes the previous user's local data: they may not have signed out, or another tab wrote a draft after that. */
async function noteUser(id: string): Promise<void> {
  const before = localStorage.getItem(userStore)
  if (before !== id) await deleteLocalData()
  localStorage.setItem(userStore, id)
}

/** Whether this is still the user of this browser: another tab may have signed out, or signed in as another user. */
export const isCurrentUser = (id: string): boolean => localStorage.getItem(userStore) === id

addEventListener('storage', ({ key }) => {
  if (key === userStore && session.user && !isCurrentUser(session.user.id)) location.reload()
})

function leave(to: string): false {
  location.replace(to)
  return false
}

onSessionLost(
  () =>
    new Promise((resolve) => {
      waiting = [...waiting, resolve]
    }),
)

function settle(signedIn: boolean): void {
  const resolvers = waiting
  waiting = []
  for (const resolve of resolvers) resolve(signedIn)
}

const returns: (() => void)[] = []

/** Calls back when the person has signed in again on this page. */
export function onSignedInAgain(run: () => void): void {
  returns.push(run)
}

/** Pending requests are sent. */
function goOn(): void {
  settle(true)
  for (const run of returns) run()
}

/** False if a code is still required. */
export async function signInAgain(password: string): Promise<boolean> {
  const username = session.user?.username ?? ''
  try {
    await client.POST('/sign-in', { body: { username, password } })
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'second_factor_required') return false
    throw error
  }
  goOn()
  return true
}

/** The second step: a code from the authenticator app, or a recovery code. */
export async function sendCode(
  proof: { code: string } | { recoveryCode: string },
  trust: boolean,
): Promise<void> {
  await client.POST('/sign-in/second-factor', { body: { ...proof, trust } })
  goOn()
}

export async function signInAgainWithPasskey(): Promise<void> {
  await (await import('./passkeys.ts')).signInWithPasskey(session.user?.id)
  goOn()
}

/** Someone may have signed in in another tab: continues if it is the same person. Returns the person. */
export async function goOnIfSignedIn(): Promise<Me | null> {
  const { data, response } = await client.GET('/session')
  const { user } = data!.data
  // A copy does not say who is signed in now.
  if (user && user.id === session.user?.id && session.lost && !isCopy(response)) goOn()
  return user
}

export function cancelSignIn(): void {
  settle(false)
}

/** Unsent changes stay in this browser unless `eraseChanges` deletes them. */
export async function signOut(eraseChanges?: (userId: string) => Promise<unknown>): Promise<void> {
  // Another person who signs in here must not get this person's notifications.
  await import('./push.ts').then(({ endHere }) => endHere()).catch(() => {})
  try {
    await client.POST('/sign-out')
  } catch (error) {
    if (error instanceof ApiError && error.offline) throw error
  }
  localStorage.removeItem(userStore)
  localStorage.removeItem('contrail.push')
  if (session.user) await eraseChanges?.(session.user.id)
  await deleteLocalData()
  // Redirects to the identity provider if the session began there.
  location.assign('/sign-in/signed-out')
}

/** Deletes all local data of the user, so that the next user of this browser cannot read it. */
async function deleteLocalData(): Promise<void> {
  await eraseKeptLog()
  navigator.serviceWorker?.controller?.postMessage('forget')
  if ('caches' in window) {
    const names = await caches.keys()
    await Promise.all(
      names.filter((name) => name.startsWith('contrail-data')).map((name) => caches.delete(name)),
    )
  }
  deleteAllDrafts()
  localStorage.removeItem('contrail.demo')
}
