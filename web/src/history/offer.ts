/** The Undo of a message. What it needs is loaded when it is used. */

import { t, withTexts } from '../i18n/i18n.svelte.ts'
import { withPart } from '../lib/parts.ts'

/** Takes back the person's last change of each of these flights in this app. */
export const undoAction = (flightIds: readonly number[]) => ({
  label: t('action.undo'),
  run: () =>
    void withPart(
      () => withTexts('history', () => import('./undo.svelte.ts')),
      ({ undoLast }) => undoLast(flightIds),
    ),
})
