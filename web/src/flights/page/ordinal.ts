/** Ordinals in each language: "17th", "17.". */

import { i18n, t } from '../../i18n/i18n.svelte.ts'

const rules = new Map<string, Intl.PluralRules>()

export function ordinal(count: number): string {
  let rule = rules.get(i18n.locale)
  if (!rule) {
    rule = new Intl.PluralRules(i18n.locale, { type: 'ordinal' })
    rules.set(i18n.locale, rule)
  }
  const form = rule.select(count)
  const known = form === 'one' || form === 'two' || form === 'few' ? form : 'other'
  return t(`flightpage.ordinal.${known}`, { count: String(count) })
}
