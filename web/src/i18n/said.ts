/** The server speaks English; what it says to people is said in the reader's language. */
import { t } from './i18n.svelte.ts'
import { serverTexts } from './server-texts.ts'

export function said(message: string): string {
  const key = (serverTexts as Record<string, (typeof serverTexts)[keyof typeof serverTexts] | undefined>)[
    message
  ]
  if (key) return t(key)
  const [, wait, unit] = /^Too many .* in (\d+) (second|minute)s?$/.exec(message) ?? []
  if (unit === 'second') return t('said.tooMany', { seconds: Number(wait) })
  if (unit === 'minute') return t('said.tooManyMinutes', { minutes: Number(wait) })
  return / not found$/.test(message) ? t('said.gone') : message
}
