/** The sources that the server can read, loaded once per language. */

import { i18n } from '../i18n/i18n.svelte.ts'
import { listSources } from './api.ts'
import type { ImportSource } from './types.ts'

let known: { locale: string; list: Promise<ImportSource[]> } | null = null

export function sources(): Promise<ImportSource[]> {
  if (known?.locale !== i18n.locale) {
    const list = listSources(i18n.locale)
    known = { locale: i18n.locale, list }
    list.catch(() => {
      known = null
    })
  }
  return known.list
}

/** Tables of unknown origin have no name that people know. */
export const isTable = (id: string | null): boolean => id?.startsWith('generic-') ?? true
