// Names that people rely on to recognise a person or a connected app. Characters that are invisible or change the reading
// direction can make one name look like another.

/** Drawn as nothing or as blank space, or not text at all. The property covers bidi controls, zero-width and filler characters. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\u{fff9}-\u{fffb}\u{1d159}]/u

const joining =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]'

/** Invisible characters that spelling needs: joiners in scripts that have them, variants of Han characters, emoji. */
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
  // Replaced, not removed: removing them would join characters that were apart.
  if (unseen.test(name.replace(needed, ' '))) return 'name_has_invisible'
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? undefined : 'name_has_no_visible'
}

/** An app that registered without a name is shown by the host it redirects to. */
export const appName = (name: string, redirectUri: string): string => name || new URL(redirectUri).host
