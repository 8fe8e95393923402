/** The server speaks English; what it says to people is said in the reader's language. */
import { t } from './i18n.svelte.ts'
import { serverTexts } from './server-texts.ts'

export function said(message: string): string {
  const key = (serverTexts as Record<string, (typeof serverTexts)[keyof typeof serverTexts] | undefined>)[
    message
  ]
  if (key) return t(key)
  const seconds = /^Too many .* in (\d+) seconds$/.exec(message)?.[1]
  if (seconds) return t('said.tooMany', { seconds: Number(seconds) })
  return / not found$/.test(message) ? t('said.gone') : message
}
