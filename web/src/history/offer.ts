/** The Undo of a message. What it needs is loaded when it is used. */

import { t, withTexts } from '../i18n/i18n.svelte.ts'

/** Takes back the person's last change of each of these flights in this app. */
export const undoAction = (flightIds: readonly number[]) => ({
  label: t('action.undo'),
  run: () =>
    void withTexts('history', () => import('./undo.svelte.ts')).then(({ undoLast }) => undoLast(flightIds)),
})
