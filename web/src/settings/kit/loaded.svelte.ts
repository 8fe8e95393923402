/** Something a screen needs from the server: asked for at once, again on demand, and never silently missing. */
import { ApiError } from '../../api/client.ts'
import { t } from '../../i18n/i18n.svelte.ts'

export class Loaded<T> {
  value = $state.raw<T | null>(null)
  problem = $state('')
  #ask: () => Promise<T>

  constructor(ask: () => Promise<T>) {
    this.#ask = ask
    void this.refresh()
  }

  /** What was there stays on screen while the new answer is on its way. */
  async refresh(): Promise<void> {
    this.problem = ''
    try {
      this.value = await this.#ask()
    } catch (error) {
      this.problem = messageOf(error)
    }
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.offline ? t('app.offline') : said(error.message)
  return t('app.unexpected', { message: error instanceof Error ? error.message : String(error) })
}

const known = {
  'This user name is taken': 'settings.error.usernameTaken',
  'The current password is wrong': 'settings.error.wrongPassword',
  'Letters, digits, dot, underscore and hyphen only': 'settings.error.usernameForm',
  'This address is taken': 'settings.error.slugTaken',
  'Must not lie before the first day': 'settings.error.lastBeforeFirst',
  'A role of this name exists': 'settings.error.roleTaken',
  'This is the default role; make another one the default first': 'settings.error.roleIsDefault',
  'People have this role; give them another one first': 'settings.error.roleInUse',
  'Another field has this key': 'settings.error.keyTaken',
  'There must be an option to choose': 'settings.error.noOptions',
  'Each option may be there only once': 'settings.error.optionTwice',
  'Must not be less than the minimum': 'settings.error.belowMinimum',
  'This is not a regular expression': 'settings.error.badPattern',
  'Patterns that repeat a repetition or refer back to a group can take for ever':
    'settings.error.slowPattern',
  'There is no such time zone': 'settings.error.noZone',
  'There is no such country': 'settings.error.noCountry',
  '2 to 8 letters, digits or hyphens': 'settings.error.icaoForm',
  'Three letters or digits': 'settings.error.threeCharacters',
  'Two letters or digits': 'settings.error.twoCharacters',
  'Two to four letters or digits': 'settings.error.fourCharacters',
  'The icon must be a PNG, JPEG, WebP or SVG picture': 'settings.error.notAPicture',
  'The drawing contains script or foreign content': 'settings.error.activeDrawing',
  'The owner’s account cannot be deleted': 'settings.error.ownerStays',
  'This field is required.': 'form.required',
} as const

/** The server speaks English; what it is known to say is said in the reader's language. */
export function said(message: string): string {
  const key = known[message as keyof typeof known]
  return key ? t(key) : message
}
