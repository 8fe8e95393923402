/** A file, a pasted text or a shared file becomes an import, and its page opens. */

import { explain } from '../api/explain.ts'
import { network } from '../api/network.svelte.ts'
import { t, withTexts } from '../i18n/i18n.svelte.ts'
import { toast } from '../lib/overlay/toast.svelte.ts'
import { navigate } from '../lib/router.svelte.ts'
import { may } from '../session/session.svelte.ts'
import { startImport } from './api.ts'

let file = $state('')
let over = $state(false)

export const starting = {
  /** Its name while it is sent, else empty. */
  get file(): string {
    return file
  },
}

/** A file is held over the window. */
export const dragging = {
  get over(): boolean {
    return over
  },
  set over(is: boolean) {
    over = is
  },
}

export const mayImport = (): boolean => may('flight.import.own') || may('flight.import.any')

export async function start(content: Blob, name: string): Promise<void> {
  const address = await send(content, name)
  if (address) navigate(address)
}

/** The address of its import, or null if it could not be sent, which a message says. */
export async function send(content: Blob, name: string): Promise<string | null> {
  if (file) return null
  const problem = content.size === 0 ? t('imports.emptyFile') : network.online ? '' : t('imports.needsServer')
  if (problem) {
    toast(problem, { tone: 'error' })
    return null
  }
  file = name
  try {
    const { id, repeated } = await startImport(content, name)
    return `/import/${id}${repeated ? '?again=1' : ''}`
  } catch (error) {
    toast(explain(error), { tone: 'error' })
    return null
  } finally {
    file = ''
  }
}

/** A picture is read here, for the boarding pass in it; everything else by the server. */
export async function takeFile(given: File): Promise<void> {
  if (!given.type.startsWith('image/')) return start(given, given.name)
  if (file) return
  file = given.name
  try {
    const { hand, passIn } = await withTexts('scan', () => import('./scan/handed.svelte.ts'))
    const found = await passIn(given)
    if (typeof found === 'string') return void toast(found, { tone: 'error' })
    hand(found)
    navigate('/scan')
  } finally {
    file = ''
  }
}
