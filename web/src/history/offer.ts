/** The Undo button of a message. Its code is loaded when it is used. */

import { t, withTexts } from '../i18n/i18n.svelte.ts'
import { withPart } from '../lib/parts.ts'

/**
 * Undoes the person's last change of each of these flights in this app. `upTo` is the time of that change on the server: a
 * message that is still shown does not undo a later one.
 */
export const undoAction = (flightIds: readonly number[], upTo?: string) => ({
  label: t('action.undo'),
  run: () =>
    void withPart(
      () => withTexts('history', () => import('./undo.svelte.ts')),
      ({ undoLast }) => undoLast(flightIds, upTo),
    ),
})
