/** Texts of notices that need no decision here. A new kind needs an entry in `texts`. */

import type { Notice } from '../api/types.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { whatsNewIn } from '../lib/docs.ts'
import { flightName } from './notices.svelte.ts'

type Kind =
  | 'flight.removed'
  | 'webhook.stopped'
  | 'import.waiting'
  | 'role.gained'
  | 'second-factor.failed'
  | 'share.published'
  | 'backup.failed'
  | 'instance.upgraded'
  | 'release.available'
type Of<K extends Notice['kind']> = Extract<Notice, { kind: K }>
export type PlainNotice = Of<Kind>

interface Texts {
  title: string
  text: string
  /** Null if nothing is left to do. */
  href: string | null
}

const texts: { [K in Kind]: (data: Of<K>['data']) => Texts } = {
  'flight.removed': (data) => {
    const { how, by, flights, flightId } = data
    const name = by?.displayName ?? t('notices.removedBy')
    if (flights > 1) {
      const title = t(`notices.removedMany.${how}`, { name, count: flights })
      return { title, text: '', href: { left: '/flights', deleted: '/flights/deleted', erased: null }[how] }
    }
    return {
      title: t(`notices.removed.${how}`, { name, flight: flightName(data) }),
      text: t(`notices.removedHint.${how}`),
      href: { left: `/flights/${flightId}`, deleted: '/flights/deleted', erased: null }[how],
    }
  },
  'webhook.stopped': ({ name, because }) => ({
    title: t('webhooks.stopped', { name }),
    text: t(`webhooks.because.${because}`),
    href: '/settings/integrations',
  }),
  'import.waiting': ({ importId, filename, questions, status }) => {
    const waits = status === 'questions' || status === 'ready'
    return {
      title: t('notices.importWaits', { name: filename }),
      text: waits ? waitsFor(questions) : t('notices.importSettled'),
      href: waits ? `/import/${importId}` : null,
    }
  },
  'second-factor.failed': ({ codes, address }) => ({
    title:
      address === null
        ? t('notices.wrongCodes', { count: codes })
        : t('notices.wrongCodesFrom', { count: codes, address }),
    text: t('notices.wrongCodesHint'),
    href: '/settings/security',
  }),
  'share.published': ({ program, how, shares }) => {
    const name = program ?? t('notices.someProgram')
    return {
      title:
        shares > 1 ? t('notices.sharedMany', { name, count: shares }) : t(`notices.shared.${how}`, { name }),
      text: t('notices.sharedHint'),
      href: '/settings/shares',
    }
  },
  'backup.failed': ({ reason }) => ({
    title: t('notices.backupFailed'),
    text: reason === 'other' ? t('notices.backupFailedOther') : t(`backups.reason.${reason}`),
    href: '/settings/backups',
  }),
  'instance.upgraded': ({ to }) => ({
    title: t('notices.upgraded', { version: to }),
    text: t('notices.upgradedHint'),
    href: whatsNewIn(to),
  }),
  'release.available': ({ version, security }) => ({
    title: t('notices.releaseAvailable', { version }),
    text: t(security ? 'notices.releaseSecurity' : 'notices.releaseHint'),
    href: '/settings/about',
  }),
  'role.gained': ({ name, by, isByProgram }) => ({
    title: t('notices.roleGained', { name }),
    text: t(isByProgram ? 'notices.roleGainedByProgram' : 'notices.roleGainedBy', { name: by.displayName }),
    href: '/settings/roles',
  }),
}

const waitsFor = (questions: number): string =>
  questions > 0 ? t('notices.importQuestions', { count: questions }) : t('notices.importReady')

export const isPlain = (notice: Notice): notice is PlainNotice => Object.hasOwn(texts, notice.kind)

export const plainTexts = ({ kind, data }: PlainNotice): Texts =>
  (texts[kind] as (of: typeof data) => Texts)(data)
