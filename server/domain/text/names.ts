// Names by which people recognize a person or a connected app. Invisible characters, or those that change the reading
// direction, can make one name look like another.

/** Characters that are invisible, blank or not text. The property includes bidi controls, zero-width and filler characters. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\u{fff9}-\u{fffb}\u{1d159}]/u

const joining =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]'

/** Invisible characters that are needed for spelling: joiners in some scripts, variants of Han characters, emoji. */
const needed = new RegExp(
  [
    `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
    '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '(?<=\\p{Emoji})\\ufe0f',
    '(?<=[\\p{Emoji}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  ].join('|'),
  'gu',
)

type NameFault = 'name_has_invisible' | 'name_has_no_visible'

/** Why a name is refused, or undefined. */
export function nameFault(name: string): NameFault | undefined {
  // Replaced, not removed: removing them would join the characters around them.
  if (unseen.test(name.replace(needed, ' '))) return 'name_has_invisible'
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? undefined : 'name_has_no_visible'
}

/** An app that registered without a name is shown by its redirect host. */
export const appName = (name: string, redirectUri: string): string => name || new URL(redirectUri).host
