/** Notifications on this device: whether they can work here, on, off, and again after the browser or the server lost them. */

import { client, dataOf } from '../api/client.ts'
import { bodyOf, subscribe } from '../api/subscription.ts'

/** Why notifications cannot work in this browser. */
export type Obstacle = 'insecure' | 'homeScreen' | 'refused' | 'unsupported'

/** Whose notifications this browser shows, so that a lost subscription is made again. */
const store = 'contrail.push'

const isApple = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  // An iPad says that it is a Mac.
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

export function obstacleHere(): Obstacle | null {
  if (!isSecureContext) return 'insecure'
  const isInstalled = (navigator as { standalone?: boolean }).standalone === true
  if (isApple() && !isInstalled) return 'homeScreen'
  // Private windows of some browsers have none of these.
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'unsupported'
  return Notification.permission === 'denied' ? 'refused' : null
}

const manager = async (): Promise<PushManager> => (await navigator.serviceWorker.ready).pushManager

/** Undefined without a service worker, which would never be ready. */
async function current(): Promise<PushSubscription | null> {
  if (!('PushManager' in window) || !navigator.serviceWorker?.controller) return null
  return (await manager()).getSubscription()
}

export const isOnHere = async (): Promise<boolean> => (await current()) !== null

const publicKey = async () => (await dataOf(client.GET('/push-key'))).publicKey

async function register(): Promise<void> {
  const made = await subscribe(await manager(), await publicKey())
  await client.POST('/push-subscriptions', { body: bodyOf(made) })
}

/** Asks the browser, so only after a press. Returns what is in the way, if anything. */
export async function turnOn(userId: string): Promise<Obstacle | null> {
  const permission = await Notification.requestPermission()
  if (permission === 'denied') return 'refused'
  // Closed without an answer: nothing is said, and nothing happens.
  if (permission !== 'granted') return null
  // The server refuses first, if it does: a browser asked for nothing has nothing to forget.
  await publicKey()
  try {
    await register()
  } catch (error) {
    // A private window says that there is no permission, or that the push service refused.
    if (error instanceof DOMException) return 'unsupported'
    throw error
  }
  localStorage.setItem(store, userId)
  return null
}

/** Until the app is opened again: a sign-out may fail without a connection. */
export async function endHere(): Promise<void> {
  await (await current())?.unsubscribe()
}

export function turnOff(): Promise<void> {
  localStorage.removeItem(store)
  return endHere()
}

const isKey = (subscription: PushSubscription, key: string): boolean => {
  const bytes = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer())
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  return text === key
}

/** When the app is opened: the server may have another key since, and the browser may have lost its subscription. */
export async function registerAgain(userId: string): Promise<void> {
  if (localStorage.getItem(store) !== userId || obstacleHere() !== null) return
  if (Notification.permission !== 'granted') return
  const [subscription, key] = await Promise.all([current(), publicKey()])
  if (subscription && isKey(subscription, key)) return
  await subscription?.unsubscribe()
  await register()
}
