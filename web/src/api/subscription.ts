/** Registers this browser for notifications. The service worker does it too, so this has no imports. */

/** As the server expects it. */
interface SubscriptionBody {
  endpoint: string
  keys: { p256dh: string; auth: string }
  language: string
}

export function bodyOf(subscription: PushSubscription): SubscriptionBody {
  const { endpoint, keys } = subscription.toJSON()
  return {
    endpoint: endpoint!,
    keys: { p256dh: keys!['p256dh']!, auth: keys!['auth']! },
    language: navigator.language,
  }
}

export const subscribe = (manager: PushManager, publicKey: string): Promise<PushSubscription> =>
  manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })

const base = '/app/api'

async function publicKey(): Promise<string> {
  const response = await fetch(`${base}/push-key`)
  if (!response.ok) throw new Error(`The key was refused with ${response.status}`)
  return ((await response.json()) as { data: { publicKey: string } }).data.publicKey
}

/** The browser has replaced its subscription, or ended it. */
export async function renewSubscription(
  manager: PushManager,
  { newSubscription }: { newSubscription?: PushSubscription | null },
): Promise<void> {
  const made = newSubscription ?? (await subscribe(manager, await publicKey()))
  const body = JSON.stringify(bodyOf(made))
  const headers = { 'content-type': 'application/json' }
  await fetch(`${base}/push-subscriptions`, { method: 'POST', headers, body })
}
